// Sends forms without leaving the page. A form works without this module too; `data-plain` keeps it as it is.
import { announce, announceFailure, parse, show } from './page.js';

export async function send(form, submitter) {
  if (form.hasAttribute('aria-busy')) return;
  form.setAttribute('aria-busy', 'true');
  try {
    const body = new URLSearchParams(new FormData(form, submitter));
    const action = submitter?.hasAttribute('formaction') ? submitter.formAction : form.action;
    const answer = await fetch(action, { method: 'POST', body, headers: { accept: 'text/html' } });
    const html = await answer.text();
    const refusal = !answer.ok && parse(html).querySelector('[data-failure] [role=alert]');
    // What was typed stays where it is, to be put right.
    if (refusal) return announce(refusal.textContent, true);
    if (answer.ok) form.reset();
    form.closest('dialog')?.close();
    show(html, answer.redirected ? answer.url : location.href);
  } catch {
    announceFailure();
  } finally {
    form.removeAttribute('aria-busy');
  }
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== 'post' || form.hasAttribute('data-plain')) return;
  event.preventDefault();
  send(form, event.submitter);
});

// A choice that counts at once: a filter, a checkbox.
document.addEventListener('change', ({ target }) => target.closest('form[data-autosubmit]')?.requestSubmit());

// A question before what cannot be undone, or would take along what waits for a signal.
document.addEventListener('click', (event) => {
  const { confirm: always, waiting } = event.target.closest('[data-confirm], [data-waiting]')?.dataset ?? {};
  const question = always ?? (localStorage['larder-waiting'] && waiting);
  if (question && !confirm(question)) event.preventDefault();
  if (event.target.closest('[data-print]')) print();
});
