// Live updates of visible pages; a hidden page closes its connection.
import { on, part, refresh } from './page.js';

let source;
let timer;
let poll;

function listen() {
  source = new EventSource(`/api/v1/events${document.body.dataset.query}`);
  // Events may have been missed: the page was kept, or the connection lost.
  source.onopen = () => {
    document.dispatchEvent(new Event('larder:connected'));
    refresh();
  };
  // Many events are debounced into one read.
  const soon = () => { timer ??= setTimeout(() => { timer = null; refresh(); }, 80); };
  // A page that knows which part an event is about shows that part only.
  const hear = ({ type, data }) => {
    const detail = { name: type, data: JSON.parse(data || '{}') };
    if (document.dispatchEvent(new CustomEvent('larder:event', { detail, cancelable: true }))) soon();
  };
  for (const name of document.body.dataset.live.split(' ')) source.addEventListener(name, hear);
  // Things, readings and tags have no events of other servers, so they are polled.
  const seconds = Number(part('main').dataset.poll);
  if (seconds) poll = setInterval(refresh, seconds * 1000);
}

function pause() {
  source?.close();
  clearInterval(poll);
  source = poll = null;
}

// A copy that is shown without a signal gives way to the one that was asked for.
const { kept } = part('main').dataset;
if (kept && kept !== location.pathname) {
  setInterval(() => fetch('', { method: 'HEAD' }).then(() => location.reload(), () => {}), 3000);
}

if (document.body.dataset.live !== undefined) {
  if (!document.hidden) listen();
  on('visibilitychange', () => {
    if (document.hidden) pause();
    else if (!source) listen();
  });
  // A page that is kept for "back" must not keep a connection.
  addEventListener('pagehide', pause);
  addEventListener('pageshow', ({ persisted }) => { if (persisted) listen(); });
}
