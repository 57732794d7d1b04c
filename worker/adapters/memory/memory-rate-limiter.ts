import type { Clock } from "../../ports/clock";
import { countVerdict, type RateLimiter, type RateRule, type RateVerdict } from "../../ports/rate-limiter";

type Counter = { count: number; resetAt: number };

/**
 * Counts attempts in this process only, for reads so frequent that a write each time would cost more than the read.
 * Stores at most `maxSubjects` and drops the oldest windows first.
 */
export function createMemoryRateLimiter(clock: Clock, maxSubjects = 100_000): RateLimiter {
  const counters = new Map<string, Counter>();
  const keyOf = (rule: RateRule, subject: string) => `${rule.name}:${subject}`;

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

function verdictOn({ count, resetAt }: Counter, { limit, seconds }: RateRule, now: number): RateVerdict {
  return countVerdict(count, limit, Math.min(Math.ceil((resetAt - now) / 1000), seconds));
}
