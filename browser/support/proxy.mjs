// A proxy before Larder: it adds pages of other sites' making on the same origin, and loses answers.

import { once } from "node:events";
import { createServer, request } from "node:http";

export class Proxy {
  // `pages` are served by the proxy itself, as HTML or as a promise of it; everything else goes on to `origin`.
  static async before(origin, pages = {}) {
    const proxy = new Proxy();
    proxy.seen = [];
    proxy.losesNextAnswer = false;
    proxy.server = createServer(async (asked, answer) => {
      const purpose = asked.headers["sec-purpose"] ?? "";
      const seen = { method: asked.method, path: asked.url, purpose, status: null };
      proxy.seen.push(seen);
      proxy.server.emit("seen");
      if (pages[asked.url]) {
        answer.setHeader("Content-Type", "text/html").end(await pages[asked.url]);
        return;
      }
      const { method, headers } = asked;
      const onward = request(origin + asked.url, { method, headers }, (answered) => {
        seen.status = answered.statusCode;
        proxy.server.emit("seen");
        if (proxy.losesNextAnswer && method === "POST") {
          proxy.losesNextAnswer = false;
          // Cut in the middle: on an answer that never began, browsers ask again by themselves.
          answer.writeHead(answered.statusCode, answered.headers);
          answer.write("{", () => answer.destroy());
          return;
        }
        answer.writeHead(answered.statusCode, answered.headers);
        answered.pipe(answer);
      });
      onward.on("error", () => answer.destroy());
      asked.pipe(onward);
    });
    await new Promise((resolve) => proxy.server.listen(0, "127.0.0.1", resolve));
    proxy.origin = `http://127.0.0.1:${proxy.server.address().port}`;
    return proxy;
  }

  // Waits for a request that the condition accepts; `status` is null until it was answered.
  async until(condition) {
    const signal = AbortSignal.timeout(15_000);
    while (!this.seen.some(condition)) await once(this.server, "seen", { signal });
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }
}
