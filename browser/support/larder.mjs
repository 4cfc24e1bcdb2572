// The real binary on a fresh store, and what an admin does before somebody taps.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const binary =
  process.env.LARDER_BINARY ?? new URL("../../target/debug/larder", import.meta.url).pathname;

export class Larder {
  static async start() {
    const directory = await mkdtemp(join(tmpdir(), "larder-browser-"));
    const child = spawn(binary, ["serve", "--listen", "127.0.0.1:0", "--store", "data"], {
      cwd: directory,
      env: { PATH: process.env.PATH, LARDER_LOG: "json", LARDER_RATE_LIMITS: "off" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const lines = createInterface({ input: child.stderr });
    const [first] = await Promise.race([
      new Promise((resolve) => lines.once("line", (line) => resolve([line]))),
      new Promise((_, reject) => {
        child.once("error", reject);
        child.once("exit", (code) => reject(new Error(`larder ended with ${code}`)));
      }),
    ]);
    const { address } = JSON.parse(first);
    const larder = new Larder(child, directory, `http://${address}`);
    await larder.#furnish();
    return larder;
  }

  constructor(child, directory, origin) {
    Object.assign(this, { child, directory, origin });
  }

  async #furnish() {
    const email = `${randomUUID()}@example.org`;
    const person = { email, password: "a long password for tests", name: "Anna" };
    ({ accessToken: this.token } = await this.call("POST", "/auth/register", person));
    await this.call("POST", "/households", { name: "Home" });
  }

  async stop() {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGTERM");
    await ended;
    await rm(this.directory, { recursive: true });
  }

  // A call of the API as the admin; anything but success fails the test.
  async call(method, path, body) {
    const answer = await fetch(`${this.origin}/api/v1${path}`, {
      method,
      headers: {
        ...(this.token && { Authorization: `Bearer ${this.token}` }),
        ...(body && { "Content-Type": "application/json" }),
      },
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? undefined : answer.json();
  }

  // A new item with a tag, ready to be tapped.
  async shelf({ name = "Eggs", quantity = 6, unit = "個", threshold, step } = {}) {
    const named = `${name} ${randomUUID().slice(0, 8)}`;
    const details = { name: named, quantity, unit, lowStockThreshold: threshold };
    const { item } = await this.call("POST", "/inventory/items", details);
    const tags = `/inventory/items/${item.id}/nfc-urls`;
    const tag = await this.call("POST", tags, { step });
    return {
      item,
      tag,
      path: `/t/${tag.urlId}`,
      url: `${this.origin}/t/${tag.urlId}`,
      left: async () => (await this.call("GET", `/inventory/items/${item.id}`)).quantity,
      rotate: () => this.call("POST", `${tags}/${tag.urlId}/rotate`, {}),
      remove: () => this.call("DELETE", `/inventory/items/${item.id}`),
      visits: async () => (await this.call("GET", tags)).items[0].accessCount,
    };
  }
}
