// Things are dragged by the handle of their row, which otherwise leads to a list, and unfolded in place.
import { send } from './forms.js';
import { on, part, show } from './page.js';

const root = document.documentElement;
let drag = null;

function mark(target) {
  drag.target?.classList.remove('over');
  drag.target = target;
  target?.classList.add('over');
}

function end(isDropped = false) {
  if (!drag) return;
  const { item, target, thing, isMoving } = drag;
  mark(null);
  drag = null;
  root.classList.remove('dragging');
  item.classList.remove('dragged');
  item.style.translate = '';
  if (!isMoving) return;
  // The handle is a link, and letting go of it is no click.
  const stop = (event) => event.preventDefault();
  addEventListener('click', stop, true);
  setTimeout(() => removeEventListener('click', stop, true));
  if (!isDropped || !target) return;
  const form = part('move-form');
  form.elements.thing.value = thing;
  form.elements.parent.value = target.dataset.thing;
  send(form);
}

on('pointerdown', (event) => {
  const handle = event.target.closest('[data-handle]');
  if (!handle || event.button) return;
  const { thing } = handle.closest('[data-thing]').dataset;
  drag = { handle, thing, item: handle.closest('li'), x: event.pageX, y: event.pageY };
});

on('pointermove', (event) => {
  if (!drag) return;
  const [x, y] = [event.pageX - drag.x, event.pageY - drag.y];
  if (!drag.isMoving) {
    if (Math.hypot(x, y) < 8) return;
    drag.isMoving = true;
    drag.handle.setPointerCapture(event.pointerId);
    root.classList.add('dragging');
  }
  drag.item.classList.add('dragged');
  drag.item.style.translate = `${x}px ${y}px`;
  mark(document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-thing]'));
  // At the edge the page comes along.
  if (event.clientY < 80) scrollBy(0, -12);
  else if (event.clientY > innerHeight - 80) scrollBy(0, 12);
});

on('pointerup', () => end(true));
on('pointercancel', () => end());
on('keydown', ({ key }) => { if (key === 'Escape') end(); });

on('click', async (event) => {
  const link = event.target.closest('a[data-unfold]');
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  const answer = await fetch(link.href).catch(() => location.assign(link.href));
  if (answer) show(await answer.text(), answer.url);
});
