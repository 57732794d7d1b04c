import type { Database } from "../../../db/client";
import type { Variables } from "../../config";
import type { Clock } from "../../ports/clock";
import type { RateLimiter } from "../../ports/rate-limiter";
import { createMemoryRateLimiter } from "../memory/memory-rate-limiter";
import { createDatabaseRateLimiter } from "../shared/database-rate-limiter";
import { noRateLimiter } from "../shared/no-rate-limiter";
import { createSplitRateLimiter } from "../shared/split-rate-limiter";
import type { Bindings } from "./bindings";
import { withBurstGuard } from "./burst-guard";

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
