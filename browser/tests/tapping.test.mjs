// What happens when somebody holds a phone to a tag.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch, newPhone, plainHost, says } from "../support/browser.mjs";
import { Larder } from "../support/larder.mjs";

let larder, browser;

before(async () => {
  [larder, browser] = await Promise.all([Larder.start(), launch()]);
});
after(() => Promise.all([browser.close(), larder.stop()]));

test("a tap takes one and says so, with three requests in all", async () => {
  const shelf = await larder.shelf();
  const phone = await newPhone(browser);
  const requests = [];
  phone.page.on("request", (request) => requests.push(request));
  await phone.page.goto(shelf.url);
  await says(phone.page, "Took 1個.");
  assert.equal(await phone.page.textContent("#left"), "5個 left");
  assert.equal(await phone.page.textContent("h1"), shelf.item.name);
  assert.equal(await shelf.left(), 5);
  const kinds = requests.map((request) => `${request.method()} ${request.resourceType()}`);
  assert.deepEqual(kinds, ["GET document", "GET script", "POST fetch"]);
  assert.ok(requests.every((request) => request.url().startsWith(larder.origin)));
  assert.equal(await shelf.visits(), 1);
  await phone.close();
});

test("a reload changes nothing, and neither does going back", async () => {
  const shelf = await larder.shelf();
  const phone = await newPhone(browser);
  await phone.page.goto(shelf.url);
  await says(phone.page, "Took 1個.");
  for (const again of [
    () => phone.page.reload(),
    () => phone.page.goto("about:blank").then(() => phone.page.goBack()),
  ]) {
    const answered = phone.page.waitForResponse(/adjust$/);
    await again();
    assert.equal((await answered).headers()["idempotent-replayed"], "true");
    await says(phone.page, "Took 1個.");
    assert.equal(await phone.page.textContent("#left"), "5個 left");
    assert.equal(await shelf.left(), 5);
  }
  await phone.close();
});

test("a reload shows what is left now, and not what was", async () => {
  const shelf = await larder.shelf();
  const phone = await newPhone(browser);
  await phone.page.goto(shelf.url);
  await says(phone.page, "Took 1個.");
  await larder.call("POST", `/inventory/items/${shelf.item.id}/adjust`, { delta: -3 });
  await phone.page.reload();
  await says(phone.page, "Took 1個.");
  assert.equal(await phone.page.textContent("#left"), "2個 left");
  await phone.close();
});

test("holding the phone to the tag again takes another", async () => {
  const shelf = await larder.shelf();
  const phone = await newPhone(browser);
  for (const left of [5, 4]) {
    await phone.page.goto(shelf.url);
    await says(phone.page, "Took 1個.");
    assert.equal(await shelf.left(), left);
  }
  await phone.close();
});

test("the buttons put back and take by the tag's step", async () => {
  const shelf = await larder.shelf({ name: "Rice", quantity: 2, unit: "kg", step: 0.25 });
  const phone = await newPhone(browser);
  await phone.page.goto(shelf.url);
  await says(phone.page, "Took 0.25 kg.");
  await phone.page.getByRole("button", { name: "Put back 0.25 kg" }).click();
  await says(phone.page, "Put back 0.25 kg.");
  assert.equal(await phone.page.textContent("#left"), "2 kg left");
  await phone.page.getByRole("button", { name: "Take 0.25 kg" }).click();
  await says(phone.page, "Took 0.25 kg.");
  assert.equal(await phone.page.textContent("#left"), "1.75 kg left");
  assert.equal(await shelf.left(), 1.75);
  await phone.close();
});

test("ten quick presses are ten taps, in their order", async () => {
  const shelf = await larder.shelf({ quantity: 1 });
  const phone = await newPhone(browser);
  await phone.page.goto(shelf.url);
  await says(phone.page, "Took 1個, which was the last.");
  await phone.page.evaluate(() => {
    const [take, putBack] = document.querySelectorAll("button");
    for (let pressed = 0; pressed < 5; pressed += 1) putBack.click();
    for (let pressed = 0; pressed < 5; pressed += 1) take.click();
  });
  await says(phone.page, "Took 1個, which was the last.");
  await phone.page.locator("#left", { hasText: "0個 left" }).waitFor();
  assert.equal(await shelf.left(), 0);
  await phone.close();
});

test("running low is said when it begins and unsaid when it ends", async () => {
  const shelf = await larder.shelf({ quantity: 3, threshold: 3 });
  const phone = await newPhone(browser);
  await phone.page.goto(shelf.url);
  await phone.page.getByText("Running low").waitFor();
  await phone.page.getByRole("button", { name: "Put back" }).click();
  await phone.page.getByText("Running low").waitFor({ state: "hidden" });
  await phone.close();
});

test("nothing left is said, and nothing is taken", async () => {
  const shelf = await larder.shelf({ quantity: 0 });
  const phone = await newPhone(browser);
  await phone.page.goto(shelf.url);
  await says(phone.page, "Nothing was left to take.");
  assert.equal(await shelf.left(), 0);
  await phone.close();
});

test("a tag that is replaced while its page is open says so", async () => {
  const shelf = await larder.shelf();
  const phone = await newPhone(browser);
  await phone.page.goto(shelf.url);
  await says(phone.page, "Took 1個.");
  await shelf.rotate();
  await phone.page.getByRole("button", { name: "Take" }).click();
  await says(phone.page, "It does not work any more.");
  assert.equal(await shelf.left(), 5);
  await phone.close();
});

test("it works over plain HTTP, as most homes have it", async () => {
  const shelf = await larder.shelf();
  const phone = await newPhone(browser);
  await phone.page.goto(shelf.url.replace("127.0.0.1", plainHost));
  assert.equal(await phone.page.evaluate(() => isSecureContext), false);
  await says(phone.page, "Took 1個.");
  await phone.page.getByRole("button", { name: "Put back" }).click();
  await says(phone.page, "Put back 1個.");
  assert.equal(await shelf.left(), 6);
  await phone.close();
});

test("without script the buttons do it, and a reload changes nothing", async () => {
  const shelf = await larder.shelf();
  const phone = await newPhone(browser, { javaScriptEnabled: false });
  await phone.page.goto(shelf.url);
  await phone.page.getByText("Press − to take one.").waitFor();
  assert.equal(await shelf.left(), 6);
  await phone.page.getByRole("button", { name: "Take" }).click();
  await says(phone.page, "Took 1個.");
  assert.equal(await shelf.left(), 5);
  await phone.page.reload();
  await says(phone.page, "Took 1個.");
  assert.equal(await shelf.left(), 5);
  await phone.page.getByRole("button", { name: "Put back" }).click();
  await says(phone.page, "Put back 1個.");
  assert.equal(await shelf.left(), 6);
  await phone.close();
});
