// The page as the server would show it now, without leaving it.
import { morph } from './morph.js';

export const part = (id, page = document) => page.getElementById(id);
export const on = (name, work, isFirst) => document.addEventListener(name, work, isFirst);

export const parse = (html) => new DOMParser().parseFromString(html, 'text/html');
// Not every home has the secure page that `randomUUID` needs.
export const newKey = () => `new-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
export const csrf = () => document.querySelector('meta[name=csrf-token]').content;

// Says something, also to screen readers. Success goes away by itself; an error stays until something else is done.
const status = part('status');
let timer;
function say(...lines) {
  clearTimeout(timer);
  status.replaceChildren(...lines);
  if (lines.length && !status.querySelector('.alert')) timer = setTimeout(say, 8000);
}

export function announce(text, isAlert = false) {
  say(Object.assign(document.createElement('p'), { className: isAlert ? 'alert' : 'notice', textContent: text }));
}

on('click', ({ target }) => { if (target.closest('button')) say(); }, true);

// Leads to what wants an answer.
export function attend(card) {
  card?.scrollIntoView();
  card?.focus({ preventScroll: true });
}

// Says that nothing came of it.
export const announceFailure = () => announce(document.body.dataset[navigator.onLine ? 'failed' : 'offline'], true);

// What was said or found once is not said or found again.
function stayAt(url) {
  for (const name of ['notice', 'row']) url.searchParams.delete(name);
  if (url.href !== location.href) history.replaceState(history.state, '', url);
}

if (status.firstChild) say(...status.children);
stayAt(new URL(location.href));

// Shows some parts of a page that was fetched, the count at the bell, and what came of the last action.
export function showParts(fresh, ...ids) {
  const focused = document.activeElement;
  for (const id of [...ids, 'bell']) if (part(id) && part(id, fresh)) morph(part(id), part(id, fresh));
  // Moving an element may take the focus from it.
  if (focused?.isConnected && focused !== document.activeElement) focused.focus({ preventScroll: true });
  const said = part('status', fresh).children;
  if (said.length) say(...said);
}

// Shows a page that was fetched: here if it is this one, otherwise by going there.
let isLeft = false;
export function show(html, url) {
  const here = new URL(url, location.href);
  isLeft = here.pathname !== location.pathname;
  if (isLeft) return location.assign(here);
  const fresh = parse(html);
  if (!part('main', fresh)) return location.reload();
  showParts(fresh, 'main');
  document.title = fresh.title;
  attend(document.querySelector('[data-found]'));
  stayAt(here);
  document.dispatchEvent(new CustomEvent('larder:shown'));
}

// What somebody deletes here is gone before its page is left.
const isGoing = () => isLeft || document.querySelector('[aria-busy]');

// Reads this page again. Calls while one is under way make one more afterwards.
let reading = null;
let isWanted = false;
export function refresh() {
  isWanted = true;
  reading ??= (async () => {
    while (isWanted) {
      isWanted = false;
      const before = location.href;
      const answer = await fetch(before, { headers: { accept: 'text/html' } });
      // Somebody went elsewhere: that is the page to read.
      if (location.href !== before) isWanted = true;
      else if (answer.ok || answer.status === 404 && !isGoing()) show(await answer.text(), answer.url);
    }
  })().catch(() => {}).finally(() => { reading = null; });
  return reading;
}
