import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import type { SMTPServerOptions } from "smtp-server";
import { createSmtpMailer } from "../../worker/adapters/bun/messages/smtp-mailer";
import { drainOutbox } from "../../worker/features/notifications/messages.sender";
import { type Outbox, startOutbox } from "../support/api/outbox";
import { startSmtpServer } from "../support/servers/smtp-server";

// Many attempts on a machine of unknown speed.
setDefaultTimeout(240_000);

let outbox: Outbox;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  outbox = await startOutbox();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await outbox.stop();
});

async function smtp(options: SMTPServerOptions = {}) {
  const server = await startSmtpServer(options);
  closing.push(server.close);
  return server;
}

const processFor = (url: string, times: { deliveryMs?: number; answerMs?: number } = {}) =>
  outbox.process({ mailer: createSmtpMailer({ url, ...times }) });

const answering = (code: number) => Object.assign(new Error(`said ${code}`), { responseCode: code });

async function later(seconds: number, process: Awaited<ReturnType<typeof processFor>>) {
  outbox.clock.advance(seconds);
  await drainOutbox(process);
}

test("a mail arrives once, with one recipient, both parts and its own Message-ID", async () => {
  const server = await smtp();
  const process = await processFor(server.url);
  await outbox.queue(["grace@example.com"]);
  await drainOutbox(process);
  await later(3600, process);
  const [mail, ...others] = await server.received();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ recipients: ["grace@example.com"], subject: "Your password was changed" });
  expect(mail?.text).toContain("grace@example.com");
  expect(mail?.html).toContain("<h1");
  expect(mail?.messageId).toMatch(/^<notification-1-\w+@docs\.example\.com>$/);
});

test.each([421, 450])("a recipient rejected with %d is retried and then gets the mail", async (code) => {
  let rejecting = true;
  const server = await smtp({
    onRcptTo: (_address, _session, done) => done(rejecting ? answering(code) : null),
  });
  const process = await processFor(server.url);
  await outbox.queue(["grace@example.com"]);
  await drainOutbox(process);
  expect(await outbox.rows()).toMatchObject([
    { status: "queued", attempts: 1, last_error: expect.stringContaining(String(code)) },
  ]);
  rejecting = false;
  await later(60, process);
  expect(await outbox.rows()).toMatchObject([{ status: "sent", last_error: null }]);
  expect(await server.received()).toHaveLength(1);
});

test("a recipient rejected with 550 fails immediately, and the reason is stored", async () => {
  const server = await smtp({ onRcptTo: (_address, _session, done) => done(answering(550)) });
  const process = await processFor(server.url);
  await outbox.queue(["grace@example.com"]);
  await drainOutbox(process);
  await later(3600, process);
  expect(await outbox.rows()).toMatchObject([
    { status: "failed", attempts: 1, last_error: expect.stringContaining("550") },
  ]);
});

test("while the server is down nothing is lost; after it is back everything arrives within a minute", async () => {
  const gone = await startSmtpServer();
  await gone.close();
  const process = await processFor(gone.url);
  await outbox.queue(["a@example.com", "b@example.com", "c@example.com"]);
  for (let minute = 0; minute < 30; minute++) await later(60, process);
  expect(await outbox.run("select distinct status from notifications")).toEqual([{ status: "queued" }]);
  const back = await smtp();
  process.mailer = createSmtpMailer({ url: back.url });
  await later(60, process);
  const mails = await back.received();
  expect(mails.map(({ recipients }) => recipients.join()).sort()).toEqual([
    "a@example.com",
    "b@example.com",
    "c@example.com",
  ]);
});

test("a recipient who is deferred after an outage does not hide that the server is up", async () => {
  const gone = await startSmtpServer();
  await gone.close();
  const process = await processFor(gone.url);
  await outbox.queue(["grey@example.com", "a@example.com", "b@example.com"]);
  for (let minute = 0; minute < 30; minute++) await later(60, process);
  const back = await smtp({
    onRcptTo: ({ address }, _session, done) => done(address.startsWith("grey") ? answering(450) : null),
  });
  process.mailer = createSmtpMailer({ url: back.url });
  await later(60, process);
  const mails = await back.received();
  expect(mails.map(({ recipients }) => recipients.join()).sort()).toEqual(["a@example.com", "b@example.com"]);
});

test("a server that answers late to DATA gets one copy", async () => {
  let taken = 0;
  const server = await smtp({
    onData(stream, _session, done) {
      stream.resume().on("end", () => {
        taken += 1;
        setTimeout(done, 2000);
      });
    },
  });
  const process = await processFor(server.url, { deliveryMs: 1000 });
  await outbox.queue(["grace@example.com"]);
  await drainOutbox(process);
  expect(await outbox.rows()).toMatchObject([{ status: "sent", attempts: 1 }]);
  expect(taken).toBe(1);
});

test("a silent server times out and does not block other mails", async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket)).listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : 0;
  const process = await processFor(`smtp://127.0.0.1:${port}`, { deliveryMs: 100 });
  await outbox.queue(Array.from({ length: 20 }, (_, index) => `a${index}@example.com`));
  // Without its own deadline it would outlast the test's.
  await drainOutbox(process);
  expect(await outbox.run("select distinct status, attempts from notifications")).toEqual([
    { status: "queued", attempts: 1 },
  ]);
});

test("a connection that breaks after DATA causes at most one duplicate, with the same Message-ID", async () => {
  const ids: string[] = [];
  let connection: Socket | undefined;
  let cut = true;
  const server = await smtp({
    onData(stream, _session, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => {
        text += chunk;
      });
      stream.on("end", () => {
        ids.push(/^Message-ID: (.*)$/im.exec(text)?.[1] ?? "");
        if (cut) connection?.destroy();
        else done();
      });
    },
  });
  server.onConnection((socket) => {
    connection = socket;
  });
  const process = await processFor(server.url);
  await outbox.queue(["grace@example.com"]);
  await drainOutbox(process);
  cut = false;
  await later(60, process);
  await later(3600, process);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(await outbox.rows()).toMatchObject([{ status: "sent", attempts: 2 }]);
});

test("a server that always disconnects after DATA gets a mail at most twice", async () => {
  let connection: Socket | undefined;
  let taken = 0;
  const server = await smtp({
    onData(stream) {
      stream.resume().on("end", () => {
        taken += 1;
        connection?.destroy();
      });
    },
  });
  server.onConnection((socket) => {
    connection = socket;
  });
  const process = await processFor(server.url);
  await outbox.queue(["grace@example.com"]);
  for (let hour = 0; hour < 10; hour++) await later(3600, process);
  expect(taken).toBe(2);
  expect(await outbox.rows()).toMatchObject([{ status: "failed", attempts: 2 }]);
});
