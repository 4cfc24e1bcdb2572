// Changes of others as they happen. Connected while somebody looks: a hidden page reads itself again when it is
// looked at, and leaves the connection to others meanwhile.
import { refresh } from './page.js';

let source = null;
let timer = null;
let poll = null;

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

function pause() {
  source?.close();
  clearInterval(poll);
  source = poll = null;
}

if (document.body.dataset.live !== undefined) {
  if (!document.hidden) listen();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return pause();
    if (source) return;
    listen();
    refresh();
  });
  // A page that is kept for "back" must not keep a connection.
  addEventListener('pagehide', pause);
  addEventListener('pageshow', (event) => { if (event.persisted) { listen(); refresh(); } });
}
