// Lets Larder open without a signal: keeps what pages are made of, the shopping list as it was last seen while
// somebody is logged in, and a page that says why there is no other.

// The folder of this version.
const ASSETS = new URL(location.href).searchParams.get('assets');
const SHELL = [
  'app.js', 'forms.js', 'live.js', 'morph.js', 'outbox.js', 'page.js', 'shopping.js',
  'base.css', 'print.css', 'shopping.css', 'icon.svg', 'manifest.webmanifest',
];
const LIST = '/shopping';
const OFFLINE = '/offline';
// So long the network may take before the list is shown as it was.
const PATIENCE = 3000;

const cache = () => caches.open(ASSETS);
const kept = async (key) => (await cache()).match(key, { ignoreVary: true });
const forget = async () => (await cache()).delete(LIST);

// Whoever is sent elsewhere has no list, or none any more.
async function keep(answer) {
  if (answer.redirected || answer.type === 'opaqueredirect') await forget();
  else if (answer.ok) await (await cache()).put(LIST, answer.clone());
  return answer;
}
const keepList = () => fetch(LIST).then(keep).catch(() => {});

addEventListener('install', (event) => event.waitUntil((async () => {
  await (await cache()).addAll([...SHELL.map((name) => ASSETS + name), OFFLINE]);
  await skipWaiting();
})()));

addEventListener('activate', (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name !== ASSETS);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
  await keepList();
})()));

async function page(event, path) {
  const list = path === LIST && await kept(LIST);
  const network = fetch(event.request).then(async (answer) => {
    if (path === LIST) return keep(answer);
    if (path === '/login') await forget();
    // Whoever has just logged in has not seen the list on this device.
    else if (answer.ok && !await kept(LIST)) event.waitUntil(keepList());
    return answer;
  }).catch(async () => list || await kept(OFFLINE) || Response.error());
  event.waitUntil(network);
  return list ? Promise.race([network, new Promise((resolve) => setTimeout(resolve, PATIENCE, list))]) : network;
}

addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== location.origin) return;
  if (pathname.startsWith(ASSETS)) event.respondWith(kept(url).then((found) => found ?? fetch(event.request)));
  else if (mode === 'navigate') event.respondWith(page(event, pathname));
  // The page reads itself again after every change.
  else if (pathname === LIST) event.respondWith(fetch(event.request).then(keep));
});
