// What was done to the shopping list and is not with the server yet, in order. What the server refuses is parked until
// somebody chooses. Nothing is dropped.
import { csrf, newKey, on, part, refresh } from './page.js';

const API = '/api/v1/shopping-list';
// Steps are for one list: somebody else may have logged in since.
let list = part('outbox')?.dataset.list;

// What waits, and for what: `offline`, `login`, or nothing.
export let steps = [], trouble;
// Those on their way to disk are among them: a press begins where the one before ended.
const coming = new Set();

const opened = new Promise((resolve, reject) => {
  const request = indexedDB.open('larder', 1);
  request.onupgradeneeded = () => request.result.createObjectStore('outbox', { keyPath: 'n', autoIncrement: true });
  request.onsuccess = () => resolve(request.result);
  request.onerror = reject;
});
opened.catch(() => {});

// One change of all steps, whatever other tabs do; done when it is on disk.
async function change(work) {
  list ??= (await (await fetch('/api/v1/households/current')).json()).id;
  const transaction = (await opened).transaction('outbox', 'readwrite', { durability: 'strict' });
  const store = transaction.objectStore('outbox');
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = reject;
    store.getAll().onsuccess = ({ target }) => {
      work?.(store, target.result);
      store.getAll().onsuccess = ({ target }) => { steps = [...target.result.filter((step) => step.list === list), ...coming]; };
    };
  });
  // Other pages look for this, to send what waits.
  localStorage['larder-waiting'] = steps.length || '';
  tell();
}

const tell = (detail) => document.dispatchEvent(new CustomEvent('larder:outbox', { detail }));

// An amount after presses of + and -. None at all is where it begins.
const MOST = 99999999;
export const plus = (quantity, delta) => Math.min(MOST, Math.max(0, (quantity ?? 0) + delta)) || null;

// A step with a delta changes the amount by it: whatever it is by then. Those that were not sent are one.
export async function put(step) {
  if (step.delta) {
    coming.add(step);
    steps.push(step);
  }
  await change((store, all) => {
    const last = step.delta && all.find(({ id, delta, isSent, conflict }) => id === step.id && delta && !isSent && !conflict);
    if (!last) return store.add({ ...step, list });
    const delta = last.delta + step.delta;
    if (delta) store.put({ ...last, delta, body: { quantity: plus(last.body.quantity, step.delta) } });
    else store.delete(last.n);
  }).finally(() => coming.delete(step));
  flush();
}

function request({ isNew, id, body, version }) {
  return fetch(isNew ? API : `${API}/${id}${body.status ? '/status' : ''}`, {
    method: isNew ? 'POST' : 'PATCH',
    // An add whose answer was lost is not done again.
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrf(), ...(isNew && { 'idempotency-key': id }) },
    body: JSON.stringify({ ...body, version }),
    signal: AbortSignal.timeout(15_000),
  });
}

// What follows on the same entry goes on from what it is now.
const rebase = (step, { shoppingItemId: id, version, quantity }) =>
  ({ ...step, id, version, ...(step.delta && { isSent: false, body: { quantity: plus(quantity, step.delta) } }) });

function settle(step, entry) {
  tell({ old: step, entry });
  return change((store, all) => {
    store.delete(step.n);
    for (const later of all) if (later.id === step.id && later.n > step.n) store.put(rebase(later, entry));
  });
}

// Has the server take a step, or parks it. What stands in the way, if anything does.
async function attempt(step) {
  let answer, body;
  const isAgain = step.isSent;
  // From here on, no press becomes part of it.
  await change((store, all) => {
    step = all.find(({ n }) => n === step.n);
    if (step) store.put({ ...step, isSent: true });
  });
  if (!step) return;
  try {
    answer = await request(step);
    body = await answer.json();
  } catch {
    return 'offline';
  }
  const { ok, status } = answer;
  const { current, existing } = body;
  if (status === 401 || status === 403) return 'login';
  if (status === 429 || status >= 500) return 'offline';
  // A change of an amount whose answer was lost has been made.
  const isMade = step.delta
    ? isAgain && current?.version === step.version + 1 && current.quantity === step.body.quantity
    : current?.status === step.body.status;
  if (ok || current && isMade) return settle(step, current ?? body);
  // A tick is a fact, and so is one more.
  if (current) return change((store) => store.put(rebase(step, current)));
  const why = existing ? 'duplicate' : status === 404 ? 'gone' : 'refused';
  await change((store) => store.put({ ...step, conflict: { why, entry: existing } }));
  return refresh();
}

async function drain() {
  let step;
  do {
    await change();
    // Behind a parked step, those on the same entry wait.
    step = steps.find(({ id }) => !steps.some((other) => other.conflict && other.id === id));
    trouble = step && await attempt(step);
  } while (step && !trouble);
}

let sending = Promise.resolve();
let timer;
export function flush() {
  // One tab at a time, where there are locks; elsewhere versions and keys see to it.
  const send = () => navigator.locks?.request('larder-outbox', drain) ?? drain();
  sending = sending.then(send).catch(() => {}).then(() => {
    clearTimeout(timer);
    if (trouble) timer = setTimeout(flush, 5000);
    tell();
  });
  return sending;
}

export async function choose(n, isMine) {
  await change((store, all) => {
    const { conflict: { why, entry }, ...step } = all.find((one) => one.n === n);
    const later = all.filter((one) => one.id === step.id && one.n > n);
    const isGone = why === 'gone' || step.isNew;
    step.isSent = false;
    const version = entry?.version ?? step.version;
    if (isMine && isGone) {
      // A new one takes its place, also for what follows.
      const { status, ...body } = { ...step.base, ...step.body, force: true };
      const id = newKey();
      store.put({ ...step, isNew: true, id, body, version: undefined, delta: 0 });
      for (const one of later) store.put({ ...one, id });
    } else if (isMine) store.put({ ...step, version });
    else {
      store.delete(n);
      for (const one of later) isGone ? store.delete(one.n) : store.put({ ...one, version });
    }
  });
  await flush();
  refresh();
}

addEventListener('online', flush);
addEventListener('focus', flush);
on('larder:connected', flush);
flush();
