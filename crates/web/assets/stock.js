// Taps that show at once, a list that grows as it is read, search while typing, and suggestions.
import { morph } from './morph.js';
import { announceFailure, csrf, newKey, on, part, refresh, show, showParts } from './page.js';
import { after, readRows } from './rows.js';

const productOf = (element) => element?.closest('[data-product]')?.dataset.product;
const isHeld = (row) => row.matches('[data-keep]') || row.querySelector('[data-keep]');

async function fetchRows(url, ids, options) {
  const fresh = await readRows(url, ids, options);
  if (!fresh) return;
  showParts(fresh, 'views', 'beside');
  for (const id of ids) {
    const [old, now] = [document, fresh].map((page) => page.querySelector(`#items > [data-product="${id}"]`));
    if (!old || isHeld(old)) continue;
    if (!now) old.remove();
    else if (now.id === old.id) morph(old, now);
    else old.replaceWith(now);
  }
  if (!part('items')?.childElementCount) refresh();
}

const stale = new Set();
const readStale = after(100, () => {
  const ids = [...stale];
  stale.clear();
  fetchRows(location.href, ids).catch(() => {});
});

// Reads what shows an item again: its row, or the whole page.
function reread(element) {
  const product = productOf(element);
  if (!product) return refresh();
  stale.add(product);
  readStale();
}

on('larder:event', (event) => {
  const { name, data: { itemId, productId } } = event.detail;
  const row = document.querySelector(`#items [data-item="${itemId}"], #items [data-product="${productId}"]`);
  if (productOf(row)) reread(row);
  else if (!name.startsWith('Shopping')) return;
  event.preventDefault();
});

// A number changes under the finger; all taps that came while a request was under way are the next one. Hundredths,
// because those add up exactly.
const hundredths = (text) => Math.round(Number(text) * 100);
const taps = new Map();

async function post(path, content, sentKey) {
  // With the same key, an answer that got lost can be asked for again.
  const key = sentKey ?? newKey();
  const headers = { 'content-type': 'application/json', 'x-csrf-token': csrf(), 'idempotency-key': key };
  const body = JSON.stringify(content);
  const ask = () => fetch(`/api/v1/inventory/${path}`, { method: 'POST', body, headers });
  const answer = await ask().catch(ask);
  // The login has ended: the tap waits until there is a new one.
  if (!sentKey && [401, 403].includes(answer.status)) {
    sessionStorage.tap = JSON.stringify([path, content, key]);
    location.reload();
  }
  if (!answer.ok) throw new Error(answer.status);
  return answer.json();
}

// Changes one lot, or several together, and tells what is left.
async function change(row, delta, before) {
  const { item, product } = row.dataset;
  if (!item && delta < 0) {
    const { missing } = await post('lots/consume', { productId: product, quantity: -delta / 100 });
    return before + delta + hundredths(missing);
  }
  const lot = item ?? row.querySelector('[data-lot]').dataset.lot;
  const answer = await post(`items/${lot}/adjust`, { delta: delta / 100 });
  return item ? hundredths(answer.item.quantity) : before + delta;
}

async function send(row, output, tap) {
  try {
    while (tap.unsent) {
      const delta = tap.unsent;
      tap.unsent = 0;
      tap.sure = await change(row, delta, tap.sure);
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
    reread(row);
  };
  // Empty, it leaves the list, and the next tap would hit the line below: it waits, and can be put on the list.
  const isEmpty = tap.sure === 0 && row.matches('#items > li');
  row.classList.toggle('used-up', isEmpty);
  if (!isEmpty) return release();
  reread(row);
  setTimeout(release, 4000);
}

const { tap: waiting } = sessionStorage;
if (waiting) {
  delete sessionStorage.tap;
  post(...JSON.parse(waiting)).then(refresh, announceFailure);
}

// Has the address say more, so that whatever reads the page again gets as much.
function note(name, value) {
  const url = new URL(location.href);
  url.searchParams.set(name, value);
  history.replaceState(history.state, '', url);
}

const isWide = matchMedia('(min-width: 75rem)');

on('click', (event) => {
  const { target } = event;
  const button = target.closest('.amount button');
  const wish = target.closest('.to-list');
  const link = target.closest('#items .what[href]');
  if (button) {
    event.preventDefault();
    press(button);
  } else if (wish) {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(wish.form));
    fetchRows(wish.formAction, [productOf(wish)], { method: 'POST', body }).catch(announceFailure);
  } else if (link && isWide.matches && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    note('item', link.closest('[data-item]').dataset.item);
    reread(link);
  }
});

function press(button) {
  const row = button.closest('[data-item], [data-product]');
  const output = button.closest('.amount').querySelector('output');
  const left = hundredths(output.value);
  const reached = Math.max(0, left + hundredths(button.dataset.delta ?? button.value));
  if (reached === left) return;
  output.value = reached / 100;
  const tap = taps.get(row) ?? { unsent: 0, sure: left };
  tap.unsent += reached - left;
  if (taps.has(row)) return;
  taps.set(row, tap);
  row.dataset.keep = '1';
  send(row, output, tap);
}

// The list goes on where it ends.
const end = new IntersectionObserver(([{ isIntersecting }]) => {
  const list = part('items');
  const count = list?.childElementCount;
  if (!isIntersecting || !count || count >= list.dataset.most) return;
  note('shown', count * 2);
  refresh();
}, { rootMargin: '600px' });

function watch() {
  end.disconnect();
  const more = part('more');
  if (more) end.observe(more);
}

// Search and filters, without leaving the page.
let asked = 0;
on('submit', async (event) => {
  const form = event.target;
  if (form.id !== 'filter') return;
  event.preventDefault();
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  const turn = ++asked;
  const headers = { accept: 'text/html' };
  const answer = await fetch(`${form.action}?${query}`, { headers }).catch(() => form.submit());
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

// What a line means that is a name and an amount.
function explain(text) {
  const hint = part('understood');
  if (!hint) return;
  hint.hidden = !text;
  hint.textContent = text ?? '';
}

const suggest = after(120, async (form) => {
  const { name } = form.elements;
  const typed = name.value;
  const answer = await fetch(`/stock/suggestions?search=${encodeURIComponent(typed)}`).catch(() => {});
  // A late answer is not about what is typed by now.
  if (!answer?.ok || name.value !== typed) return;
  const { understood, known: found } = await answer.json();
  for (const one of found) known.set(one.name.toLowerCase(), one);
  part('known').replaceChildren(...found.map((one) => new Option(one.name)));
  explain(understood);
  fill(form);
});

on('input', ({ target }) => {
  if (target.id === 'search') search(target.form);
  if (target.id === 'add-name') suggest(target.form);
  // What is being edited stays as it was read, so that saving it tells whether somebody was faster.
  const mine = target.closest('form[data-mine]');
  if (mine) mine.dataset.keep = '1';
});
on('reset', ({ target }) => {
  delete target.dataset.keep;
  explain();
});

// Whoever opens the form wants to type.
on('toggle', ({ target }) => {
  if (target.id === 'adding' && target.open && !part('nothing-yet')) part('add-name').focus();
}, true);

// How many are selected, and all at once.
const boxes = () => [...document.querySelectorAll('#items input[name=item]')];
function count() {
  const chosen = boxes().filter((box) => box.checked).length;
  if (part('several-count')) Object.assign(part('several-count'), { value: chosen, hidden: !chosen });
}
on('change', count);
on('larder:shown', count);
part('several-all')?.addEventListener('click', () => {
  const isAll = boxes().every((box) => box.checked);
  for (const box of boxes()) box.checked = !isAll;
  count();
});
on('larder:shown', watch);
watch();
