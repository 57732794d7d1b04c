import { and, eq, gt, sql } from "drizzle-orm";
import type { Database } from "../client";
import { rateLimits } from "../schema";

export type Counter = { count: number; resetAt: string };

/** Counts one more attempt of a key. */
export async function countRateLimit(
  db: Database,
  key: string,
  { now, resetAt }: { now: string; resetAt: string },
): Promise<Counter> {
  const [counter] = await countRateLimits(db, [{ key, times: 1, resetAt }], now);
  if (!counter) throw new Error("The attempt was not counted");
  return counter;
}

export const findRateLimit = (db: Database, key: string, now: string) =>
  db
    .select({ count: rateLimits.count, resetAt: rateLimits.resetAt })
    .from(rateLimits)
    .where(and(eq(rateLimits.key, key), gt(rateLimits.resetAt, now)))
    .get();

/**
 * Counts attempts, `times` of each key, in a single statement, so that concurrent attempts are all counted. A window starts
 * with the first attempt after the previous window ended, and lasts until `resetAt`. One that would end later than a new
 * one began before the clock was set back.
 */
export async function countRateLimits(
  db: Database,
  attempts: readonly { key: string; times: number; resetAt: string }[],
  now: string,
): Promise<(Counter & { key: string })[]> {
  const over = sql`(${rateLimits.resetAt} <= ${now} or ${rateLimits.resetAt} > excluded.reset_at)`;
  // All columns in table order, as `insert … select` requires; "where" tells ON from a join's.
  const rows = sql`select value ->> '$.key', value ->> '$.times', value ->> '$.resetAt' from json_each(${JSON.stringify(attempts)}) where 1`;
  return db
    .insert(rateLimits)
    .select(rows)
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`case when ${over} then excluded.count else ${rateLimits.count} + excluded.count end`,
        resetAt: sql`case when ${over} then excluded.reset_at else ${rateLimits.resetAt} end`,
      },
    })
    .returning({ key: rateLimits.key, count: rateLimits.count, resetAt: rateLimits.resetAt });
}

/** Takes attempts back, as many of each key as it says, whose window is still open. */
export async function refundRateLimits(
  db: Database,
  times: Readonly<Record<string, number>>,
  now: string,
): Promise<void> {
  await db
    .update(rateLimits)
    .set({ count: sql`max(${rateLimits.count} - refunded.value, 0)` })
    .from(sql`json_each(${JSON.stringify(times)}) as refunded`)
    .where(and(sql`${rateLimits.key} = refunded.key`, gt(rateLimits.resetAt, now)));
}
