import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, sleep } from "bun";
import { listen } from "../../worker/adapters/bun/listen";
import { startBunServer } from "../../worker/bun";
import { readVariables } from "../../worker/config";
import { createMemoryLogger } from "../support/memory/memory-logger";
import { startS3Server } from "../support/servers/s3-server";

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

test("files of an S3 store that one address does not take keep a bounded amount, and others get theirs", async () => {
  const credentials = { accessKeyId: "key-id", secretAccessKey: "secret" };
  const s3 = startS3Server("documents", credentials);
  const folder = await mkdtemp(join(tmpdir(), "doculopes-readers-"));
  const server = await startBunServer(
    readVariables({
      ...{
        DATA_DIR: folder,
        HOST: "127.0.0.1",
        PORT: "0",
        TRUSTED_PROXIES: "1",
        SIGN_UP: "open",
        RATE_LIMITS: "off",
      },
      ...{ S3_ENDPOINT: s3.endpoint, S3_BUCKET: "documents", LOG_LEVEL: "error" },
      ...{ S3_ACCESS_KEY_ID: credentials.accessKeyId, S3_SECRET_ACCESS_KEY: credentials.secretAccessKey },
    }),
    { site: () => new Response() },
  );
  const call = (path: string, init: RequestInit = {}) => fetch(server.url + path, init);
  const json = (body: object) => ({
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", cookie },
  });
  let cookie = "";
  const registered = await call(
    "/api/register",
    json({ email: "a@example.com", password: "a long password" }),
  );
  cookie = registered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const documents = [{ name: "List", required: true, allowedFileTypes: [".csv"] }];
  const envelope = { recipientName: "Rita", recipientEmail: "rita@example.com", subject: "List", documents };
  const { id, submissionToken } = await (await call("/api/requests", json(envelope))).json();
  const list = "Name,Amount\n".repeat(1_700_000);
  const form = new FormData();
  form.append("List", new File([list], "list.csv", { type: "text/csv" }));
  expect((await call(`/api/submissions/${submissionToken}`, { method: "POST", body: form })).status).toBe(
    201,
  );
  const { submissions } = await (await call(`/api/requests/${id}`, { headers: { cookie } })).json();
  const path: string = submissions[0].url;
  const from = (address: string) => ({ headers: { cookie, "X-Forwarded-For": address } });
  const statusFor = async (address: string) => (await call("/api/user", { ...from(address) })).status;

  // Half a mebibyte of each waits: at 129 it is more than 64 MB.
  const readers = await Promise.all(
    Array.from({ length: 129 }, () =>
      connect({
        hostname: "127.0.0.1",
        port: Number(new URL(server.url).port),
        socket: {
          open(socket) {
            socket.pause();
            const lines = [`GET ${path} HTTP/1.1`, "Host: localhost", `Cookie: ${cookie}`];
            socket.write([...lines, "X-Forwarded-For: 198.51.100.1", "", ""].join("\r\n"));
          },
          data() {},
        },
      }),
    ),
  );
  while ((await statusFor("198.51.100.1")) !== 429) await sleep(1);
  const refused = await call(path, from("198.51.100.1"));
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "10"]);
  expect((await (await call(path, from("198.51.100.2"))).text()) === list).toBe(true);
  for (const reader of readers) reader.terminate();
  while ((await statusFor("198.51.100.1")) !== 200) await sleep(1);
  expect((await (await call(path, from("198.51.100.1"))).text()) === list).toBe(true);
  await server.stop();
  await s3.stop();
  await rm(folder, { recursive: true });
}, 60_000);
