// Cupboards are in cellars: what happens when the network comes and goes.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch, newPhone, says } from "../support/browser.mjs";
import { Larder } from "../support/larder.mjs";
import { Proxy } from "../support/proxy.mjs";

let larder, browser;

before(async () => {
  [larder, browser] = await Promise.all([Larder.start(), launch()]);
});
after(() => Promise.all([browser.close(), larder.stop()]));

test("offline is said, and online again the tap is sent once", async () => {
  const shelf = await larder.shelf();
  const phone = await newPhone(browser);
  await phone.page.goto(shelf.url);
  await says(phone.page, "Took 1個.");
  await phone.context.setOffline(true);
  await phone.page.getByRole("button", { name: "Take" }).click();
  await says(phone.page, "You are offline, will retry.");
  assert.equal(await shelf.left(), 5);
  await phone.context.setOffline(false);
  await says(phone.page, "Took 1個.");
  assert.equal(await phone.page.textContent("#left"), "4個 left");
  assert.equal(await shelf.left(), 4);
  await phone.close();
});

test("what was pressed while offline is all sent, in its order", async () => {
  const shelf = await larder.shelf();
  const phone = await newPhone(browser);
  await phone.page.goto(shelf.url);
  await says(phone.page, "Took 1個.");
  await phone.context.setOffline(true);
  for (const name of ["Take", "Take", "Put back"]) {
    await phone.page.getByRole("button", { name }).click();
  }
  await says(phone.page, "You are offline, will retry.");
  await phone.context.setOffline(false);
  await says(phone.page, "Put back 1個.");
  assert.equal(await shelf.left(), 4);
  await phone.close();
});

test("a lost answer is asked for again with the same nonce", async () => {
  const shelf = await larder.shelf();
  const proxy = await Proxy.before(larder.origin);
  proxy.losesNextAnswer = true;
  const phone = await newPhone(browser);
  const nonces = [];
  phone.page.on("request", (request) => {
    if (request.method() === "POST") nonces.push(request.postDataJSON().nonce);
  });
  await phone.page.goto(proxy.origin + shelf.path);
  await says(phone.page, "You are offline, will retry.");
  assert.equal(await shelf.left(), 5, "it had happened");
  await says(phone.page, "Took 1個.");
  assert.equal(await shelf.left(), 5, "and happened once");
  assert.equal(nonces.length, 2);
  assert.equal(nonces[0], nonces[1]);
  await phone.close();
  await proxy.stop();
});

test("a reload before the answer sends the same tap, and once", async () => {
  const shelf = await larder.shelf();
  const phone = await newPhone(browser);
  await phone.page.route(/adjust$/, (route) => route.abort());
  await phone.page.goto(shelf.url);
  await says(phone.page, "You are offline, will retry.");
  await phone.page.unroute(/adjust$/);
  await phone.page.reload();
  await says(phone.page, "Took 1個.");
  assert.equal(await shelf.left(), 5);
  await phone.close();
});

test("a busy server is asked again when it says", async () => {
  const shelf = await larder.shelf();
  const phone = await newPhone(browser);
  await phone.page.route(
    /adjust$/,
    (route) =>
      route.fulfill({
        status: 429,
        headers: { "Retry-After": "1" },
        contentType: "application/problem+json",
        body: JSON.stringify({ title: "Too many requests" }),
      }),
    { times: 1 },
  );
  await phone.page.goto(shelf.url);
  await says(phone.page, "The server is busy, will retry.");
  await says(phone.page, "Took 1個.");
  assert.equal(await shelf.left(), 5);
  await phone.close();
});

test("a tap older than the server remembers is not sent again", async () => {
  const shelf = await larder.shelf();
  const phone = await newPhone(browser);
  await phone.page.goto(shelf.url);
  await says(phone.page, "Took 1個.");
  await phone.page.evaluate(() => {
    const [key] = Object.keys(sessionStorage);
    const kept = JSON.parse(sessionStorage.getItem(key));
    kept.last.at -= 21 * 60 * 60 * 1000;
    sessionStorage.setItem(key, JSON.stringify(kept));
  });
  let posts = 0;
  phone.page.on("request", (request) => (posts += Number(request.method() === "POST")));
  await phone.page.reload({ waitUntil: "networkidle" });
  assert.equal(posts, 0);
  await phone.page.getByText("Press − to take one.").waitFor();
  assert.equal(await shelf.left(), 5);
  await phone.close();
});

test("where nothing can be stored a tap still works, and a reload still takes nothing", async () => {
  const shelf = await larder.shelf();
  const phone = await newPhone(browser);
  await phone.context.addInitScript(() => {
    Object.defineProperty(globalThis, "sessionStorage", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    });
  });
  await phone.page.goto(shelf.url);
  await says(phone.page, "Took 1個.");
  await phone.page.reload({ waitUntil: "networkidle" });
  await phone.page.getByText("Press − to take one.").waitFor();
  assert.equal(await shelf.left(), 5);
  await phone.close();
});
