import type { Database } from "../../../db/client";
import { type Counter, countRateLimit, refundRateLimit } from "../../../db/queries/rate-limits";
import type { Clock } from "../../ports/clock";
import { countVerdict, type RateLimiter, type RateRule, type RateVerdict } from "../../ports/rate-limiter";

/** Counts attempts in the database, for all processes and across restarts. */
export function createDatabaseRateLimiter(db: Database, clock: Clock): RateLimiter {
  const keyOf = (rule: RateRule, subject: string) => `${rule.name}:${subject}`;
  return {
    async hit(rule, subject) {
      const now = clock.now();
      const resetAt = new Date(now.getTime() + rule.seconds * 1000).toISOString();
      const counter = await countRateLimit(db, keyOf(rule, subject), { now: now.toISOString(), resetAt });
      return verdictOn(counter, rule, now);
    },
    refund: (rule, subject) => refundRateLimit(db, keyOf(rule, subject), clock.now().toISOString()),
  };
}

function verdictOn({ count, resetAt }: Counter, { limit, seconds }: RateRule, now: Date): RateVerdict {
  const left = Math.ceil((Date.parse(resetAt) - now.getTime()) / 1000);
  return countVerdict(count, limit, Math.min(Math.max(left, 1), seconds));
}
