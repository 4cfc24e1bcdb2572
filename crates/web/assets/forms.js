// Sends forms without leaving the page. A form works without this module too; `data-plain` keeps it as it is, and
// `data-queue` has it filled in again while it is being sent.
import { announce, announceFailure, attend, newKey, on, parse, show } from './page.js';

// Not `form.action`: a field of that name would be found instead.
function read(form, submitter) {
  const action = submitter?.getAttribute('formaction') ?? form.getAttribute('action');
  return { action, body: new URLSearchParams(new FormData(form, submitter)), submitter };
}

// Without hidden fields, which a newer page changes.
const typed = (form, body) => [...body].filter(([name]) => form.elements[name]?.type !== 'hidden');

// What got lost on the way is sent again under its name, if the server knows it by that.
async function ask(action, options, more) {
  try {
    const answer = await fetch(action, options);
    return [answer, await answer.text()];
  } catch (error) {
    if (!more || !navigator.onLine) throw error;
    await new Promise((resume) => { setTimeout(resume, 1000); });
    return ask(action, options, more - 1);
  }
}

// Shows the result of a form, or returns why it failed.
async function post(form, { action, body, submitter, isTaken }) {
  try {
    const headers = { accept: 'text/html', 'idempotency-key': newKey() };
    const [answer, html] = await ask(action, { method: 'POST', body, headers }, form.hasAttribute('data-queue') && 4);
    const failure = !answer.ok && parse(html).querySelector('[data-failure]');
    if (failure) {
      announce(failure.querySelector('[role=alert]').textContent, true);
      return failure.dataset;
    }
    // What was typed since is not sent yet. What others did may have taken the form or its button off the page.
    const isWhole = form.isConnected && (!submitter || submitter.form === form);
    const isAsSent = () => `${typed(form, read(form, submitter).body)}` === `${typed(form, body)}`;
    if (answer.ok && !isTaken && isWhole && isAsSent()) form.reset();
    if (answer.ok) form.closest('[data-closes]')?.removeAttribute('open');
    show(html, answer.redirected ? answer.url : location.href);
    // A question to answer before anything else.
    if (!answer.ok) attend(document.querySelector('[data-attention]'));
  } catch {
    announceFailure();
    return {};
  }
}

// Shows an error at its field only.
const why = document.createElement('p');
Object.assign(why, { id: 'why', className: 'why' }).dataset.keep = '1';

function unmark() {
  const field = document.querySelector('[aria-describedby$=why]');
  why.remove();
  field?.removeAttribute('aria-invalid');
  field?.setAttribute('aria-describedby', field.getAttribute('aria-describedby').slice(0, -4));
}

function mark(form, { field: name, rule }) {
  const field = form.elements[name];
  if (!field?.matches) return;
  unmark();
  why.textContent = rule;
  (field.closest('.quick') ?? field).after(why);
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', `${field.getAttribute('aria-describedby') ?? ''} why`);
  field.closest('details')?.setAttribute('open', '');
  // Typing elsewhere is not interrupted.
  const focused = document.activeElement;
  if (form.contains(focused) || focused === document.body) field.focus();
}

// What is being sent shows on the pressed button.
function setBusy(form, submitter, ariaBusy) {
  for (const one of [form, submitter ?? form.querySelector('button')]) if (one) Object.assign(one, { ariaBusy });
}

export async function send(form, submitter) {
  if (form.ariaBusy) return;
  setBusy(form, submitter, 'true');
  unmark();
  const failure = await post(form, read(form, submitter));
  setBusy(form, submitter, null);
  // What was typed stays where it is, to be put right.
  if (failure) mark(form, failure);
}

// Empties a form for what comes next.
export function take(form, submitter) {
  const taken = { ...read(form, submitter), isTaken: true };
  unmark();
  form.reset();
  return taken;
}

// A choice is there from the beginning.
const isEmpty = (form) =>
  !typed(form, new FormData(form)).some(([name, value]) => value && form.elements[name].tagName !== 'SELECT');

function giveBack(form, taken) {
  for (const [name, value] of taken.body) Object.assign(form.elements[name], { value, checked: true });
  mark(form, taken.failure);
}

// What was refused waits below while the form holds something else.
function shelve(form, taken) {
  const shelf = form.querySelector('[data-refused]');
  const textContent = [taken.body.get('name'), taken.body.get('quantity')].filter(Boolean).join(' · ');
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent });
  button.onclick = () => {
    button.remove();
    shelf.hidden = !shelf.querySelector('button');
    if (!isEmpty(form)) shelve(form, { ...take(form), failure: {} });
    giveBack(form, taken);
  };
  shelf.append(button);
  shelf.hidden = false;
}

// One after the other, each once.
let queue = Promise.resolve();
let waiting = 0;
export function enqueue(form, taken) {
  ++waiting;
  setBusy(form, taken.submitter, 'true');
  queue = queue.then(async () => {
    taken.failure = await post(form, taken);
    if (taken.failure) (isEmpty(form) ? giveBack : shelve)(form, taken);
    if (!--waiting) setBusy(form, taken.submitter, null);
  });
}

on('submit', (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || form.getAttribute('method') !== 'post' || form.hasAttribute('data-plain')) return;
  event.preventDefault();
  if (form.hasAttribute('data-queue')) enqueue(form, take(form, submitter));
  else send(form, submitter);
});

// A choice that counts at once: a filter, a checkbox.
on('change', ({ target }) => target.closest('form[data-autosubmit]')?.requestSubmit());

// A question before what cannot be undone.
on('click', (event) => {
  const { confirm: always, waiting: unsent } = event.target.closest('[data-confirm], [data-waiting]')?.dataset ?? {};
  const question = always ?? (localStorage['larder-waiting'] && unsent);
  if (question && !confirm(question)) event.preventDefault();
  if (event.target.closest('[data-print]')) print();
});
