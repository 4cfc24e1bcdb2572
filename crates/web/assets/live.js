// Changes of others as they happen, while somebody looks: a hidden page leaves the connection to others, and reads
// itself again when it is looked at.
import { refresh } from './page.js';

let source;
let timer;
let poll;

function listen() {
  source = new EventSource('/api/v1/events');
  source.onopen = () => document.dispatchEvent(new Event('larder:connected'));
  // A change of many things is many events: the page is read once for all of them.
  const soon = () => { timer ??= setTimeout(() => { timer = null; refresh(); }, 80); };
  for (const name of document.body.dataset.live.split(' ')) source.addEventListener(name, soon);
  // What no event tells of (readings, things) is asked for.
  const seconds = Number(document.getElementById('main').dataset.poll);
  if (seconds) poll = setInterval(refresh, seconds * 1000);
}

function resume() {
  listen();
  refresh();
}

function pause() {
  source?.close();
  clearInterval(poll);
  source = poll = null;
}

if (document.body.dataset.live !== undefined) {
  if (!document.hidden) listen();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) pause();
    else if (!source) resume();
  });
  // A page that is kept for "back" must not keep a connection.
  addEventListener('pagehide', pause);
  addEventListener('pageshow', ({ persisted }) => { if (persisted) resume(); });
}
