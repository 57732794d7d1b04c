import { expect, test } from "bun:test";
import {
  createDatabaseRateLimiter,
  createMemoryRateLimiter,
  createSplitRateLimiter,
  noRateLimiter,
} from "../../worker/adapters/shared/rate-limiters";
import { createMemoryClock } from "../support/memory/memory-clock";
import { openMigrated } from "../support/runtime/migrated";
import { rateLimiterSuite } from "./rate-limiter-suite";

rateLimiterSuite("memory", async () => {
  const clock = createMemoryClock();
  return { limiter: createMemoryRateLimiter(clock), clock, close: () => {} };
});

rateLimiterSuite("database", async () => {
  const clock = createMemoryClock();
  const { db, close } = await openMigrated();
  return { limiter: createDatabaseRateLimiter(db, clock), clock, close };
});

const RULE = { name: "read", limit: 1, seconds: 60 };

test("a full memory limiter drops the oldest windows first", async () => {
  const limiter = createMemoryRateLimiter(createMemoryClock(), 3);
  for (const subject of ["a", "b", "c", "d"]) await limiter.hit(RULE, subject);
  expect((await limiter.hit(RULE, "d")).allowed).toBe(false);
  expect((await limiter.hit(RULE, "b")).allowed).toBe(false);
  expect((await limiter.hit(RULE, "a")).allowed).toBe(true);
});

test("selected rules are counted by the limiter they are given", async () => {
  const named = createMemoryRateLimiter(createMemoryClock());
  const limiter = createSplitRateLimiter(["read"], { named, otherRules: noRateLimiter });
  await limiter.hit(RULE, "a");
  expect((await named.hit(RULE, "a")).allowed).toBe(false);
  for (let tries = 0; tries < 5; tries += 1)
    expect((await limiter.hit({ ...RULE, name: "write" }, "a")).allowed).toBe(true);
  await limiter.refund(RULE, "a");
  await limiter.refund(RULE, "a");
  expect((await limiter.hit(RULE, "a")).allowed).toBe(true);
});
