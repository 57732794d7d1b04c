import { afterAll, expect, test } from "bun:test";
import { getServers, setServers } from "node:dns";
import { udpSocket } from "bun";
import { createWebhookSender } from "../../worker/adapters/bun/webhook-sender";
import { createWebhookSender as createWorkerSender } from "../../worker/adapters/cloudflare/webhook-sender";
import { isPublicAddress } from "../../worker/lib/public-address";
import { startGateway } from "../support/servers/http-gateway";

const receiver = startGateway();
const { port } = new URL(receiver.url);
afterAll(() => receiver.stop());

const message = (url: string) => ({ url, headers: {}, body: "{}" });

test("a name that resolves to a private address is rejected, even if only one of several is private", async () => {
  for (const addresses of [["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["::ffff:169.254.169.254"]]) {
    const sender = createWebhookSender({ allowPrivate: false }, async () => addresses);
    expect(sender.send(message("https://hooks.example.com/"))).rejects.toMatchObject({ reason: "address" });
  }
});

test("the connection uses the checked address, and the name is resolved once", async () => {
  let lookups = 0;
  const resolve = async () => {
    lookups += 1;
    return lookups === 1 ? ["127.0.0.1"] : ["192.0.2.1"];
  };
  const sender = createWebhookSender({ allowPrivate: true }, resolve);
  const { statusCode } = await sender.send(message(`http://hooks.example.com:${port}/in`));
  expect(statusCode).toBe(201);
  expect(lookups).toBe(1);
  expect(receiver.requests.at(-1)?.headers.get("host")).toBe(`hooks.example.com:${port}`);
});

test("a name is resolved and checked again for each message", async () => {
  const responses = [["93.184.216.34"], ["127.0.0.1"]];
  const sender = createWebhookSender({ allowPrivate: false }, async () => responses.pop() ?? []);
  expect(sender.send(message(`https://hooks.example.com:${port}/`))).rejects.toMatchObject({
    reason: "address",
  });
});

test("a receiver that is down, or whose name does not resolve, is unreachable", async () => {
  const nobody = createWebhookSender({ allowPrivate: true }, async () => ["127.0.0.1"]);
  expect(nobody.send(message("http://hooks.example.com:9/"))).rejects.toMatchObject({
    reason: "unreachable",
  });
  const nameless = createWebhookSender({ allowPrivate: true }, () => Promise.reject(new Error("ENOTFOUND")));
  expect(nameless.send(message("http://hooks.example.com/"))).rejects.toMatchObject({
    reason: "unreachable",
  });
});

test("a name that nobody resolves in time is a timeout", async () => {
  const silent = createWebhookSender({ allowPrivate: true, timeoutMs: 20 }, () => new Promise(() => {}));
  await expect(silent.send(message("http://hooks.example.com/"))).rejects.toMatchObject({
    reason: "timeout",
  });
});

test("names that are not resolved wait in no thread that reads files: they are asked for all at once", async () => {
  const before = getServers();
  const names = Array.from({ length: 40 }, (_, index) => `silent${index}.example.com`);
  const asked = new Set<string>();
  const all = Promise.withResolvers<void>();
  const server = await udpSocket({
    hostname: "127.0.0.1",
    socket: {
      data(_, query) {
        const text = query.toString("latin1");
        for (const name of names) if (text.includes(`${name.split(".")[0]}\x07example`)) asked.add(name);
        if (asked.size === names.length) all.resolve();
      },
    },
  });
  setServers([`127.0.0.1:${server.port}`]);
  try {
    const sender = createWebhookSender({ allowPrivate: false });
    for (const name of names) void sender.send(message(`https://${name}/`)).catch(() => {});
    await all.promise;
  } finally {
    setServers(before);
    server.close();
  }
});

test("a Worker rejects private addresses and names in the URL", async () => {
  const sender = createWorkerSender({ allowPrivate: false });
  for (const url of ["https://127.0.0.1/", "https://[::1]/", "https://a.internal/", "http://example.com/"])
    expect(sender.send(message(url))).rejects.toMatchObject({ reason: "address" });
});

test.each([
  ["8.8.8.8", true],
  ["172.15.255.255", true],
  ["172.16.0.0", false],
  ["172.31.255.255", false],
  ["172.32.0.0", true],
  ["100.63.255.255", true],
  ["100.127.255.255", false],
  ["169.254.169.254", false],
  ["198.19.255.255", false],
  ["2606:4700:4700::1111", true],
  ["2001:4860:4860::8888", true],
  ["2001:db8::1", false],
  ["2001::1", false],
  ["3fff::1", false],
  ["2002:7f00:1::", false],
  ["fe80::1%eth0", false],
  ["fc00::1", false],
  ["ff02::1", false],
  ["::", false],
  ["::ffff:8.8.8.8", false],
  ["64:ff9b::808:808", false],
  ["nonsense", false],
])("%s is public: %p", (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});
