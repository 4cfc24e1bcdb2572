// The shopping list: every press shows at once, and goes to the server through the outbox.
import { enqueue, take } from './forms.js';
import * as outbox from './outbox.js';
import { attend } from './page.js';

const one = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const panel = one('#outbox');
const rowOf = (id) => document.getElementById(`entry-${id}`);
const amount = (quantity, unit) => quantity && (unit ? quantity + unit : `× ${quantity}`);

// What is shown, by the names of the API.
const entryOf = ({ name, quantity, store, notes, status }) =>
  ({ name, quantity: Number(quantity?.normalize('NFKC')) || null, storeId: store || null, notes: notes || null, status });

// Makes a row say something else, and puts it where that belongs.
function paint(row, { name, quantity, storeId, notes, status }) {
  const isBought = status === 'purchased';
  Object.assign(row.dataset, { name, quantity: quantity ?? '', store: storeId ?? '', notes: notes ?? '', status });
  for (const place of all('.name', row)) place.textContent = name;
  one('.amount', row).textContent = amount(quantity, row.dataset.unit);
  one('.what .notes', row).textContent = notes;
  one('.check', row).setAttribute('aria-pressed', isBought);
  const place = one(`[data-group="${isBought ? 'bought' : storeId ?? ''}"]`) ?? one('[data-group=""]');
  if (row.parentElement !== place) place.append(row);
}

// A row that the server does not know yet. Reading the page again leaves it where it is.
function newRow(id) {
  const row = one('#blank').content.firstElementChild.cloneNode(true);
  row.id = `entry-${id}`;
  Object.assign(row.dataset, { id, keep: 'new' });
  return row;
}

// Shows the list as it will be when everything is sent.
function apply() {
  const conflicts = outbox.steps.filter((step) => step.conflict);
  const sendable = outbox.steps.filter((step) => !conflicts.some(({ id }) => id === step.id));
  const waits = (row) => sendable.some(({ id }) => id === row.dataset.id);
  for (const row of all('.entry[data-keep]')) if (!waits(row)) row.remove();
  for (const { isNew, id, base, body } of sendable) {
    const row = rowOf(id) ?? (isNew && newRow(id));
    if (row) paint(row, { ...(isNew ? base : entryOf(row.dataset)), ...body });
  }
  for (const row of all('.entry')) one('.waiting', row).hidden = !waits(row);
  const [total, done] = [all('.entry').length, all('#bought .entry').length];
  Object.assign(one('progress'), { max: total || 1, value: done });
  one('#progress-text').textContent = panel.dataset.progress.replace('{done}', done).replace('{all}', total);
  tell(conflicts);
}

const describe = ({ name, quantity, storeId, notes, status }) => [
  name, amount(quantity), storeId && one(`#add-store option[value="${storeId}"]`)?.text, notes, panel.dataset[status],
].filter(Boolean).join(' · ');

// What waits, and what is to be chosen; left alone while it is the same: somebody may be about to press.
let told;
let asked = [];
let isActive = false;
function tell(conflicts) {
  const now = JSON.stringify([outbox.steps, outbox.trouble]);
  if (now === told) return;
  told = now;
  const words = (name) => one(`template[data-${name}]`, panel).content.cloneNode(true);
  const count = outbox.steps.length - conflicts.length;
  const line = one('[data-line]', panel);
  line.hidden = !count || !outbox.trouble;
  line.replaceChildren(words(count === 1 ? 'one' : 'many').textContent.replace('{count}', count), ' ', outbox.trouble ? words(outbox.trouble) : '');
  one('[data-conflicts]', panel).replaceChildren(...conflicts.map(({ n, body, base, conflict: { why, entry } }) => {
    const card = words(why).firstElementChild;
    one('[data-mine]', card).textContent = describe({ ...base, ...body });
    if (entry) one('[data-theirs]', card).textContent = describe(entry);
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
    const { id, version, ...shown } = form.closest('.entry').dataset;
    const status = shown.status === 'purchased' ? 'pending' : 'purchased';
    return { id, version: Number(version), base: entryOf(shown), body: { status } };
  },
  add(form) {
    const { item, ...written } = Object.fromEntries(new FormData(form));
    const wanted = entryOf({ ...written, name: written.name.trim(), notes: written.notes?.trim() });
    const isSame = (text) => text.trim().toLowerCase() === wanted.name.toLowerCase();
    // What is in stock is linked to it, also without a signal.
    const known = all('#names option').find((option) => isSame(option.value))?.dataset;
    const body = Object.entries({ ...wanted, itemId: item ?? known?.item }).filter(([, value]) => value);
    const twin = all('.entry[data-status=pending]').find((row) => isSame(row.dataset.name));
    const conflict = twin && { why: 'duplicate', entry: entryOf(twin.dataset) };
    const base = { storeId: known?.store, status: 'pending' };
    return { isNew: true, id: outbox.newKey(), base, body: Object.fromEntries(body), conflict };
  },
};

// Before the module that sends forms: kept first, or, where nothing can be kept, sent as they are.
document.addEventListener('submit', (event) => {
  const form = event.target;
  const step = READ[form.dataset.outbox]?.(form);
  if (!step) return;
  event.preventDefault();
  isActive = true;
  const taken = take(form, event.submitter);
  outbox.put(step).catch(() => enqueue(form, taken));
}, true);

document.addEventListener('larder:outbox', ({ detail }) => {
  if (!detail) return apply();
  // What this hand does next is based on what the server has just made of the entry.
  const { old, ...now } = detail;
  const row = rowOf(old);
  if (!row) return;
  // The live page may show it already.
  if (old !== now.id) rowOf(now.id)?.remove();
  delete row.dataset.keep;
  Object.assign(row.dataset, now);
  row.id = `entry-${now.id}`;
  one('.edit', row).href = `/shopping/${now.id}`;
  for (const field of all('[name=version]', row)) field.value = now.version;
});
document.addEventListener('larder:shown', apply);
