import { and, eq, gt, sql } from "drizzle-orm";
import type { Database } from "../client";
import { rateLimits } from "../schema";

export type Counter = { count: number; resetAt: string };

/**
 * Counts one more attempt in a single statement, so that concurrent attempts are all counted. A window starts with the
 * first attempt after the previous window ended, and lasts until `resetAt`.
 */
export async function countRateLimit(
  db: Database,
  key: string,
  window: { now: string; resetAt: string },
): Promise<Counter> {
  const over = sql`${rateLimits.resetAt} <= ${window.now}`;
  const [row] = await db
    .insert(rateLimits)
    .values({ key, count: 1, resetAt: window.resetAt })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`case when ${over} then 1 else ${rateLimits.count} + 1 end`,
        resetAt: sql`case when ${over} then excluded.reset_at else ${rateLimits.resetAt} end`,
      },
    })
    .returning({ count: rateLimits.count, resetAt: rateLimits.resetAt });
  if (!row) throw new Error("The attempt was not counted");
  return row;
}

/** Takes one attempt back if its window is still open. */
export async function refundRateLimit(db: Database, key: string, now: string): Promise<void> {
  await db
    .update(rateLimits)
    .set({ count: sql`${rateLimits.count} - 1` })
    .where(and(eq(rateLimits.key, key), gt(rateLimits.count, 0), gt(rateLimits.resetAt, now)));
}
