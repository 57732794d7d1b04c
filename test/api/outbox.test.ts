import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { runBatch } from "../../db/client";
import { gatherSubmissions } from "../../db/queries/digests";
import { claimNotifications } from "../../db/queries/notification-claims";
import { drainOutbox, sendDue } from "../../worker/features/notifications/messages.sender";
import { DeliveryError, type Mail, type Mailer } from "../../worker/ports/mailer";
import { type Outbox, startOutbox } from "../support/api/outbox";
import { createMemoryBackgroundTasks } from "../support/memory/memory-background-tasks";
import { createMemoryMailer } from "../support/memory/memory-mailer";

const HOUR = 3600;
const ANY = { limit: 1, share: 1, running: {}, after: 0, slots: 1 };
/** As on a Worker, with less time. */
const RUN_LIMITS = {
  ...{ attempts: 100, slots: { email: 3, sms: 2 }, batches: 20, afterResponseMs: 50 },
  callsLeft: () => 1000,
};
const addresses = (count: number) => Array.from({ length: count }, (_, index) => `a${index}@example.com`);

// Many attempts on a machine of unknown speed.
setDefaultTimeout(240_000);

let outbox: Outbox;
beforeEach(async () => {
  outbox = await startOutbox();
});
afterEach(async () => {
  await outbox.stop();
});

test("a message is sent once and marked, and its token is deleted", async () => {
  const process = await outbox.process();
  await outbox.queue(["owner@example.com"], { kind: "verification", payload: { token: "secret-token" } });
  await drainOutbox(process);
  await drainOutbox(process);
  expect(outbox.mailer.sent).toHaveLength(1);
  expect(outbox.mailer.sent[0]?.text).toContain("https://docs.example.com/verify/secret-token");
  expect(await outbox.rows()).toMatchObject([
    { status: "sent", attempts: 1, payload: "{}", claimed_by: null },
  ]);
  expect(JSON.stringify(await outbox.rows())).not.toContain("secret-token");
});

test("many processes that drain concurrently send each message exactly once", async () => {
  const mailer = createMemoryMailer();
  const slow: Mailer = {
    async send(mail) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
      await mailer.send(mail);
    },
  };
  const processes = await Promise.all([1, 2, 3].map(() => outbox.process({ mailer: slow })));
  await outbox.queue(addresses(60));
  await Promise.all(
    processes.flatMap((process) => [drainOutbox(process), sendDue(process), sendDue(process)]),
  );
  expect(mailer.sent.map(({ to }) => to).sort()).toEqual(addresses(60).sort());
});

test("where an invocation ends after its response, a request begins to send only for a while, and the schedule goes on", async () => {
  const mailer: Mailer = {
    async send(mail) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      await outbox.mailer.send(mail);
    },
  };
  const process = await outbox.process({ mailer, runLimits: RUN_LIMITS });
  await outbox.queue(addresses(60));
  await sendDue(process);
  expect(outbox.mailer.sent.length).toBeWithin(1, 30);
  await drainOutbox(process);
  expect(outbox.mailer.sent).toHaveLength(60);
});

test("one process never sends more than its share concurrently, however many runs are started", async () => {
  let running = 0;
  let most = 0;
  const share = Promise.withResolvers<void>();
  const mailer: Mailer = {
    async send() {
      running += 1;
      most = Math.max(most, running);
      if (running === 8) share.resolve();
      await share.promise;
      // Time for a ninth attempt, which must not happen.
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
    },
  };
  const process = await outbox.process({ mailer });
  for (const userId of [1, ...(await outbox.addAccounts(3))]) await outbox.queue(addresses(10), { userId });
  await Promise.all(Array.from({ length: 20 }, () => sendDue(process)));
  expect(most).toBe(8);
  expect(await outbox.run("select count(*) as sent from notifications where status = 'sent'")).toEqual([
    { sent: 40 },
  ]);
});

test("where connections are few, one process sends fewer at once, and still not those of one account only", async () => {
  const running = new Set<string>();
  let most = 0;
  let accounts = 0;
  const mailer: Mailer = {
    async send({ to }) {
      running.add(to);
      most = Math.max(most, running.size);
      accounts = Math.max(accounts, new Set([...running].map((address) => address.split("-")[0])).size);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running.delete(to);
    },
  };
  const process = await outbox.process({ mailer, runLimits: { ...RUN_LIMITS, afterResponseMs: 60_000 } });
  for (const userId of [1, ...(await outbox.addAccounts(1))])
    await outbox.queue(
      Array.from({ length: 6 }, (_, index) => `${userId}-${index}@example.com`),
      { userId },
    );
  await sendDue(process);
  expect([most, accounts]).toEqual([3, 2]);
});

test("one account's slow mails take only its share of the slots, and another's is sent at once", async () => {
  const held = Promise.withResolvers<void>();
  const [all, begun] = [Promise.withResolvers<void>(), [] as string[]];
  const sent: string[] = [];
  const mailer: Mailer = {
    async send({ to }: Mail) {
      begun.push(to);
      if (begun.length === 3) all.resolve();
      if (to.startsWith("a")) await held.promise;
      sent.push(to);
    },
  };
  const process = await outbox.process({ mailer });
  const [other = 0] = await outbox.addAccounts(1);
  await outbox.queue(addresses(30));
  const first = sendDue(process);
  await all.promise;
  outbox.clock.advance(1);
  await outbox.queue(["quick@example.com"], { userId: other });
  await sendDue(process);
  expect(sent).toEqual(["quick@example.com"]);
  expect(begun).toHaveLength(4);
  held.resolve();
  await first;
  expect(sent).toHaveLength(31);
});

test("accounts are served in turn, however many messages one of them has", async () => {
  const process = await outbox.process();
  const accounts = [1, ...(await outbox.addAccounts(11))];
  // Each has queued more before the next one, and the slots are fewer than the accounts.
  for (const userId of accounts)
    await outbox.queue(
      Array.from({ length: 20 }, (_, index) => `${userId}-${index}@example.com`),
      { userId },
    );
  await sendDue(process);
  const order = outbox.mailer.sent.map(({ to }) => Number(to.split("-")[0]));
  expect(order).toHaveLength(240);
  // After any number of messages, the accounts differ by the few that are sent concurrently.
  for (let length = 0; length < order.length; length += 1) {
    const counts = accounts.map((id) => order.slice(0, length).filter((account) => account === id).length);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(4);
  }
});

test("a slow mail does not block another", async () => {
  const begun = Promise.withResolvers<void>();
  const unblocked = Promise.withResolvers<void>();
  const sent: string[] = [];
  const mailer: Mailer = {
    async send({ to }: Mail) {
      if (to === "slow@example.com") {
        begun.resolve();
        await unblocked.promise;
      }
      sent.push(to);
    },
  };
  const process = await outbox.process({ mailer });
  await outbox.queue(["slow@example.com"]);
  const first = sendDue(process);
  await begun.promise;
  await outbox.queue(["quick@example.com"]);
  await sendDue(process);
  expect(sent).toEqual(["quick@example.com"]);
  unblocked.resolve();
  await first;
  expect(sent).toEqual(["quick@example.com", "slow@example.com"]);
});

test("attempts have growing intervals; after eight the message fails and its error is stored", async () => {
  const process = await outbox.process();
  outbox.mailer.failWith = new DeliveryError("450 try later", { permanent: false });
  await outbox.queue(["owner@example.com"]);
  const waits: number[] = [];
  for (let tries = 1; tries < 8; tries++) {
    await drainOutbox(process);
    const [row] = await outbox.rows();
    expect(row).toMatchObject({ status: "queued", attempts: tries, last_error: "450 try later" });
    const wait = Date.parse(String(row?.next_attempt_at)) - outbox.clock.now().getTime();
    waits.push(wait / 1000 / 30 / 4 ** (tries - 1));
    outbox.clock.advance(wait / 1000 - 1);
    await drainOutbox(process);
    expect(await outbox.rows()).toMatchObject([{ attempts: tries }]);
    outbox.clock.advance(1);
  }
  await drainOutbox(process);
  expect(await outbox.rows()).toMatchObject([{ status: "failed", attempts: 8, last_error: "450 try later" }]);
  for (const wait of waits) expect(wait).toBeWithin(0.74, 1.26);
  outbox.clock.advance(1000 * HOUR);
  await drainOutbox(process);
  expect(await outbox.rows()).toMatchObject([{ attempts: 8 }]);
});

test("a permanent rejection is not retried, and the token is deleted", async () => {
  const process = await outbox.process();
  outbox.mailer.failWith = new DeliveryError("550 no such user", { permanent: true });
  await outbox.queue(["owner@example.com"], { kind: "password_reset", payload: { token: "secret-token" } });
  await drainOutbox(process);
  expect(await outbox.rows()).toMatchObject([
    { status: "failed", attempts: 1, last_error: "550 no such user", payload: "{}" },
  ]);
});

test("a gateway's Retry-After is respected", async () => {
  const process = await outbox.process();
  outbox.mailer.failWith = new DeliveryError("429", { permanent: false, retryAfterSeconds: 2 * HOUR });
  await outbox.queue(["owner@example.com"]);
  await drainOutbox(process);
  const [row] = await outbox.rows();
  expect(Date.parse(String(row?.next_attempt_at)) - outbox.clock.now().getTime()).toBe(2 * HOUR * 1000);
});

test("a gateway's Retry-After of decades is a day", async () => {
  const process = await outbox.process();
  outbox.mailer.failWith = new DeliveryError("429", { permanent: false, retryAfterSeconds: 2_000_000_000 });
  await outbox.queue(["owner@example.com"]);
  await drainOutbox(process);
  const [row] = await outbox.rows();
  expect(Date.parse(String(row?.next_attempt_at)) - outbox.clock.now().getTime()).toBe(24 * HOUR * 1000);
});

test("messages claimed by a dead process are sent by another, with the same Message-ID", async () => {
  const [dead, alive] = [await outbox.process(), await outbox.process()];
  const ids: string[] = [];
  await outbox.queue(["owner@example.com"]);
  await drainOutbox({
    ...dead,
    mailer: {
      async send(mail) {
        ids.push(mail.messageId);
        // Sent, but never recorded: the process has died.
        await outbox.run("update notifications set claimed_by = 'dead'");
      },
    },
  });
  await drainOutbox(alive);
  expect(outbox.mailer.sent).toEqual([]);
  outbox.clock.advance(200);
  await drainOutbox(alive);
  expect(outbox.mailer.sent.map(({ messageId }) => messageId)).toEqual(ids);
  expect(await outbox.rows()).toMatchObject([{ status: "sent", attempts: 2 }]);
});

test("a message that crashes its process each time fails", async () => {
  const process = await outbox.process();
  await outbox.queue(["owner@example.com"]);
  for (let tries = 0; tries < 8; tries++) {
    const now = outbox.clock.now().toISOString();
    const claim = { claimedBy: `dead${tries}`, channel: "email", now, claimedUntil: now, turn: ANY } as const;
    expect(await claimNotifications(process.db, claim)).toHaveLength(1);
  }
  await drainOutbox(process);
  expect(outbox.mailer.sent).toEqual([]);
  expect(await outbox.rows()).toMatchObject([
    { status: "failed", last_error: "The process stopped during every attempt" },
  ]);
});

test("a database that is busy when a sent message is recorded does not cause a second mail", async () => {
  const process = await outbox.process();
  const { db } = process;
  let failures = 0;
  const busy = new Proxy(db, {
    get(target, name, receiver) {
      if (name === "update" && outbox.mailer.sent.length > 0 && failures++ === 0)
        throw new Error("SQLITE_BUSY: database is locked");
      return Reflect.get(target, name, receiver);
    },
  });
  await outbox.queue(["owner@example.com"]);
  await drainOutbox({ ...process, db: busy });
  expect(failures).toBeGreaterThan(1);
  expect(await outbox.rows()).toMatchObject([{ status: "sent" }]);
  expect(outbox.mailer.sent).toHaveLength(1);
});

test("what waits for a digest is gathered once by any number of processes, and a stale claim gathers nothing", async () => {
  const background = createMemoryBackgroundTasks();
  const [one, two] = [await outbox.process({ background }), await outbox.process({ background })];
  await outbox.run("update users set submission_mails = 'hourly'");
  await outbox.queue(addresses(12), { kind: "submission" });
  const drain = async () => {
    await Promise.all([drainOutbox(one), drainOutbox(two)]);
    await background.drain();
  };
  await drain();
  const held = "select count(*) as held from notifications where status = 'queued' and failure = 'digest'";
  expect(await outbox.run(held)).toEqual([{ held: 12 }]);
  outbox.clock.advance(3600);
  const [{ id } = { id: 0 }] = await outbox.run("select id from notifications limit 1");
  const by = { id: Number(id), claimedBy: "nobody" };
  await runBatch(one.db, gatherSubmissions(one.db, 1, { now: one.clock.now().toISOString(), by }));
  expect(await outbox.run(held)).toEqual([{ held: 12 }]);
  await drain();
  const rows = await outbox.run(
    "select kind, status, count(*) as n from notifications group by kind, status",
  );
  // Without envelopes, nothing is left that the digest could name.
  expect(rows).toEqual([
    { kind: "digest", status: "cancelled", n: 1 },
    { kind: "submission", status: "cancelled", n: 12 },
  ]);
  expect(outbox.mailer.sent).toEqual([]);
});

test("after an outage all queued messages are sent within a minute, and the outage does not count as attempts", async () => {
  const process = await outbox.process();
  outbox.mailer.failWith = new DeliveryError("connection refused", { permanent: false, outage: true });
  await outbox.queue(addresses(20));
  for (let minute = 0; minute < 120; minute++) {
    await drainOutbox(process);
    outbox.clock.advance(60);
  }
  const attempts = await outbox.run("select max(attempts) as most, min(status) as status from notifications");
  expect(attempts).toEqual([{ most: 5, status: "queued" }]);
  outbox.mailer.failWith = null;
  outbox.clock.advance(60);
  await drainOutbox(process);
  expect(outbox.mailer.sent.map(({ to }) => to).sort()).toEqual(addresses(20).sort());
});

test("a server that rejects a message is up: what waited for it is sent, and a deferred one keeps its time", async () => {
  const process = await outbox.process();
  const outage = new DeliveryError("connection refused", { permanent: false, outage: true });
  const deferred = new DeliveryError("450 greylisted", { permanent: false, answered: true });
  outbox.mailer.failWith = deferred;
  await outbox.queue(["deferred@example.com"]);
  await drainOutbox(process);
  const [{ next_attempt_at: due } = {}] = await outbox.rows();
  outbox.mailer.failWith = outage;
  await outbox.queue(addresses(5));
  await drainOutbox(process);
  const mailer: Mailer = {
    async send(mail) {
      if (mail.to === "new@example.com") throw new DeliveryError("550", { permanent: true, answered: true });
      outbox.mailer.failWith = null;
      await outbox.mailer.send(mail);
    },
  };
  await outbox.queue(["new@example.com"]);
  await sendDue({ ...process, mailer });
  expect(outbox.mailer.sent.map(({ to }) => to).sort()).toEqual(addresses(5));
  expect(await outbox.rows()).toMatchObject([
    { status: "queued", attempts: 1, next_attempt_at: due },
    ...addresses(5).map(() => ({ status: "sent", attempts: 1 })),
    { status: "failed" },
  ]);
});

test("restarts and probes use up no attempt, however often the server is down and up again", async () => {
  const mailer: Mailer = {
    async send({ to }) {
      if (to === "deferred@example.com")
        throw new DeliveryError("450 greylisted", { permanent: false, answered: true });
      if (to === "waiting@example.com")
        throw new DeliveryError("connection refused", { permanent: false, outage: true });
    },
  };
  await outbox.queue(["deferred@example.com", "waiting@example.com"]);
  await drainOutbox(await outbox.process({ mailer }));
  for (let restart = 0; restart < 10; restart += 1) {
    const process = await outbox.process({ mailer });
    await drainOutbox(process);
    await outbox.queue(["new@example.com"]);
    await sendDue(process);
  }
  const [deferred, waiting, ...others] = await outbox.rows();
  expect([deferred, waiting]).toMatchObject([
    { status: "queued", attempts: 1 },
    { status: "queued", attempts: 1 },
  ]);
  expect(others.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => "sent"));
});

test("all that waited is sent soon after a second outage too, although others got through between the two", async () => {
  const outage = new DeliveryError("connection refused", { permanent: false, outage: true });
  const isDown = (down: boolean) => {
    outbox.mailer.failWith = down ? outage : null;
  };
  const process = await outbox.process();
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute++) {
      outbox.clock.advance(60);
      await drainOutbox(process);
    }
  };
  await outbox.queue(addresses(50));
  isDown(true);
  await minutes(4);
  let left = 3;
  outbox.mailer.send = async (mail) => {
    if (left-- <= 0) isDown(true);
    if (outbox.mailer.failWith) throw outbox.mailer.failWith;
    outbox.mailer.sent.push(mail);
  };
  isDown(false);
  await minutes(1);
  expect(outbox.mailer.sent).toHaveLength(3);
  await minutes(240);
  left = Number.POSITIVE_INFINITY;
  isDown(false);
  await minutes(5);
  expect(outbox.mailer.sent).toHaveLength(50);
});

test("a message for which the server drops the connection is tried twice among many others, then by its own retries", async () => {
  let tries = 0;
  const mailer: Mailer = {
    async send({ to }) {
      if (to !== "a5@example.com") return;
      tries += 1;
      throw new DeliveryError("Connection closed unexpectedly", { permanent: false, outage: true });
    },
  };
  const process = await outbox.process({ mailer });
  await outbox.queue(addresses(60));
  await drainOutbox(process);
  const others =
    "select status, count(*) as n from notifications where recipient <> 'a5@example.com' group by 1";
  expect(await outbox.run(others)).toEqual([{ status: "sent", n: 59 }]);
  expect(tries).toBe(2);
  for (let minute = 0; minute < 40; minute++) {
    outbox.clock.advance(60);
    await outbox.queue([`later${minute}@example.com`]);
    await drainOutbox(process);
  }
  // After 30 s, 2, 8 and 32 minutes.
  expect(tries).toBeLessThanOrEqual(6);
});

test("a message that may have been delivered is tried once more, however long the outage", async () => {
  const process = await outbox.process();
  let tries = 0;
  const mailer: Mailer = {
    async send() {
      tries += 1;
      throw new DeliveryError("502", {
        permanent: false,
        outage: true,
        unclear: true,
        retryAfterSeconds: 900,
      });
    },
  };
  await outbox.queue(["owner@example.com"]);
  for (let minute = 0; minute < 120; minute++) {
    await drainOutbox({ ...process, mailer });
    outbox.clock.advance(60);
  }
  expect(tries).toBe(2);
  expect(await outbox.rows()).toMatchObject([{ status: "failed", attempts: 2 }]);
});

test("a message that is not due yet is not sent early to try out the channel, nor after an outage", async () => {
  const process = await outbox.process();
  const later = new Date(outbox.clock.now().getTime() + 600_000).toISOString();
  await outbox.queue(["later@example.com"], { nextAttemptAt: later });
  await drainOutbox(process);
  outbox.mailer.failWith = new DeliveryError("connection refused", { permanent: false, outage: true });
  await outbox.queue(["now@example.com"]);
  await drainOutbox(process);
  outbox.mailer.failWith = null;
  await drainOutbox(process);
  expect(outbox.mailer.sent.map(({ to }) => to)).toEqual(["now@example.com"]);
  outbox.clock.advance(600);
  await drainOutbox(process);
  expect(outbox.mailer.sent.map(({ to }) => to)).toEqual(["now@example.com", "later@example.com"]);
});

test("a link that expired while its mail was queued is not sent", async () => {
  const process = await outbox.process();
  await outbox.queue(["owner@example.com"], { kind: "password_reset", payload: { token: "secret-token" } });
  outbox.clock.advance(HOUR);
  await drainOutbox(process);
  expect(outbox.mailer.sent).toEqual([]);
  expect(await outbox.rows()).toMatchObject([{ status: "cancelled", payload: "{}" }]);
});
