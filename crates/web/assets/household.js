// Passes an invitation on where the browser can, and creates a household in the time zone of its device.

if (navigator.share) document.documentElement.classList.add('can-share');

addEventListener('click', (event) => {
  const { share, text } = event.target.closest('[data-share]')?.dataset ?? {};
  if (share) navigator.share({ title: text, text, url: share }).catch(() => {});
});

// Browsers call some zones by an old name: Asia/Calcutta is Asia/Kolkata.
const { timeZone: here } = Intl.DateTimeFormat().resolvedOptions();
const isHere = ({ value: timeZone }) => {
  try {
    return Intl.DateTimeFormat([], { timeZone }).resolvedOptions().timeZone === here;
  } catch {
    return false;
  }
};
const zones = [...document.querySelectorAll('[data-device-zone] option')];
const zone = zones.find(({ value }) => value === here) ?? zones.find(isHere);
if (zone) zone.selected = true;
