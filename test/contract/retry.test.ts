import { expect, test } from "bun:test";
import { retry, withDeadline } from "../../worker/lib/retry";

/** Work that fails a number of times before it succeeds. */
function failing(times: number) {
  let runs = 0;
  return async () => {
    runs += 1;
    if (runs <= times) throw new Error(`failure ${runs}`);
    return runs;
  };
}

test("work that fails is retried until it succeeds, and each failure is reported with its number", async () => {
  const seen: [string, number][] = [];
  const result = await retry(failing(3), (error, failures) => {
    seen.push([String(error), failures]);
    return 0;
  });
  expect(result).toBe(4);
  expect(seen).toEqual([
    ["Error: failure 1", 1],
    ["Error: failure 2", 2],
    ["Error: failure 3", 3],
  ]);
});

test("without a further pause the last failure is thrown", async () => {
  const pauses = [0, 1];
  const work = retry(failing(3), (_, failures) => pauses[failures - 1] ?? null);
  await expect(work).rejects.toThrow("failure 3");
});

test("work that ends in time returns its result or its failure", async () => {
  const late = () => new Error("late");
  expect(await withDeadline(Promise.resolve("done"), 60_000, late)).toBe("done");
  await expect(withDeadline(Promise.reject(new Error("failed")), 60_000, late)).rejects.toThrow("failed");
});

test("late work fails with the given error, and its result is ignored", async () => {
  const work = Promise.withResolvers<void>();
  const limited = withDeadline(work.promise, 1, () => new Error("late"));
  await expect(limited).rejects.toThrow("late");
  work.reject(new Error("nobody waits for this"));
});
