import { expect, setSystemTime, test } from "bun:test";
import {
  type Attempt,
  createDeliveryQueue,
  Delivery,
  type Message,
  type Outcome,
} from "../../worker/features/delivery/delivery-queue";
import { createSharedSlots } from "../../worker/features/delivery/shared-slots";
import { createLoopTurns } from "../../worker/lib/turns";
import { createProcessMemory } from "../../worker/process-memory";
import { createMemoryClock } from "../support/memory/memory-clock";
import { createMemoryLogger } from "../support/memory/memory-logger";

const open = () => createDeliveryQueue({ slots: 2, share: 2, claimMs: 1000 });

test("only the first answer after an outage means that the queue works again", () => {
  const state = open();
  const record = (attempt: Attempt) => [state.recordAttempt(attempt), state.isDown()];
  expect(record({ result: "postponed" })).toEqual([false, true]);
  expect(record({ result: "sent" })).toEqual([true, false]);
  expect(record({ result: "sent" })).toEqual([false, false]);
  for (const result of ["outage", "cancelled", "rejected"] as const)
    expect(record({ result })).toEqual([false, true]);
  expect(record({ result: "rejected", answered: true })).toEqual([true, false]);
  expect(record({ result: "rejected" })).toEqual([false, false]);
});

/** A delivery of one message whose attempts end like this, one after another, and what became of it each time. */
function deliver(attempts: (Attempt | Promise<Attempt>)[], { failedClaims = 0, failedRecords = 0 } = {}) {
  const message = { id: 1, userId: 7, claimedBy: "me", attempts: 0 };
  const outcomes: Outcome[] = [];
  let [claims, records] = [0, 0];
  const environment = {
    clock: createMemoryClock(),
    log: createMemoryLogger(),
    memory: createProcessMemory(),
  };
  const delivery = new Delivery<Message, Attempt>(environment, {
    queue: "test",
    name: "message",
    limits: { slots: 1, share: 1, claimMs: 1000 },
    leavesCalls: 0,
    retries: { delays: [10_000, 20_000], givesUp: true, maxRetryAfter: 60_000 },
    async claim() {
      if (claims++ < failedClaims) throw new Error("SQLITE_BUSY: database is locked");
      if (attempts.length === 0) return [];
      const last = outcomes.at(-1);
      return [{ ...message, attempts: (last?.status === "waiting" ? last.attempts : 0) + 1 }];
    },
    send: async () => attempts.shift(),
    async record(_message, _attempt, outcome) {
      if (records++ < failedRecords) throw new Error("SQLITE_BUSY: database is locked");
      outcomes.push(outcome);
    },
    onAnswer: async () => true,
  });
  return { delivery, outcomes, log: environment.log, endsAt: Number.POSITIVE_INFINITY };
}

test("a message that fails waits for each retry and then fails for good", async () => {
  const { delivery, outcomes, endsAt } = deliver([
    { result: "postponed", retryAfterSeconds: 3600 },
    { result: "rejected" },
    { result: "outage", retryAfterSeconds: 40 },
    { result: "rejected" },
  ]);
  await delivery.sendDue(endsAt);
  expect(outcomes).toEqual([
    { status: "waiting", attempts: 0, nextAttemptAt: "2026-03-14T10:26:53.000Z" },
    { status: "waiting", attempts: 1, nextAttemptAt: "2026-03-14T09:27:03.000Z" },
    { status: "waiting", attempts: 2, nextAttemptAt: "2026-03-14T09:27:33.000Z" },
    { status: "failed" },
  ]);
});

test("a probe during an outage does not count as an attempt, and a permanent failure is not retried", async () => {
  const { delivery, outcomes, endsAt } = deliver([
    { result: "outage" },
    { result: "rejected" },
    { result: "rejected", permanent: true },
  ]);
  for (let probe = 0; probe < 3; probe += 1) await delivery.resume(endsAt);
  expect(outcomes).toEqual([
    { status: "waiting", attempts: 0 },
    { status: "waiting", attempts: 0, nextAttemptAt: "2026-03-14T09:27:03.000Z" },
    { status: "failed" },
  ]);
});

test("an outcome that a busy database rejects is recorded again, and the message is sent once", async () => {
  const { delivery, outcomes, log, endsAt } = deliver([{ result: "sent" }], { failedRecords: 1 });
  await delivery.sendDue(endsAt);
  expect(outcomes).toEqual([{ status: "sent" }]);
  expect(log.entries.map(({ event }) => event)).toEqual(["message outcome not recorded"]);
});

test("what is queued while a run finds nothing is sent by it, and a run that fails keeps no slot", async () => {
  const attempts: Attempt[] = [];
  const { delivery, outcomes, endsAt } = deliver(attempts, { failedClaims: 1 });
  await expect(delivery.sendDue(endsAt)).rejects.toThrow("SQLITE_BUSY");
  const running = delivery.sendDue(endsAt);
  attempts.push({ result: "sent" });
  await Promise.all([delivery.sendDue(endsAt), running]);
  expect(outcomes).toEqual([{ status: "sent" }]);
});

test("a message whose sending never ends keeps its slot no longer than its claim", async () => {
  const { delivery, outcomes, endsAt } = deliver([new Promise<never>(() => {}), { result: "sent" }]);
  delivery.sendDue(endsAt);
  await delivery.sendDue(endsAt);
  expect(outcomes).toEqual([]);
  setSystemTime(Date.now() + 1001);
  await delivery.sendDue(endsAt);
  setSystemTime();
  expect(outcomes).toEqual([{ status: "sent" }]);
});

test("of those that are slow, the ones that were begun first end for what is claimed beyond the most", () => {
  const slots = createSharedSlots({
    slots: 2,
    share: 1,
    slotMs: Number.POSITIVE_INFINITY,
    slowMs: 1000,
    most: 3,
  });
  const begin = (now: number, ...accounts: number[]) => {
    const taken = slots.take(now);
    if (!taken) throw new Error("There is no free slot");
    slots.assign(
      taken,
      accounts.map((userId) => ({ userId })),
    );
    return taken.slots;
  };
  const ended = () => all.map(({ ending }) => ending.signal.aborted);
  const all = [...begin(0, 7, 8)];
  all.push(...begin(1001, 9, 10));
  expect(ended()).toEqual([true, false, false, false]);
  for (const slot of all.slice(0, 2)) slots.release(slot);
  expect(begin(2002)).toHaveLength(2);
  expect(ended()).toEqual([true, false, false, false]);
});

test("receivers that are slow leave their slots to others after a while, but get nothing more meanwhile", () => {
  const slots = createSharedSlots({ slots: 2, share: 1, slotMs: Number.POSITIVE_INFINITY, slowMs: 1000 });
  const takeAt = (now: number, ...accounts: number[]) => {
    const taken = slots.take(now);
    if (!taken) return undefined;
    slots.assign(
      taken,
      accounts.map((userId) => ({ userId })),
    );
    const { limit, running } = taken.turn;
    return { limit, running };
  };
  expect(takeAt(0, 7, 8)).toEqual({ limit: 2, running: {} });
  expect(takeAt(1000)).toBeUndefined();
  expect(takeAt(1001, 9)).toEqual({ limit: 2, running: { 7: 1, 8: 1 } });
  expect(takeAt(1002, 10)).toEqual({ limit: 1, running: { 7: 1, 8: 1, 9: 1 } });
  expect(takeAt(1003)).toBeUndefined();
});

test("others are served between messages that are sent at once", async () => {
  const environment = {
    ...{ clock: createMemoryClock(), log: createMemoryLogger(), memory: createProcessMemory() },
    takeTurn: createLoopTurns(),
  };
  const messages = [1, 2, 3].map((id) => ({ id, userId: id, claimedBy: "me", attempts: 0 }));
  const begun: number[] = [];
  let turn = 0;
  const delivery = new Delivery<Message, Attempt>(environment, {
    ...{ queue: "test", name: "message", leavesCalls: 0, retries: { delays: [], givesUp: true } },
    limits: { slots: 3, share: 3, claimMs: 1000 },
    claim: async () => messages.splice(0),
    async send() {
      begun.push(turn);
      return { result: "sent" };
    },
    record: async () => {},
    onAnswer: async () => false,
  });
  const countTurns = () => {
    turn += 1;
    if (begun.length < 3) setImmediate(countTurns);
  };
  countTurns();
  await delivery.sendDue(Number.POSITIVE_INFINITY);
  expect([begun.length, new Set(begun).size]).toEqual([3, 3]);
});
