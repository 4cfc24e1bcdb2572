// One Chromium for a file of tests, and phones as they hold them.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium } from "playwright-core";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// A host name that is not loopback, so that the page is no secure context: as in most homes.
export const plainHost = "larder.test";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

const args = [
  `--host-resolver-rules=MAP ${plainHost} 127.0.0.1`,
  // Containers have no user namespaces for root; what is opened here is ours.
  ...(process.getuid() === 0 ? ["--no-sandbox"] : []),
];

export const launch = () => chromium.launch({ executablePath, args });

// A Chromium that nobody drives, for what a driver turns off. It opens one page; `close` ends it.
export async function openAlone(url) {
  const profile = await mkdtemp(join(tmpdir(), "larder-chromium-"));
  const alone = [`--user-data-dir=${profile}`, "--headless", "--remote-debugging-port=0", "--no-first-run"];
  // A group of its own: the program is a script that starts the browser, which starts its helpers.
  const child = spawn(executablePath, [...args, ...alone, url], { stdio: "ignore", detached: true });
  return {
    close: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      process.kill(-child.pid, "SIGKILL");
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

// A phone with its own storage; every error of its pages fails the test in `close`.
export async function newPhone(browser, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: "en-GB",
    ...options,
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (line) => {
    // A failed request is what some tests are about; a refused style or script never is.
    if (line.type() === "error" && !/Failed to load resource/.test(line.text())) {
      complaints.push(line.text());
    }
  });
  return {
    context,
    page,
    close: async () => {
      await context.close();
      assert.deepEqual(complaints, []);
    },
  };
}

// Waits until the page says so.
export const says = (page, text) => page.locator("#message", { hasText: text }).waitFor();

// The tree under WCAG 2.1 A and AA as axe sees it. The script is run through the debugger, which the page's policy
// does not bind.
export async function violations(page) {
  await page.evaluate(axe);
  const result = await page.evaluate(() =>
    globalThis.axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
    }),
  );
  return result.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => node.html) }));
}

// Keeps a picture of the page where LARDER_SCREENSHOTS says, for whoever wants to look.
export async function picture(page, name) {
  const directory = process.env.LARDER_SCREENSHOTS;
  if (!directory) return;
  await mkdir(directory, { recursive: true });
  await page.screenshot({ path: join(directory, `${name}.png`) });
}
