import { expect, test } from "bun:test";
import { AppError } from "../../worker/errors";
import { createWorkQueue } from "../../worker/lib/work-queue";

const LIMITS = { running: 2, waiting: 3, retryAfterSeconds: 7 };

/** Work that ends when told to. */
function openWork() {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  return {
    started,
    work: (name: number) => () => {
      started.push(name);
      return new Promise<number>((resolve) => {
        ends[name] = () => resolve(name);
      });
    },
    end: (name: number) => ends[name]?.(),
  };
}

test("work runs in the order it comes, only so much at a time, and what finds no place is refused", async () => {
  const queue = createWorkQueue(LIMITS);
  const { started, work, end } = openWork();
  const results = [0, 1, 2, 3, 4].map((name) => queue.run(work(name)));
  const refused = await queue.run(work(5)).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(AppError);
  expect(refused).toMatchObject({ code: "unavailable", details: { retryAfterSeconds: 7 } });
  expect(started).toEqual([0, 1]);
  end(1);
  await results[1];
  expect(started).toEqual([0, 1, 2]);
  const late = queue.run(work(6));
  for (const name of [0, 2, 3, 4]) {
    end(name);
    await results[name];
  }
  expect(started).toEqual([0, 1, 2, 3, 4, 6]);
  end(6);
  expect(await Promise.all([...results, late])).toEqual([0, 1, 2, 3, 4, 6]);
});

test("work that fails gives its turn away", async () => {
  const queue = createWorkQueue({ ...LIMITS, running: 1 });
  const failing = queue.run(() => Promise.reject(new Error("broken")));
  const next = queue.run(async () => "done");
  expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("done");
  expect(await queue.run(async () => "again")).toBe("again");
});
