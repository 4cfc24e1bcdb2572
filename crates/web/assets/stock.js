// Taps that show at once, a list that grows as it is read, search while typing, and suggestions.
import { announceFailure, csrf, refresh, show } from './page.js';

const after = (delay, work) => {
  let timer;
  return (form) => { clearTimeout(timer); timer = setTimeout(work, delay, form); };
};

// A number changes under the finger; all taps that came while a request was under way are the next one. Hundredths,
// because those add up exactly.
const hundredths = (text) => Math.round(Number(text) * 100);
const taps = new Map();

async function adjust(id, delta) {
  // With the same key, an answer that got lost can be asked for again.
  const key = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const headers = { 'content-type': 'application/json', 'x-csrf-token': csrf(), 'idempotency-key': key };
  const body = JSON.stringify({ delta: delta / 100 });
  const ask = () => fetch(`/api/v1/inventory/items/${id}/adjust`, { method: 'POST', body, headers });
  const answer = await ask().catch(ask);
  if (!answer.ok) throw new Error(answer.status);
  return hundredths((await answer.json()).item.quantity);
}

async function send(row, output, tap) {
  try {
    while (tap.unsent) {
      const delta = tap.unsent;
      tap.unsent = 0;
      tap.sure = await adjust(row.dataset.item, delta);
      output.value = Math.max(0, tap.sure + tap.unsent) / 100;
    }
  } catch {
    output.value = tap.sure / 100;
    announceFailure();
  }
  taps.delete(row);
  const release = () => {
    if (taps.has(row)) return;
    delete row.dataset.keep;
    refresh();
  };
  // Empty, it leaves the list, and the next tap would hit the line below: it waits.
  if (tap.sure === 0 && row.matches('li')) setTimeout(release, 4000);
  else release();
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-item] button[name=delta]');
  if (!button) return;
  event.preventDefault();
  const row = button.closest('[data-item]');
  const output = row.querySelector('output');
  const left = hundredths(output.value);
  const reached = Math.max(0, left + hundredths(button.value));
  if (reached === left) return;
  output.value = reached / 100;
  const tap = taps.get(row) ?? { unsent: 0, sure: left };
  tap.unsent += reached - left;
  if (taps.has(row)) return;
  taps.set(row, tap);
  row.dataset.keep = '1';
  send(row, output, tap);
});

// The list goes on where it ends. The address says how much is shown, so that whatever reads the page again gets
// as much.
const end = new IntersectionObserver(([{ isIntersecting }]) => {
  const list = document.getElementById('items');
  const count = list?.childElementCount;
  if (!isIntersecting || !count || count >= list.dataset.most) return;
  const url = new URL(location.href);
  url.searchParams.set('shown', count * 2);
  history.replaceState(history.state, '', url);
  refresh();
}, { rootMargin: '600px' });

function watch() {
  end.disconnect();
  const more = document.getElementById('more');
  if (more) end.observe(more);
}

// Search and filters, without leaving the page.
let asked = 0;
document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (form.id !== 'filter') return;
  event.preventDefault();
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  const turn = ++asked;
  const answer = await fetch(`${form.action}?${query}`).catch(() => form.submit());
  const html = await answer?.text();
  if (html && turn === asked) show(html, answer.url);
});
const search = after(200, (form) => form.requestSubmit());

// What was there before, and how.
const known = new Map();
const filled = {};

function fill(form) {
  const before = known.get(form.elements.name.value.trim().toLowerCase());
  for (const name of ['unit', 'category', 'location']) {
    const field = form.elements[name];
    // What somebody chose is theirs.
    if (!field.value || field.value === filled[name]) field.value = filled[name] = before?.[name] ?? '';
  }
}

const suggest = after(120, async (form) => {
  const search = encodeURIComponent(form.elements.name.value);
  const found = await fetch(`/stock/suggestions?search=${search}`).then((answer) => answer.json()).catch(() => []);
  for (const one of found) known.set(one.name.toLowerCase(), one);
  document.getElementById('known').replaceChildren(...found.map((one) => new Option(one.name)));
  fill(form);
});

document.addEventListener('input', ({ target }) => {
  if (target.id === 'search') search(target.form);
  if (target.id === 'add-name') suggest(target.form);
  // What is being edited stays as it was read, so that saving it tells whether somebody was faster.
  const mine = target.closest('form[data-mine]');
  if (mine) mine.dataset.keep = '1';
});
document.addEventListener('reset', ({ target }) => delete target.dataset.keep);
document.addEventListener('larder:shown', watch);
watch();
