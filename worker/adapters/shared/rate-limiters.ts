import type { Database } from "../../../db/client";
import { countRateLimit, refundRateLimit } from "../../../db/queries/rate-limits";
import type { Clock } from "../../ports/clock";
import { countVerdict, type RateLimiter, type RateRule, type RateVerdict } from "../../ports/rate-limiter";

/** Allows everything; for load tests. */
export const noRateLimiter: RateLimiter = {
  hit: async () => ({ allowed: true }),
  refund: async () => {},
};

/** Counts attempts in the database, for all processes and across restarts. */
export function createDatabaseRateLimiter(db: Database, clock: Clock): RateLimiter {
  return {
    async hit(rule, subject) {
      const now = clock.now();
      const resetAt = new Date(now.getTime() + rule.seconds * 1000).toISOString();
      const counter = await countRateLimit(db, keyOf(rule, subject), { now: now.toISOString(), resetAt });
      return verdictOn({ count: counter.count, resetAt: Date.parse(counter.resetAt) }, rule, now.getTime());
    },
    refund: (rule, subject) => refundRateLimit(db, keyOf(rule, subject), clock.now().toISOString()),
  };
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

  return {
    async hit(rule, subject) {
      const now = clock.now().getTime();
      const key = keyOf(rule, subject);
      const current = counters.get(key);
      const counter = current && current.resetAt > now ? current : openWindow(key, rule.seconds, now);
      counter.count += 1;
      return verdictOn(counter, rule, now);
    },
    async refund(rule, subject) {
      const counter = counters.get(keyOf(rule, subject));
      if (counter && counter.count > 0 && counter.resetAt > clock.now().getTime()) counter.count -= 1;
    },
  };
}

/** Sends the rules listed in `names` to one limiter and all others to another. */
export function createSplitRateLimiter(
  names: readonly string[],
  limiters: { named: RateLimiter; otherRules: RateLimiter },
): RateLimiter {
  const limiterOf = (rule: RateRule) => (names.includes(rule.name) ? limiters.named : limiters.otherRules);
  return {
    hit: (rule, subject) => limiterOf(rule).hit(rule, subject),
    refund: (rule, subject) => limiterOf(rule).refund(rule, subject),
  };
}

type Counter = { count: number; resetAt: number };

const keyOf = (rule: RateRule, subject: string) => `${rule.name}:${subject}`;

function verdictOn({ count, resetAt }: Counter, { limit, seconds }: RateRule, now: number): RateVerdict {
  const left = Math.ceil((resetAt - now) / 1000);
  return countVerdict(count, limit, Math.min(Math.max(left, 1), seconds));
}
