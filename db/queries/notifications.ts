import { and, asc, eq, inArray, lte, or, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { notifications } from "../schema";

export type Notification = typeof notifications.$inferSelect;

/** What is to be told, to whom. An SQL `userId` is for an account that the same batch makes. */
export type NewNotification = Pick<
  typeof notifications.$inferInsert,
  "kind" | "channel" | "recipient" | "payload"
> & {
  userId: number | SQL<number> | null;
  requestId?: number | SQL<number> | null;
  dedupeKey: string | SQL<string>;
  createdAt: string;
};

/** The statement that queues a notification; the same thing told twice is queued once. */
export function insertNotification(db: Database, notification: NewNotification): Statement {
  return db
    .insert(notifications)
    .values({ ...notification, nextAttemptAt: notification.createdAt })
    .onConflictDoNothing({ target: notifications.dedupeKey });
}

/**
 * Takes up to `limit` due notifications for one sender alone until `claimedUntil`. A claim that has run
 * out, because its process died, may be taken again.
 */
export async function claimNotifications(
  db: Database,
  claim: { claimedBy: string; now: string; claimedUntil: string; limit: number },
): Promise<Notification[]> {
  const due = db
    .select({ id: notifications.id })
    .from(notifications)
    .where(
      and(
        eq(notifications.status, "queued"),
        lte(notifications.nextAttemptAt, claim.now),
        or(sql`${notifications.claimedUntil} is null`, lte(notifications.claimedUntil, claim.now)),
      ),
    )
    .orderBy(asc(notifications.nextAttemptAt))
    .limit(claim.limit);
  return db
    .update(notifications)
    .set({
      claimedBy: claim.claimedBy,
      claimedUntil: claim.claimedUntil,
      attempts: sql`${notifications.attempts} + 1`,
    })
    .where(inArray(notifications.id, due))
    .returning();
}

/** Records what came of a claimed notification, unless another sender has it by now. */
export async function settleNotification(
  db: Database,
  id: number,
  claimedBy: string,
  outcome: Partial<Pick<Notification, "status" | "sentAt" | "lastError" | "nextAttemptAt" | "payload">>,
): Promise<void> {
  await db
    .update(notifications)
    .set({ ...outcome, claimedBy: null, claimedUntil: null })
    .where(and(eq(notifications.id, id), eq(notifications.claimedBy, claimedBy)));
}

export async function listNotifications(
  db: Database,
  userId: number,
  requestId: number,
): Promise<Notification[]> {
  return db.query.notifications.findMany({
    where: and(eq(notifications.userId, userId), eq(notifications.requestId, requestId)),
    orderBy: asc(notifications.id),
  });
}
