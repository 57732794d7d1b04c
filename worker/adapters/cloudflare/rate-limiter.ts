import type { RateLimit } from "@cloudflare/workers-types";
import type { Database } from "../../../db/client";
import type { Variables } from "../../config";
import type { Clock } from "../../ports/clock";
import type { RateLimiter } from "../../ports/rate-limiter";
import {
  createDatabaseRateLimiter,
  createMemoryRateLimiter,
  createRateLimiter,
  createSplitRateLimiter,
  noRateLimiter,
} from "../shared/rate-limiters";
import type { Bindings } from "./bindings";

/**
 * Counts in the database, except for the rules in `inMemory`: this isolate and the binding count those, which saves
 * the guarded action a round trip.
 */
export function openRateLimiter(
  variables: Variables,
  { LINK_READS }: Pick<Bindings, "LINK_READS">,
  { db, clock, inMemory }: { db: Database; clock: Clock; inMemory: readonly string[] },
): RateLimiter {
  if (variables.RATE_LIMITS === "off") return noRateLimiter;
  const memory = createMemoryRateLimiter(clock, 10_000);
  return createSplitRateLimiter(inMemory, {
    named: LINK_READS ? withBurstGuard(LINK_READS, memory) : memory,
    otherRules: createDatabaseRateLimiter(db, clock),
  });
}

/** The period of the binding in wrangler.toml. */
const PERIOD_SECONDS = 60;

/**
 * Asks Cloudflare's counter as well once `inner` has allowed an attempt: an isolate counts only its own requests, the
 * binding those of a whole data centre.
 */
export function withBurstGuard(binding: RateLimit, inner: RateLimiter): RateLimiter {
  return createRateLimiter({
    ...inner,
    hitAll: (attempts) =>
      Promise.all(
        attempts.map(async ({ rule, subject }) => {
          const verdict = await inner.hit(rule, subject);
          if (!verdict.allowed) return verdict;
          const { success } = await binding.limit({ key: `${rule.name}:${subject}` });
          return success ? verdict : { allowed: false, retryAfterSeconds: PERIOD_SECONDS };
        }),
      ),
  });
}
