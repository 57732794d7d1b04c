import { expect, test } from "bun:test";
import { AppError } from "../../worker/errors";
import { createWorkQueue } from "../../worker/lib/work-queue";

const LIMITS = { running: 2, waiting: 3, retryAfterSeconds: 7 };

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
  const queue = createWorkQueue(LIMITS);
  const { started, begun, work, end } = openWork();
  const results = [0, 1, 2, 3, 4].map((name) => queue.run(work(name)));
  const rejected = await queue.run(work(5)).catch((error: unknown) => error);
  expect(rejected).toBeInstanceOf(AppError);
  expect(rejected).toMatchObject({ code: "unavailable", details: { retryAfterSeconds: 7 } });
  expect(started).toEqual([0, 1]);
  end(1);
  await begun(2);
  expect(started).toEqual([0, 1, 2]);
  const late = queue.run(work(6));
  for (const name of [0, 2, 3, 4, 6]) {
    await begun(name);
    end(name);
  }
  expect(started).toEqual([0, 1, 2, 3, 4, 6]);
  expect(await Promise.all([...results, late])).toEqual([0, 1, 2, 3, 4, 6]);
});

test("failed work frees its slot", async () => {
  const queue = createWorkQueue({ ...LIMITS, running: 1 });
  const failing = queue.run(() => Promise.reject(new Error("broken")));
  const next = queue.run(async () => "done");
  expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("done");
  expect(await queue.run(async () => "again")).toBe("again");
});

test("other tasks of the process run between two pieces of work", async () => {
  const queue = createWorkQueue({ ...LIMITS, running: 1 });
  const order: string[] = [];
  const turns = ["one", "two", "three"].map((name) => queue.run(async () => order.push(name)));
  setTimeout(() => order.push("other"));
  await Promise.all(turns);
  expect(order).toEqual(["one", "other", "two", "three"]);
});
