import type { Database } from "../../../db/client";
import { countRateLimits, refundRateLimits } from "../../../db/queries/rate-limits";
import type { Clock } from "../../ports/clock";
import {
  countVerdict,
  type RateAttempt,
  type RateLimiter,
  type RateRule,
  type RateVerdict,
} from "../../ports/rate-limiter";

/** A limiter that counts one attempt as it counts several. */
export function createRateLimiter(all: Pick<RateLimiter, "hitAll" | "refundAll">): RateLimiter {
  return {
    ...all,
    async hit(rule, subject) {
      const [verdict] = await all.hitAll([{ rule, subject }]);
      if (!verdict) throw new Error("The attempt was not counted");
      return verdict;
    },
    refund: (rule, subject) => all.refundAll([{ rule, subject }]),
  };
}

/** Allows everything; for load tests. */
export const noRateLimiter = createRateLimiter({
  hitAll: async (attempts) => attempts.map(() => ({ allowed: true })),
  refundAll: async () => {},
});

/** Counts attempts in the database, for all processes and across restarts. */
export function createDatabaseRateLimiter(db: Database, clock: Clock): RateLimiter {
  return createRateLimiter({
    async hitAll(attempts) {
      const now = clock.now();
      const seconds = new Map(attempts.map(({ rule, subject }) => [keyOf(rule, subject), rule.seconds]));
      const windows = [...countKeys(attempts)].map(([key, times]) => {
        const resetAt = new Date(now.getTime() + (seconds.get(key) ?? 0) * 1000).toISOString();
        return { key, times, resetAt };
      });
      const counters = await countRateLimits(db, windows, now.toISOString());
      const byKey = new Map(counters.map((counter) => [counter.key, counter]));
      return attempts.map(({ rule, subject }) => {
        const { count, resetAt } = byKey.get(keyOf(rule, subject)) ?? { count: Infinity, resetAt: "" };
        return verdictOn({ count, resetAt: Date.parse(resetAt) }, rule, now.getTime());
      });
    },
    refundAll: (attempts) =>
      refundRateLimits(db, Object.fromEntries(countKeys(attempts)), clock.now().toISOString()),
  });
}

/**
 * Counts attempts in this process only, for reads so frequent that a write each time would cost more than the read.
 * Stores at most `maxSubjects` and drops the oldest windows first.
 */
export function createMemoryRateLimiter(clock: Clock, maxSubjects = 100_000): RateLimiter {
  const counters = new Map<string, Counter>();

  const openWindow = (key: string, seconds: number, now: number): Counter => {
    const counter = { count: 0, resetAt: now + seconds * 1000 };
    counters.delete(key);
    const [oldest] = counters.size >= maxSubjects ? counters.keys() : [];
    if (oldest !== undefined) counters.delete(oldest);
    counters.set(key, counter);
    return counter;
  };

  return createRateLimiter({
    async hitAll(attempts) {
      const now = clock.now().getTime();
      return attempts.map(({ rule, subject }) => {
        const key = keyOf(rule, subject);
        const current = counters.get(key);
        // One that ends later than a new one began before the clock was set back.
        const isOpen = current && current.resetAt > now && current.resetAt <= now + rule.seconds * 1000;
        const counter = isOpen ? current : openWindow(key, rule.seconds, now);
        counter.count += 1;
        return verdictOn(counter, rule, now);
      });
    },
    async refundAll(attempts) {
      for (const { rule, subject } of attempts) {
        const counter = counters.get(keyOf(rule, subject));
        if (counter && counter.count > 0 && counter.resetAt > clock.now().getTime()) counter.count -= 1;
      }
    },
  });
}

/** Sends the rules listed in `names` to one limiter and all others to another. */
export function createSplitRateLimiter(
  names: readonly string[],
  limiters: { named: RateLimiter; otherRules: RateLimiter },
): RateLimiter {
  const byLimiter = (attempts: readonly RateAttempt[]) =>
    Map.groupBy(attempts, ({ rule }) => (names.includes(rule.name) ? limiters.named : limiters.otherRules));
  return createRateLimiter({
    async hitAll(attempts) {
      const verdicts = new Map<RateAttempt, RateVerdict | undefined>();
      for (const [limiter, own] of byLimiter(attempts)) {
        const found = await limiter.hitAll(own);
        for (const [index, attempt] of own.entries()) verdicts.set(attempt, found[index]);
      }
      return attempts.flatMap((attempt) => verdicts.get(attempt) ?? []);
    },
    async refundAll(attempts) {
      for (const [limiter, own] of byLimiter(attempts)) await limiter.refundAll(own);
    },
  });
}

type Counter = { count: number; resetAt: number };

/** How often each key occurs. */
function countKeys(attempts: readonly RateAttempt[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { rule, subject } of attempts) {
    const key = keyOf(rule, subject);
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  return times;
}

const keyOf = (rule: RateRule, subject: string) => `${rule.name}:${subject}`;

function verdictOn({ count, resetAt }: Counter, { limit, seconds }: RateRule, now: number): RateVerdict {
  const left = Math.ceil((resetAt - now) / 1000);
  return countVerdict(count, limit, Math.min(Math.max(left, 1), seconds));
}
