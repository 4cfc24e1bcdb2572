// Writes a tag's address to an NFC tag where the browser can (Web NFC).

// Styles show what to do. On the root, which no reading of the page replaces.
if ('NDEFReader' in window) document.documentElement.classList.add('has-nfc');

let writing = null;

async function write(box) {
  const [start, cancel] = box.querySelectorAll('button');
  const say = (text) => { box.querySelector('[role=status]').textContent = text; };
  const isWriting = (is) => { start.disabled = is; cancel.hidden = !is; };
  const words = box.dataset;
  writing = new AbortController();
  isWriting(true);
  say(words.waiting);
  try {
    const records = [{ recordType: 'url', data: words.url }];
    await new NDEFReader().write({ records }, { signal: writing.signal });
    say(words.written);
  } catch (error) {
    // There are words for each name: NotAllowedError is said by data-not-allowed-error.
    say(words[error.name[0].toLowerCase() + error.name.slice(1)] ?? words.failed);
  } finally {
    isWriting(false);
    start.focus();
  }
}

addEventListener('click', ({ target }) => {
  const action = target.closest('[data-nfc]')?.dataset.nfc;
  if (action === 'write') write(document.getElementById('nfc'));
  else if (action === 'cancel') writing?.abort();
});
