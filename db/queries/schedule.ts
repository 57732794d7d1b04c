import { and, asc, eq, inArray, isNotNull, lt, lte, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { rateLimits, requests, submissions, users } from "../schema";
import { deleteExpiredSignIns } from "./users";

/** Marks pending envelopes whose last day was before `today` as expired. */
export async function expireRequests(db: Database, today: string, now: string): Promise<void> {
  await db
    .update(requests)
    .set({ status: "expired", nextReminderAt: null, updatedAt: now })
    .where(
      and(
        eq(requests.status, "pending"),
        isNotNull(requests.expirationDate),
        lt(requests.expirationDate, today),
      ),
    );
}

/** Pending envelopes whose next reminder is due. */
export async function listDueReminders(db: Database, now: string, limit: number) {
  return db.query.requests.findMany({
    where: and(
      eq(requests.status, "pending"),
      isNotNull(requests.nextReminderAt),
      lte(requests.nextReminderAt, now),
    ),
    orderBy: asc(requests.nextReminderAt),
    limit,
  });
}

/** Moves the next reminder on, unless another process already has. */
export function setNextReminder(db: Database, id: number, due: string, next: string | null): Statement {
  return db
    .update(requests)
    .set({ nextReminderAt: next })
    .where(and(eq(requests.id, id), eq(requests.nextReminderAt, due)));
}

/** Removes what has outlived its use: sessions, reset links, counters. */
export function deleteOutlived(db: Database, now: string): Statement[] {
  return [...deleteExpiredSignIns(db, now), db.delete(rateLimits).where(lt(rateLimits.resetAt, now))];
}

/** Those of the store's keys that no row knows. */
export async function listUnknownKeys(db: Database, keys: string[]): Promise<string[]> {
  const given = sql`(select value from json_each(${JSON.stringify(keys)}))`;
  const givenUrls = sql`(select '/uploads/' || value from json_each(${JSON.stringify(keys)}))`;
  const files = await db
    .select({ key: submissions.filePath })
    .from(submissions)
    .where(inArray(submissions.filePath, given));
  const pictures = await db
    .select({ url: users.avatarUrl })
    .from(users)
    .where(inArray(users.avatarUrl, givenUrls));
  const known = new Set([
    ...files.map(({ key }) => key),
    ...pictures.map(({ url }) => url?.split("/").at(-1)),
  ]);
  return keys.filter((key) => !known.has(key));
}
