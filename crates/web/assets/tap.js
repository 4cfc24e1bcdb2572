// The page of a tag: takes one when somebody has come to look, and lets them take more or put some back.
// Every tap has a nonce, so that sending it again, after a lost answer or a reload, changes nothing.
const main = document.querySelector("main");
const words = main.dataset;
const [message, left, low] = ["message", "left", "low"].map((id) => document.getElementById(id));
const storageKey = `larder ${location.pathname}`;
// The server knows a nonce for a day. An older tap is forgotten here first, and never sent twice.
const remembered = 20 * 3_600_000;

// Taps in their order: { delta, nonce, at }.
let unsent = [];
// The latest that was answered, to show its result again after a reload.
let last = null;
let sending = false;
let failures = 0;
let timer;

// Storage can be full or forbidden. Then a reload shows the page without taking, and that is all.
const keep = () => {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ unsent, last }));
  } catch {}
};

const recall = () => {
  const isFresh = (tap) => tap && Date.now() - tap.at < remembered;
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey));
    return { unsent: kept.unsent.filter(isFresh), last: isFresh(kept.last) ? kept.last : null };
  } catch {
    return { unsent: [], last: null };
  }
};

// The time and then chance, as the server's own. Not randomUUID: that exists only where the page came over TLS.
const hex = (number, digits) => number.toString(16).padStart(digits, "0");
const newNonce = () =>
  crypto.getRandomValues(new Uint8Array(10)).reduce((all, byte) => all + hex(byte, 2), hex(Date.now(), 12));

const say = (text, isBad) => {
  message.textContent = text;
  message.classList.toggle("bad", isBad);
};

// Units of Latin letters stand apart from their number, as on the server.
const amount = (number, unit) => `${number}${/^[\x20-\x7e]/.test(unit) ? " " : ""}${unit}`;

const show = (tap, answer, body) => {
  if (!answer.ok) return say(body.detail || body.title, true);
  say(body.message, false);
  // A result from before the page says what was left then; the page says what is left now.
  if (answer.headers.get("Idempotent-Replayed") && tap.at < performance.timeOrigin) return;
  const { quantity, unit } = body;
  left.textContent = quantity ? words.left.replace("{}", () => amount(quantity, unit)) : words.usedUp;
  low.hidden = !body.lowStock || !quantity;
};

const post = async ({ delta, nonce }) => {
  const answer = await fetch(words.action, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ delta, nonce }),
    signal: AbortSignal.timeout(15_000),
  });
  return { answer, body: await answer.json() };
};

const retryLater = (answer) => {
  failures += 1;
  say(answer ? words.busy : words.offline, true);
  const asked = Number(answer?.headers.get("Retry-After")) || 0;
  timer = setTimeout(send, 1000 * Math.max(asked, Math.min(30, 2 ** failures)));
};

// Sends what is unsent, one after the other; what fails is sent again with its own nonce.
const send = async () => {
  if (sending || !unsent.length) return;
  clearTimeout(timer);
  sending = true;
  const { answer, body } = await post(unsent[0]).catch(() => ({}));
  sending = false;
  if (!answer || answer.status === 429 || answer.status >= 500) return retryLater(answer);
  failures = 0;
  last = unsent.shift();
  keep();
  show(last, answer, body);
  send();
};

const tap = (delta, nonce) => {
  unsent.push({ delta, nonce, at: Date.now() });
  keep();
  if (failures === 0) say(words.working, false);
  send();
};

const start = () => {
  const [navigation] = performance.getEntriesByType("navigation");
  const isAgain = ["reload", "back_forward"].includes(navigation?.type);
  ({ unsent, last } = recall());
  if (!isAgain) return tap(-1, document.forms[0].elements.nonce.value);
  if (!unsent.length && last) unsent = [last];
  send();
};

// Browsers load pages ahead of whoever may want to see them; nothing is taken before somebody does.
const whenSeen = (run) => {
  const change = document.prerendering ? "prerenderingchange" : document.visibilityState === "hidden" && "visibilitychange";
  if (!change) return run();
  document.addEventListener(change, () => whenSeen(run), { once: true });
};

document.addEventListener("submit", (event) => {
  event.preventDefault();
  tap(Number(event.target.elements.delta.value), newNonce());
});
addEventListener("online", send);
whenSeen(start);
