// Passes an invitation on where the browser can, and founds a household in the time zone of its device.
function prepare() {
  for (const button of document.querySelectorAll('[data-share]')) button.hidden = !navigator.share;
}

document.addEventListener('click', (event) => {
  const { share, text } = event.target.closest('[data-share]')?.dataset ?? {};
  if (share) navigator.share({ title: text, text, url: share }).catch(() => {});
});

const zone = document.querySelector('[data-device-zone]');
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && [...zone.options].some((option) => option.value === here)) zone.value = here;

prepare();
document.addEventListener('larder:shown', prepare);
