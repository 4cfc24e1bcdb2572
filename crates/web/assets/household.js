// Passes an invitation on where the browser can, and founds a household in the time zone of its device.

if (navigator.share) document.documentElement.classList.add('can-share');

document.addEventListener('click', (event) => {
  const { share, text } = event.target.closest('[data-share]')?.dataset ?? {};
  if (share) navigator.share({ title: text, text, url: share }).catch(() => {});
});

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const here = document.querySelector(`[data-device-zone] [value="${timeZone}"]`);
if (here) here.selected = true;
