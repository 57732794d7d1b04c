import { expect, test } from "bun:test";
import { connect, sleep } from "bun";
import { listen } from "../../worker/adapters/bun/listen";
import { createMemoryLogger } from "../support/memory/memory-logger";

const LARGE = JSON.stringify("x".repeat(8 * 1024 * 1024));
/** More than 64 MB together. */
const READERS = 30;

test("many large reads of one address take turns, and what it does not take is bounded", async () => {
  let [running, most] = [0, 0];
  const server = listen({ host: "127.0.0.1", port: 0, proxies: 1 }, createMemoryLogger(), () => ({
    async app(request, client) {
      const isLarge = request.url.endsWith("/large");
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (isLarge) client.responseLength = LARGE.length;
      return new Response(isLarge ? LARGE : "{}", { headers: { "Content-Type": "application/json" } });
    },
    site: () => new Response(),
  }));
  const statusFor = async (address: string) =>
    (await fetch(`${server.url}api/small`, { headers: { "X-Forwarded-For": address } })).status;
  const readers = await Promise.all(
    Array.from({ length: READERS }, () =>
      connect({
        hostname: "127.0.0.1",
        port: server.port ?? 0,
        socket: {
          open(socket) {
            socket.pause();
            socket.write(
              `GET /api/large HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 198.51.100.1\r\n\r\n`,
            );
          },
          data() {},
        },
      }),
    ),
  );
  while ((await statusFor("198.51.100.1")) !== 429) await sleep(1);
  expect(await statusFor("198.51.100.2")).toBe(200);
  expect(most).toBeLessThanOrEqual(11);
  for (const reader of readers) reader.terminate();
  while ((await statusFor("198.51.100.1")) !== 200) await sleep(1);
  const whole = await fetch(`${server.url}api/large`);
  expect((await whole.text()) === LARGE).toBe(true);
  await server.stop(true);
});

test.each(["/api/health", "/", "/submit/abc", "/assets/none.js"])(
  "a client that writes thousands of requests for %s at once is disconnected, before they hold up others",
  async (path) => {
    const addresses: string[] = [];
    const server = listen({ host: "127.0.0.1", port: 0, proxies: 0 }, createMemoryLogger(), () => ({
      async app(_, { clientAddress }) {
        addresses.push(clientAddress);
        return new Response();
      },
      site() {
        addresses.push("127.0.0.1");
        return new Response();
      },
    }));
    await new Promise<void>((close) => {
      connect({
        hostname: "127.0.0.1",
        port: server.port ?? 0,
        socket: {
          open(socket) {
            socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(2000));
          },
          data(socket) {
            if (addresses.length === 2000) socket.end();
          },
          close: () => close(),
        },
      });
    });
    expect((await fetch(new URL(path, server.url))).status).toBe(200);
    expect(addresses.length).toBeLessThan(2000);
    // Also of the one that waited while its connection was closed, so that it counts in the limits.
    expect(new Set(addresses)).toEqual(new Set(["127.0.0.1"]));
    await server.stop(true);
  },
);
