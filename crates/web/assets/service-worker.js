// Lets Larder open without a signal: keeps what pages are made of, the shopping list and the stock as they were
// while somebody is logged in, and a page that says why there is no other.

// The folder of this version.
const ASSETS = new URL(location.href).searchParams.get('assets');
const SHELL = [
  'app.js', 'copied.js', 'forms.js', 'live.js', 'morph.js', 'outbox.js', 'page.js', 'rows.js', 'shopping.js',
  'shortcuts.js',
  'base.css', 'print.css', 'shopping.css', 'icon.svg', 'manifest.webmanifest',
];
// What is shown of a page without a signal.
const COPIES = { '/shopping': '/shopping', '/stock': '/stock/copy' };
const OFFLINE = '/offline';
// So long the network may take before the list is shown as it was, and so old a copy may become.
const PATIENCE = 3000;
const FRESH = 600000;

const cache = () => caches.open(ASSETS);
const kept = async (key) => (await cache()).match(key, { ignoreVary: true });
const forget = async (...keys) => {
  for (const key of keys) await (await cache()).delete(key);
};

// Whoever is sent elsewhere has no copy, or none any more.
async function keep(key, answer) {
  if (answer.redirected || answer.type === 'opaqueredirect') await forget(key);
  else if (answer.ok) await (await cache()).put(key, answer.clone());
  return answer;
}
async function keepAll() {
  for (const key of Object.values(COPIES)) {
    const copy = await kept(key);
    const isFresh = copy && Date.now() - Date.parse(copy.headers.get('date')) < FRESH;
    if (!isFresh) await fetch(key).then((answer) => keep(key, answer)).catch(() => {});
  }
}

addEventListener('install', (event) => event.waitUntil((async () => {
  await (await cache()).addAll([...SHELL.map((name) => ASSETS + name), OFFLINE]);
  await skipWaiting();
})()));

addEventListener('activate', (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name !== ASSETS);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
  await keepAll();
})()));

async function page(event, path) {
  const key = COPIES[path];
  const copy = key && await kept(key);
  const network = fetch(event.request).then(async (answer) => {
    if (key === path) return keep(key, answer);
    if (path === '/login') await forget(...Object.values(COPIES));
    // Whoever has just logged in has seen nothing on this device.
    else if (answer.ok) event.waitUntil(keepAll());
    return answer;
  }).catch(async () => copy || await kept(OFFLINE) || Response.error());
  event.waitUntil(network);
  if (!copy || key !== path) return network;
  return Promise.race([network, new Promise((resolve) => setTimeout(resolve, PATIENCE, copy))]);
}

addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== location.origin) return;
  if (pathname.startsWith(ASSETS)) event.respondWith(kept(url).then((found) => found ?? fetch(event.request)));
  else if (mode === 'navigate') event.respondWith(page(event, pathname));
  // The page reads itself again after every change, or some of its rows.
  else if (COPIES[pathname] === pathname && !event.request.headers.has('x-larder-rows')) {
    event.respondWith(fetch(event.request).then((answer) => keep(pathname, answer)));
  }
});
