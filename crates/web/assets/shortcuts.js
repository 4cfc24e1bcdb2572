// Keys for people with a keyboard: what they lead to is on the page already, or is a page of its own.
const keys = {
  '/': ['search', '/search'],
  n: ['add-name', '/stock#add-name'],
  '?': ['', '/shortcuts'],
};

addEventListener('keydown', (event) => {
  const { key, target } = event;
  const isTyping = target.closest('input, select, textarea, [contenteditable]');
  if (!keys[key] || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!document.body.dataset.live) return;
  event.preventDefault();
  const [id, page] = keys[key];
  if (!focusOn(id)) location.assign(page);
});

function focusOn(id) {
  const field = document.getElementById(id);
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
  return field;
}

if (location.hash === '#add-name') focusOn('add-name');
