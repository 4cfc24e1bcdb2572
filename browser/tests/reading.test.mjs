// Whoever reads it: in their language, in light and dark, with a screen reader, a keyboard, or a small screen.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch, newPhone, picture, says, violations } from "../support/browser.mjs";
import { Larder } from "../support/larder.mjs";

let larder, browser;

before(async () => {
  [larder, browser] = await Promise.all([Larder.start(), launch()]);
});
after(() => Promise.all([browser.close(), larder.stop()]));

test("a Japanese phone is spoken to in Japanese", async () => {
  const shelf = await larder.shelf({ name: "卵", quantity: 3, threshold: 3 });
  const phone = await newPhone(browser, { locale: "ja-JP" });
  await phone.page.goto(shelf.url);
  await says(phone.page, "1個取り出しました。");
  assert.equal(await phone.page.textContent("#left"), "残り2個");
  await phone.page.getByText("残りわずかです").waitFor();
  assert.equal(await phone.page.getAttribute("html", "lang"), "ja");
  await picture(phone.page, "japanese");
  await phone.context.setOffline(true);
  await phone.page.getByRole("button", { name: "1個戻す" }).click();
  await says(phone.page, "オフラインです。自動的に再試行します。");
  await phone.close();
});

for (const colorScheme of ["light", "dark"]) {
  test(`nothing stands in anybody's way in ${colorScheme}`, async () => {
    const shelf = await larder.shelf({ name: "Brown rice", quantity: 2, unit: "kg", threshold: 2 });
    const phone = await newPhone(browser, { colorScheme });
    await phone.page.goto(shelf.url);
    await says(phone.page, "Took 1 kg.");
    const ground = await phone.page.evaluate(
      () => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number)[0],
    );
    assert.equal(ground < 128, colorScheme === "dark");
    assert.deepEqual(await violations(phone.page), []);
    await picture(phone.page, `tap-${colorScheme}`);
    await phone.context.setOffline(true);
    await phone.page.getByRole("button", { name: "Take" }).click();
    await says(phone.page, "You are offline, will retry.");
    assert.deepEqual(await violations(phone.page), []);
    await picture(phone.page, `offline-${colorScheme}`);
    await phone.context.setOffline(false);
    await says(phone.page, "Took 1 kg, which was the last.");

    await phone.page.goto(`${larder.origin}/t/0000000000000000000000`);
    await phone.page.getByRole("heading", { name: "Unknown tag" }).waitFor();
    assert.deepEqual(await violations(phone.page), []);
    await picture(phone.page, `unknown-${colorScheme}`);
    await phone.close();
  });
}

test("replaced tags and deleted items have pages that say so", async () => {
  const [replaced, deleted] = [await larder.shelf(), await larder.shelf()];
  await replaced.rotate();
  await deleted.remove();
  const phone = await newPhone(browser);
  for (const [url, heading] of [
    [replaced.url, "This tag was replaced"],
    [deleted.url, "This item is gone"],
  ]) {
    assert.equal((await phone.page.goto(url)).status(), 410);
    await phone.page.getByRole("heading", { name: heading }).waitFor();
    assert.deepEqual(await violations(phone.page), []);
  }
  await phone.close();
});

test("the result is announced, and the buttons are large and reached by keyboard", async () => {
  const shelf = await larder.shelf();
  const phone = await newPhone(browser);
  await phone.page.goto(shelf.url);
  await says(phone.page, "Took 1個.");
  const status = phone.page.getByRole("status");
  assert.match(await status.textContent(), /Took 1個\.\s+5個 left/);
  for (const name of ["Take 1個", "Put back 1個"]) {
    const button = phone.page.getByRole("button", { name });
    const { width, height } = await button.boundingBox();
    assert.ok(width >= 48 && height >= 48, `${name}: ${width} × ${height}`);
    await phone.page.keyboard.press("Tab");
    assert.ok(await button.evaluate((button) => button === document.activeElement));
    const outline = await button.evaluate((button) => getComputedStyle(button).outlineWidth);
    assert.equal(outline, "3px");
  }
  await phone.page.keyboard.press("Enter");
  await says(phone.page, "Put back 1個.");
  assert.equal(await shelf.left(), 6);
  await phone.close();
});

test("the smallest screen and the longest name fit without scrolling sideways", async () => {
  const name = "W".repeat(180);
  const shelf = await larder.shelf({ name, quantity: 99999999.99, unit: "M".repeat(20) });
  const phone = await newPhone(browser, { viewport: { width: 320, height: 568 } });
  await phone.page.goto(shelf.url);
  await says(phone.page, "Took 1");
  const [scroll, client] = await phone.page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth];
  });
  assert.ok(scroll <= client, `${scroll} > ${client}`);
  await picture(phone.page, "longest");
  await phone.close();
});
