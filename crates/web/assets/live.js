// Changes of others as they happen, while somebody looks: a hidden page leaves the connection to others.
import { refresh } from './page.js';

let source;
let timer;
let poll;

function listen() {
  const { also } = document.body.dataset;
  source = new EventSource(`/api/v1/events${also && `?also=${also}`}`);
  // What happened before this, nobody tells of: the page may have been kept, or the connection lost.
  source.onopen = () => {
    document.dispatchEvent(new Event('larder:connected'));
    refresh();
  };
  // A change of many things is many events: the page is read once for all of them.
  const soon = () => { timer ??= setTimeout(() => { timer = null; refresh(); }, 80); };
  for (const name of document.body.dataset.live.split(' ')) source.addEventListener(name, soon);
  // Of things, readings and tags events tell on one server alone: for what others do, they are asked for.
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
    if (document.hidden) pause();
    else if (!source) listen();
  });
  // A page that is kept for "back" must not keep a connection.
  addEventListener('pagehide', pause);
  addEventListener('pageshow', ({ persisted }) => { if (persisted) listen(); });
}
