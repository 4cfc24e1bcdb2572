// The shopping list: every press shows at once, and goes to the server through the outbox.
import { enqueue, take } from './forms.js';
import { morph } from './morph.js';
import * as outbox from './outbox.js';
import { attend, newKey, on, parse, part, showParts } from './page.js';
import { after, readRows } from './rows.js';

const one = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const panel = one('#outbox');
const rowOf = (id) => part(`entry-${id}`);
const amount = (quantity, unit) => quantity && (unit ? quantity + unit : `× ${quantity}`);

// What is shown, by the names of the API.
const entryOf = ({ name, quantity, store, notes, status }) =>
  ({ name, quantity: Number(quantity?.normalize('NFKC')) || null, storeId: store || null, notes: notes || null, status });

// Puts a row where it belongs: in the order in which entries were added.
function place(row) {
  const { status, store, added } = row.dataset;
  const list = one(`[data-group="${status === 'purchased' ? 'bought' : store}"]`) ?? one('[data-group=""]');
  if (row.parentElement === list) return;
  list.insertBefore(row, [...list.children].find((other) => other.dataset.added > added) ?? null);
}

// Makes a row say something else.
function paint(row, { name, quantity, storeId, notes, status }) {
  const isBought = status === 'purchased';
  Object.assign(row.dataset, { name, quantity: quantity ?? '', store: storeId ?? '', notes: notes ?? '', status });
  for (const place of all('.name', row)) place.textContent = name;
  one('.amount', row).textContent = amount(quantity, row.dataset.unit);
  one('.what .notes', row).textContent = notes;
  one('.check', row).setAttribute('aria-pressed', isBought);
  one('.step', row).disabled = !quantity;
  place(row);
}

// A row that the server does not know yet. Reading the page again leaves it where it is.
function newRow({ id, unit }) {
  const row = one('#blank').content.firstElementChild.cloneNode(true);
  row.id = `entry-${id}`;
  Object.assign(row.dataset, { id, unit: unit ?? '', keep: 'new' });
  return row;
}

// Shows the list as it will be when everything is sent.
function apply() {
  const conflicts = outbox.steps.filter((step) => step.conflict);
  const sendable = outbox.steps.filter((step) => !conflicts.some(({ id }) => id === step.id));
  const waits = (row) => sendable.some(({ id }) => id === row.dataset.id);
  for (const row of all('.entry[data-keep]')) if (!waits(row)) row.remove();
  for (const step of sendable) {
    const { isNew, id, base, body } = step;
    const row = rowOf(id) ?? (isNew && newRow(step));
    if (row) paint(row, { ...(isNew ? base : entryOf(row.dataset)), ...body });
  }
  for (const row of all('.entry')) one('.waiting', row).hidden = !waits(row);
  const [total, done] = [all('.entry').length, all('#bought .entry').length];
  Object.assign(one('progress'), { max: total || 1, value: done });
  one('#progress-text').textContent = panel.dataset.progress.replace('{done}', done).replace('{all}', total);
  narrow();
  tell(conflicts);
}

// The shop that was chosen in this browser; what is for any shop is shown with it.
let chosen, narrowed;
function narrow() {
  const hasEntry = (shop) => one(`[data-group="${shop}"] > .entry`);
  chosen = /larder_shop=([\w-]*)/.exec(document.cookie)?.[1];
  if (!one(`#shops [data-shop="${chosen}"]`)) chosen = '';
  for (const chip of all('#shops a')) {
    const { shop } = chip.dataset;
    chip.setAttribute('aria-current', shop === chosen);
    chip.hidden = shop && shop !== 'any' && shop !== chosen && !hasEntry(shop);
  }
  let isEmpty = true;
  for (const list of all('[data-group]:not([data-group=bought])')) {
    const { group } = list.dataset;
    const isShown = !chosen || !group || group === chosen;
    list.parentElement.hidden = !isShown;
    if (isShown && list.firstElementChild) isEmpty = false;
  }
  one('#none-here').hidden = !isEmpty || !one('.entry[data-status=pending]');
  // Where it is not touched: somebody may have chosen another shop for what is being typed.
  if (chosen !== narrowed) {
    const select = one('#add-store');
    select.options[0].value = chosen === 'any' ? 'any' : '';
    for (const option of select.options) option.defaultSelected = option.value === chosen;
    select.value = narrowed = chosen;
  }
  const names = all('.entry').map(({ dataset }) => dataset.name.toLowerCase());
  for (const tile of all('.tiles li')) {
    const store = one('[name=store]', tile);
    store.value = chosen || store.dataset.usual;
    tile.hidden = names.includes(tile.dataset.name.toLowerCase());
  }
}

on('click', (event) => {
  const chip = event.target.closest('#shops a');
  if (!chip) return;
  event.preventDefault();
  const secure = location.protocol === 'https:' ? ';secure' : '';
  document.cookie = `larder_shop=${chip.dataset.shop};path=/;max-age=31536000;samesite=lax${secure}`;
  history.replaceState(history.state, '', chip.pathname);
  narrow();
});

const describe = ({ name, quantity, storeId, notes, status }, unit) => [
  name, amount(quantity, unit), storeId && one(`#add-store option[value="${storeId}"]`)?.text, notes, panel.dataset[status],
].filter(Boolean).join(' · ');

// What waits, and what is to be chosen; left alone while it is the same: somebody may be about to press.
let told, isActive;
let asked = [];
function tell(conflicts) {
  const now = JSON.stringify([outbox.steps, outbox.trouble]);
  if (now === told) return;
  told = now;
  const words = (name) => one(`template[data-${name}]`, panel).content.cloneNode(true);
  const count = outbox.steps.length - conflicts.length;
  const line = one('[data-line]', panel);
  line.hidden = !count || !outbox.trouble;
  line.replaceChildren(words(count === 1 ? 'one' : 'many').textContent.replace('{count}', count), ' ', outbox.trouble ? words(outbox.trouble) : '');
  one('[data-conflicts]', panel).replaceChildren(...conflicts.map(({ n, body, base, unit, conflict: { why, entry } }) => {
    const card = words(why).firstElementChild;
    one('[data-mine]', card).textContent = describe({ ...base, ...body }, unit);
    if (entry) one('[data-theirs]', card).textContent = describe(entry, entry.unit ?? rowOf(entry.shoppingItemId)?.dataset.unit);
    for (const button of all('button', card)) button.onclick = () => outbox.choose(n, button.value === 'mine');
    return card;
  }));
  // A new question after something was done here is led to, but nobody is interrupted while typing.
  const newest = conflicts.findLastIndex(({ n }) => !asked.includes(n));
  asked = conflicts.map(({ n }) => n);
  const card = isActive && one('[data-conflicts]', panel).children[newest];
  if (!card) return;
  if (document.activeElement.matches('input, textarea')) card.scrollIntoView();
  else attend(card);
}

// The steps that forms stand for.
const READ = {
  status(form) {
    const { id, version, unit, ...shown } = form.closest('.entry').dataset;
    const status = shown.status === 'purchased' ? 'pending' : 'purchased';
    return { id, version: Number(version), base: entryOf(shown), unit, body: { status } };
  },
  amount(form, button) {
    const row = button.closest('.entry');
    const { id, version, unit, ...shown } = row.dataset;
    const base = entryOf(shown);
    const delta = Number(button.value);
    const quantity = outbox.plus(base.quantity, delta);
    // The next press goes on from here.
    paint(row, { ...base, quantity });
    return { id, version: Number(version), base, unit, delta, body: { quantity } };
  },
  add(form) {
    const { item, ...written } = Object.fromEntries(new FormData(form));
    const wanted = entryOf({ ...written, name: written.name.trim(), notes: written.notes?.trim() });
    const isSame = (text) => text.trim().toLowerCase() === wanted.name.toLowerCase();
    // What is in stock is linked to it, also without a signal.
    const known = all('#names option').find((option) => isSame(option.value))?.dataset ?? {};
    const body = Object.fromEntries(Object.entries({ ...wanted, itemId: item ?? known.item }).filter(([, value]) => value));
    if (body.storeId === 'any') body.storeId = null;
    const unit = form.dataset.unit ?? known.unit;
    const twin = all('.entry[data-status=pending]').find((row) => isSame(row.dataset.name))?.dataset;
    const conflict = twin && { why: 'duplicate', entry: { ...entryOf(twin), unit: twin.unit } };
    const base = { storeId: known.store, status: 'pending' };
    return { isNew: true, id: newKey(), base, unit, body, conflict };
  },
};

// Before the module that sends forms: kept first, or, where nothing can be kept, sent as they are.
on('submit', (event) => {
  const { target: form, submitter } = event;
  const step = READ[submitter?.dataset.outbox ?? form.dataset.outbox]?.(form, submitter);
  if (!step) return;
  event.preventDefault();
  isActive = true;
  const taken = take(form, submitter);
  outbox.put(step).catch(() => enqueue(form, taken));
}, true);

// Without a signal the page begins with its copy, which goes on row by row like the page itself.
const keepCopy = after(100, async () => {
  const cache = await self.caches?.open(new URL('.', import.meta.url).pathname);
  const copy = await cache?.match('/shopping', { ignoreVary: true });
  if (!copy) return;
  const page = parse(await copy.text());
  for (const list of all('.entries', page)) {
    const rows = all(`[data-group="${list.dataset.group}"] > :not([data-keep])`);
    list.replaceChildren(...rows.map((row) => page.importNode(row, true)));
  }
  await cache.put('/shopping', new Response(`<!doctype html>${page.documentElement.outerHTML}`, copy));
});

// Entries that have changed, and their versions by now. What this hand does is shown already, and told by the answer.
const stale = new Map();
const readStale = after(100, async () => {
  const isOther = (id) => outbox.steps.every((step) => step.conflict || !step.isNew && step.id !== id);
  const known = [...stale.keys()].filter(isOther);
  const ids = known.filter((id) => !(rowOf(id)?.dataset.version >= stale.get(id)));
  for (const id of known) stale.delete(id);
  const fresh = ids.length && await readRows('/shopping', ids).catch(() => {});
  if (!fresh) return;
  for (const id of ids) {
    const [row, now] = [rowOf(id), fresh.getElementById(`entry-${id}`)];
    if (!now) row?.remove();
    else if (row) morph(row, now);
    else one('#blank').after(document.importNode(now, true));
    if (now) place(rowOf(id));
  }
  showParts(fresh);
  apply();
  keepCopy();
});

on('larder:event', (event) => {
  const { name, data: { shoppingItemId, version } } = event.detail;
  if (!name.startsWith('ShoppingItem')) return;
  event.preventDefault();
  stale.set(shoppingItemId, version ?? Infinity);
  readStale();
});

on('larder:outbox', ({ detail }) => {
  if (!detail) {
    if (stale.size) readStale();
    return apply();
  }
  // What this hand does next is based on what the server has just made of the entry.
  const { old, entry: { shoppingItemId: id, version, createdAt, ...now } } = detail;
  const row = rowOf(old.id);
  if (!row) return;
  if (old.id !== id) {
    // The live page may show it already.
    rowOf(id)?.remove();
    delete row.dataset.keep;
    row.id = `entry-${id}`;
    Object.assign(row.dataset, { id, added: Date.parse(createdAt) });
    for (const name of ['href', 'action', 'formaction']) {
      for (const way of all(`[${name}]`, row)) {
        way.setAttribute(name, way.getAttribute(name).replace('/shopping/', `/shopping/${id}`));
      }
    }
  }
  row.dataset.version = version;
  for (const field of all('[name=version]', row)) field.value = version;
  if (!outbox.steps.some((step) => step.id === old.id && step.n !== old.n)) paint(row, now);
  keepCopy();
});
on('larder:shown', apply);
