import { expect, test } from "bun:test";
import { AppError } from "../../worker/errors";
import { createWorkQueue } from "../../worker/lib/work-queue";

const LIMITS = { running: 2, waiting: 3, waitingPerLane: 3, retryAfterSeconds: 7 };
const LANE = ["here"];

/** Work that ends on command. */
function openWork() {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const begun = Array.from({ length: 7 }, () => Promise.withResolvers<void>());
  return {
    started,
    begun: (name: number) => begun[name]?.promise,
    work: (name: number) => () => {
      started.push(name);
      begun[name]?.resolve();
      return new Promise<number>((resolve) => {
        ends[name] = () => resolve(name);
      });
    },
    end: (name: number) => ends[name]?.(),
  };
}

test("work runs in order, a limited number at a time, and is rejected if the queue is full", async () => {
  const queue = createWorkQueue({ ...LIMITS, waitingPerLane: 4 });
  const { started, begun, work, end } = openWork();
  const results = [0, 1, 2, 3, 4].map((name) => queue.run(LANE, work(name)));
  const rejected = await queue.run(LANE, work(5)).catch((error: unknown) => error);
  expect(rejected).toBeInstanceOf(AppError);
  expect(rejected).toMatchObject({ code: "unavailable", details: { retryAfterSeconds: 7 } });
  expect(started).toEqual([0, 1]);
  end(1);
  await begun(2);
  expect(started).toEqual([0, 1, 2]);
  const late = queue.run(LANE, work(6));
  for (const name of [0, 2, 3, 4, 6]) {
    await begun(name);
    end(name);
  }
  expect(started).toEqual([0, 1, 2, 3, 4, 6]);
  expect(await Promise.all([...results, late])).toEqual([0, 1, 2, 3, 4, 6]);
});

test("of one lane, no more runs and waits than it may have; others still do", async () => {
  const queue = createWorkQueue({ ...LIMITS, perLane: 1 });
  const { started, begun, work, end } = openWork();
  const first = queue.run(["one"], work(0));
  expect(queue.run(["one"], work(1))).rejects.toMatchObject({ code: "rate_limited" });
  const others = ["two", "three"].map((lane, index) => queue.run([lane], work(2 + index)));
  expect(queue.run(["three"], work(4))).rejects.toMatchObject({ code: "rate_limited" });
  expect(started).toEqual([0, 2]);
  end(0);
  await begun(3);
  const again = queue.run(["one"], work(5));
  for (const name of [2, 3, 5]) {
    await begun(name);
    end(name);
  }
  expect(await Promise.all([first, ...others, again])).toEqual([0, 2, 3, 5]);
});

test("failed work frees its slot", async () => {
  const queue = createWorkQueue({ ...LIMITS, running: 1 });
  const failing = queue.run(LANE, () => Promise.reject(new Error("broken")));
  const next = queue.run(LANE, async () => "done");
  expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("done");
  expect(await queue.run(LANE, async () => "again")).toBe("again");
});

test("other tasks of the process run between two pieces of work", async () => {
  const queue = createWorkQueue({ ...LIMITS, running: 1 });
  const order: string[] = [];
  const turns = ["one", "two", "three"].map((name) => queue.run(LANE, async () => order.push(name)));
  setTimeout(() => order.push("other"));
  await Promise.all(turns);
  expect(order).toEqual(["one", "other", "two", "three"]);
});

/** A queue that runs one at a time, is busy until `start`, and records the order of the work. */
function busyQueue(limits: Partial<Parameters<typeof createWorkQueue>[0]> = {}) {
  const queue = createWorkQueue({
    running: 1,
    waiting: 64,
    waitingPerLane: 64,
    retryAfterSeconds: 7,
    ...limits,
  });
  const order: string[] = [];
  const blocker = Promise.withResolvers<void>();
  const add = async (...lane: string[]) => {
    try {
      await queue.run(lane, async () => order.push(lane.join(" ")));
    } catch (error) {
      return error instanceof AppError ? error.code : error;
    }
  };
  /** Blocks the queue with work of this lane. */
  const block = (...lane: string[]) => queue.run(lane, () => blocker.promise);
  return { add, block, order, start: () => blocker.resolve() };
}

test("lanes take turns, and one that comes later waits for one piece of work of another at most", async () => {
  const { add, block, order, start } = busyQueue();
  const blocked = block("a");
  const waiting = [...Array.from({ length: 3 }, () => add("a")), add("b"), add("b"), add("c")];
  start();
  await Promise.all([blocked, ...waiting]);
  expect(order).toEqual(["b", "c", "a", "b", "a", "a"]);
});

test("within an address, accounts take turns, whatever another address does", async () => {
  const { add, block, order, start } = busyQueue();
  const blocked = block("1", "ada");
  const waiting = [add("1", "ada"), add("1", "ada"), add("1", "bea"), add("2", "cleo"), add("2", "cleo")];
  start();
  await Promise.all([blocked, ...waiting]);
  expect(order).toEqual(["2 cleo", "1 bea", "2 cleo", "1 ada", "1 ada"]);
});

test("a lane that keeps coming back does not delay one that waits", async () => {
  const { add, block, order, start } = busyQueue();
  const returning = block("a").then(async () => {
    for (let count = 0; count < 3; count++) await add("a");
  });
  const waiting = Array.from({ length: 3 }, () => add("b"));
  start();
  await Promise.all([returning, ...waiting]);
  expect(order.slice(0, 3).filter((name) => name === "b").length).toBeGreaterThanOrEqual(2);
});

test("each lane may wait for a limited number; more is rejected at once", async () => {
  const { add, block, order, start } = busyQueue({ waitingPerLane: 2 });
  const blocked = block("1", "ada");
  const waiting = Array.from({ length: 4 }, () => add("1", "ada"));
  const other = add("1", "bea");
  start();
  await blocked;
  expect(await Promise.all(waiting)).toEqual([undefined, undefined, "rate_limited", "rate_limited"]);
  expect(await other).toBeUndefined();
  expect(order).toHaveLength(3);
});

test("a full queue rejects the last of the longest lane for a lane that waits for less", async () => {
  const { add, block, order, start } = busyQueue({ waiting: 5 });
  const blocked = block("1");
  const first = ["ada", "ada", "bea", "cleo", "dora"].map((account) => add("1", account));
  const others = [add("2", "eve"), add("2", "eve"), add("2", "eve")];
  const same = add("1", "ada");
  start();
  await blocked;
  const outcomes = await Promise.all([...first, ...others, same]);
  expect(outcomes).toEqual([
    undefined,
    "unavailable",
    undefined,
    undefined,
    "unavailable",
    undefined,
    undefined,
    "unavailable",
    "unavailable",
  ]);
  expect(order).toHaveLength(5);
});
