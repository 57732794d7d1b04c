import { and, desc, eq, inArray, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { OutboxQuery } from "../../worker/contract/administration";
import { KINDS_WITH_TOKEN } from "../../worker/contract/notifications";
import type { Database, Statement } from "../client";
import { notifications, users } from "../schema";
import type { Page } from "./paging";
import { pageOf, pick } from "./query-helpers";

const MESSAGES_PER_PAGE = 50;

/** A failed message, whose link has not ended with it, or one that waits for its next attempt. */
const isRetryable = (now: string) =>
  or(
    // A literal: Drizzle's parameter would make the two read the whole table.
    and(sql`${notifications.status} = 'failed'`, sql`${notifications.kind} not in ${KINDS_WITH_TOKEN}`),
    and(
      sql`${notifications.status} = 'queued'`,
      isNotNull(notifications.failure),
      or(isNull(notifications.claimedUntil), lte(notifications.claimedUntil, now)),
    ),
  );

const selectMessages = (db: Database, now: string) =>
  db
    .select({
      ...pick(notifications, "id", "kind", "channel", "status", "recipient"),
      account: users.email,
      accountId: notifications.userId,
      ...pick(notifications, "envelopeId", "attempts", "failure", "lastError", "createdAt"),
      nextAttemptAt: notifications.nextAttemptAt,
      canRetry: sql<boolean>`${isRetryable(now)}`.mapWith(Boolean),
    })
    .from(notifications)
    .leftJoin(users, eq(users.id, notifications.userId));

export type OutboxMessage = Awaited<ReturnType<typeof selectMessages>>[number];

/** Messages of all accounts that have failed, or wait, the latest first. */
export async function listOutbox(
  db: Database,
  { status = "failed", limit = MESSAGES_PER_PAGE, cursor }: OutboxQuery,
  now: string,
): Promise<Page<OutboxMessage, number>> {
  return pageOf(
    selectMessages(db, now)
      .where(and(eq(notifications.status, status), cursor ? lt(notifications.id, cursor) : undefined))
      .orderBy(desc(notifications.id)),
    limit,
  );
}

export const findOutboxMessage = (
  db: Database,
  id: number,
  now: string,
): Promise<OutboxMessage | undefined> => selectMessages(db, now).where(eq(notifications.id, id)).get();

/** A failed message keeps the time of its failure in `nextAttemptAt`. */
const failedUntil = (time: string) =>
  and(eq(notifications.status, "failed"), lte(notifications.nextAttemptAt, time));

/** How many messages that failed until this time can be retried. */
export async function countRetryable(db: Database, until: string): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)` })
    .from(notifications)
    .where(and(failedUntil(until), isRetryable(until)));
  return row?.count ?? 0;
}

/** Which messages: one, or a number of those that failed until a time. */
export type Retried = { id: number } | { limit: number; until: string };

/** Queues messages again that can be retried, with all attempts left. */
export function requeueMessages(db: Database, which: Retried, now: string): Statement {
  const chosen = db
    .select({ id: notifications.id })
    .from(notifications)
    .where(and("id" in which ? eq(notifications.id, which.id) : failedUntil(which.until), isRetryable(now)))
    .limit("id" in which ? 1 : which.limit);
  return db
    .update(notifications)
    .set({ status: "queued", attempts: 0, lastError: null, failure: null, nextAttemptAt: now })
    .where(inArray(notifications.id, chosen));
}
