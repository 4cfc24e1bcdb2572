// Reads a chart under the mouse, the finger or the arrow keys: its parts carry their words as titles, and a slider
// over it, which keyboards and screen readers know, says which part.

function look(chart) {
  const scrub = chart.querySelector('.scrub');
  const mark = chart.querySelectorAll('.marks rect')[scrub.value];
  if (!mark) return;
  const cross = chart.querySelector('.cross');
  const share = (name) => parseFloat(mark.getAttribute(name));
  const middle = `${share('x') + share('width') / 2}%`;
  cross.setAttribute('x1', middle);
  cross.setAttribute('x2', middle);
  const output = chart.querySelector('output');
  output.textContent = mark.textContent;
  for (const element of [cross, output]) element.classList.add('on');
  scrub.setAttribute('aria-valuetext', mark.textContent);
}

// The part that is nearest, also in a gap where nothing was sent.
function point(event) {
  const plot = event.target.closest?.('.plot');
  if (!plot) return;
  const { left } = plot.getBoundingClientRect();
  const marks = [...plot.querySelectorAll('.marks rect')].map((mark) => mark.getBoundingClientRect());
  const distances = marks.map((mark) => Math.abs(mark.left + mark.width / 2 - event.clientX));
  if (!distances.length || event.clientX < left - 20) return;
  plot.querySelector('.scrub').value = distances.indexOf(Math.min(...distances));
  look(plot.closest('.chart'));
}

for (const kind of ['pointermove', 'pointerdown']) addEventListener(kind, point);
for (const kind of ['input', 'focusin']) {
  addEventListener(kind, (event) => {
    if (event.target.matches('.scrub')) look(event.target.closest('.chart'));
  });
}
// New readings came in: what is looked at may say something else now.
document.addEventListener('larder:shown', () => {
  for (const cross of document.querySelectorAll('.cross.on')) look(cross.closest('.chart'));
});
