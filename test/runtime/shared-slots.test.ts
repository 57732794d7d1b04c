import { expect, test } from "bun:test";
import { createSharedSlots, sendInTurn } from "../../worker/features/delivery/shared-slots";

const required = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error("No slots were taken");
  return value;
};
const open = (slots: number, share: number) => createSharedSlots({ slots, share, slotMs: 1000 });

test("each slot is given once, and again when it is released or too old", () => {
  const slots = open(2, 2);
  const first = slots.take(0);
  expect(first).toMatchObject({ turn: { limit: 2, running: {}, after: 0 }, slots: [{}, {}] });
  slots.assign(required(first), [{ userId: 7 }, { userId: 7 }]);
  expect([slots.take(1000), slots.hasMore()]).toEqual([undefined, true]);
  for (const slot of first?.slots.slice(1) ?? []) slots.release(slot);
  const second = slots.take(1000);
  expect([second?.turn, slots.hasMore()]).toEqual([
    { limit: 1, share: 2, running: { 7: 1 }, after: 7, slots: 2 },
    false,
  ]);
  slots.assign(required(second), [{ userId: null }]);
  // The first slot was never released.
  expect(slots.take(1001)?.turn).toMatchObject({ limit: 1, running: { 0: 1 } });
});

test("two claims never run at a time, because the second would not know the accounts of the first", () => {
  const slots = open(4, 2);
  const first = slots.take(0);
  expect([slots.take(0), slots.hasMore()]).toEqual([undefined, true]);
  slots.assign(required(first), []);
  expect(slots.take(0)?.turn.limit).toBe(4);
});

test("what was queued during a claim that found nothing is claimed afterwards", async () => {
  const slots = open(2, 2);
  const queued: { userId: number }[] = [];
  const sent: number[] = [];
  const work = {
    claim: async ({ limit }: { limit: number }) => {
      const claimed = queued.splice(0, limit);
      await Promise.resolve();
      return claimed;
    },
    send: async ({ userId }: { userId: number }) => {
      sent.push(userId);
      return false;
    },
    endsAt: Number.POSITIVE_INFINITY,
  };
  const running = sendInTurn(slots, work);
  queued.push({ userId: 1 }, { userId: 2 }, { userId: 3 });
  await sendInTurn(slots, work);
  await running;
  expect(sent).toEqual([1, 2, 3]);
});

test("a claim that fails gives its slots back", async () => {
  const slots = open(2, 2);
  const claim = () => Promise.reject(new Error("busy"));
  const failing = sendInTurn(slots, { claim, send: async () => false, endsAt: 0 });
  expect(failing).rejects.toThrow("busy");
  await failing.catch(() => {});
  expect(slots.take(0)?.turn.limit).toBe(2);
});

test("an account with more than its share gets its next message whenever one is sent", async () => {
  const slots = open(8, 3);
  const queued = Array.from({ length: 20 }, () => ({ userId: 1 }));
  let [running, most, sent] = [0, 0, 0];
  const work = {
    async claim({
      limit,
      share,
      running = {},
    }: {
      limit: number;
      share: number;
      running?: Record<number, number>;
    }) {
      const claimed = queued.splice(0, Math.min(limit, share - (running[1] ?? 0)));
      await Promise.resolve();
      return claimed;
    },
    async send() {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      sent += 1;
      return false;
    },
    endsAt: Number.POSITIVE_INFINITY,
  };
  await sendInTurn(slots, work);
  expect([most, sent]).toEqual([3, 20]);
});
