// Browsers that load a page before somebody wants to see it take nothing.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch, newPhone, openAlone, says } from "../support/browser.mjs";
import { Larder } from "../support/larder.mjs";
import { Proxy } from "../support/proxy.mjs";

let larder, browser;

before(async () => {
  [larder, browser] = await Promise.all([Larder.start(), launch()]);
});
after(() => Promise.all([browser.close(), larder.stop()]));

const speculating = (how, path) =>
  `<!DOCTYPE html><title>Links</title><a href="${path}">A tag</a>
   <script type="speculationrules">
     {"${how}": [{"source": "list", "urls": ["${path}"], "eagerness": "immediate"}]}
   </script>`;

const isAhead = (shelf) => (request) =>
  request.path === shelf.path && request.purpose.startsWith("prefetch");

const isTap = ({ method }) => method === "POST";

test("a prefetch takes nothing and counts for nothing until somebody looks", async () => {
  const shelf = await larder.shelf();
  const links = speculating("prefetch", shelf.path);
  const proxy = await Proxy.before(larder.origin, { "/links": links });
  const phone = await newPhone(browser);
  await phone.page.goto(`${proxy.origin}/links`);
  await proxy.until(isAhead(shelf));
  assert.equal(await shelf.visits(), 0);
  assert.equal(await shelf.left(), 6);
  await phone.page.getByText("A tag").click();
  await says(phone.page, "Took 1個.");
  assert.equal(await shelf.left(), 5);
  assert.equal(proxy.seen.filter(isTap).length, 1);
  await phone.close();
  await proxy.stop();
});

// Drivers turn prerendering off, so this page goes on by itself, as soon as the test lets it.
test("a prerendered page runs its script, and takes nothing until somebody looks", async () => {
  const shelf = await larder.shelf();
  let look;
  const proxy = await Proxy.before(larder.origin, {
    "/links":
      speculating("prerender", shelf.path) +
      `<script>fetch("/look").then(() => document.querySelector("a").click())</script>`,
    "/look": new Promise((resolve) => (look = resolve)),
  });
  const alone = await openAlone(`${proxy.origin}/links`);
  await proxy.until(isAhead(shelf));
  await proxy.until(({ path }) => path.startsWith("/tap.js"));
  assert.equal(await shelf.visits(), 0);
  assert.equal(await shelf.left(), 6);
  assert.equal(proxy.seen.filter(isTap).length, 0);
  look("now");
  await proxy.until((request) => isTap(request) && request.status === 200);
  await alone.close();
  const loads = proxy.seen.filter(({ path }) => path === shelf.path);
  assert.equal(loads.length, 1, "what was prerendered is what was looked at");
  assert.equal(proxy.seen.filter(isTap).length, 1);
  await proxy.stop();
  assert.equal(await shelf.left(), 5);
});

test("a page that nobody sees waits until somebody does", async () => {
  const shelf = await larder.shelf();
  const phone = await newPhone(browser);
  await phone.context.addInitScript(() => {
    let state = "hidden";
    Object.defineProperty(document, "visibilityState", { get: () => state });
    globalThis.look = () => {
      state = "visible";
      document.dispatchEvent(new Event("visibilitychange"));
    };
  });
  await phone.page.goto(shelf.url, { waitUntil: "networkidle" });
  assert.equal(await shelf.left(), 6);
  await phone.page.evaluate(() => globalThis.look());
  await says(phone.page, "Took 1個.");
  assert.equal(await shelf.left(), 5);
  await phone.close();
});
