// Makes one element look like another with as few changes as possible. What is typed, chosen or open stays.

const CONTROLS = 'input, textarea, select';
const isControl = (node) => node.matches?.(CONTROLS);
const isCheck = ({ type }) => type === 'checkbox' || type === 'radio';

// Whether a control holds something that did not come from the server.
function isTouched(control) {
  if (control.type === 'hidden') return false;
  if (isCheck(control)) return control.checked !== control.defaultChecked;
  if (control.tagName === 'SELECT') {
    const options = [...control.options];
    return options[control.selectedIndex] !== (options.find((option) => option.defaultSelected) ?? options[0]);
  }
  return control === document.activeElement || control.value !== control.defaultValue;
}

const holdsWork = (node) =>
  node.nodeType === 1 && [node, ...node.querySelectorAll(CONTROLS)].some((one) => isControl(one) && isTouched(one));

function copyAttributes(old, fresh) {
  // What is open is the reader's affair, and what is being sent is not sent twice.
  const others = (element) => [...element.attributes].filter(({ name }) => !['open', 'aria-busy'].includes(name));
  for (const { name } of others(old)) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of others(fresh)) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}

function morphControl(old, fresh) {
  copyAttributes(old, fresh);
  if (isCheck(old)) old.checked = fresh.defaultChecked;
  else if (old.tagName === 'SELECT') {
    old.replaceChildren(...document.importNode(fresh, true).childNodes);
    // Options that leave their list one by one have all been selected.
    old.selectedIndex = Math.max(0, [...old.options].findIndex((option) => option.defaultSelected));
  }
  else if (old.tagName === 'TEXTAREA') old.value = old.defaultValue = fresh.defaultValue;
  else old.value = fresh.getAttribute('value') ?? '';
}

const isAlike = (old, fresh) =>
  old.nodeType === fresh.nodeType && old.nodeName === fresh.nodeName && !old.id && !fresh.id;

function morphChildren(old, fresh) {
  const byId = new Map([...old.children].filter((child) => child.id).map((child) => [child.id, child]));
  const wantedIds = new Set([...fresh.children].map((child) => child.id));
  let at = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    // What is kept although it is gone stays where it was. A space too many would have all that follows moved.
    for (let next; at; at = next) {
      next = at.nextSibling;
      if (at.nodeType === 3 && wanted.nodeType === 1) at.remove();
      else if (!at.dataset?.keep || wantedIds.has(at.id)) break;
    }
    const match = (wanted.id && byId.get(wanted.id)) || (at && isAlike(at, wanted) ? at : null);
    if (!match) {
      old.insertBefore(document.importNode(wanted, true), at);
      continue;
    }
    if (match === at) at = at.nextSibling;
    else (old.moveBefore ?? old.insertBefore).call(old, match, at);
    morph(match, wanted);
  }
  while (at) {
    const next = at.nextSibling;
    const { keep, goes } = at.dataset ?? {};
    if (goes || !keep && !holdsWork(at)) at.remove();
    at = next;
  }
}

export function morph(old, fresh) {
  if (old.nodeType !== 1) {
    if (old.data !== fresh.data) old.data = fresh.data;
  } else if (old.dataset.keep !== undefined && fresh.dataset.keep !== 'new') {
    // A module looks after it, or its reader.
  } else if (isControl(old)) {
    if (!isTouched(old)) morphControl(old, fresh);
  } else if (!old.isEqualNode(fresh)) {
    copyAttributes(old, fresh);
    morphChildren(old, fresh);
  }
}
