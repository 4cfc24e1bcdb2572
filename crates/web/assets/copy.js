// Copies an element's text: <button data-copy="its id" data-copied="what to say">.
import { announce } from './page.js';

addEventListener('click', async (event) => {
  const button = event.target.closest('[data-copy]');
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  // What is selected can be copied by hand, too, if the browser refuses.
  getSelection().selectAllChildren(source);
  // Over plain http, as most homes have it, there is no clipboard to write to.
  const isWritten = await navigator.clipboard?.writeText(source.textContent.trim()).then(() => true, () => false);
  if (isWritten || document.execCommand('copy')) announce(button.dataset.copied);
});
