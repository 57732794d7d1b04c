import { and, asc, desc, eq, gt, gte, inArray, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { LIMITS } from "../../worker/contract/limits";
import { type Database, runBatch, type Statement } from "../client";
import { violates } from "../errors";
import { notifications, users } from "../schema";
import { insertFailureDeliveries } from "./webhook-events";

export type Notification = typeof notifications.$inferSelect;
export type Channel = Notification["channel"];

/** A notification to send. `userId` may be SQL for an account that the same batch creates. */
export type NewNotification = Pick<typeof notifications.$inferInsert, "kind" | "channel" | "payload"> & {
  recipient: string | SQL<string>;
  userId: number | SQL<number> | null;
  envelopeId?: number | SQL<number> | null;
  dedupeKey: string | SQL<string>;
  createdAt: string;
};

/** The account's e-mail address when the batch runs. */
export const accountEmail = (userId: number | SQL<number>) =>
  sql<string>`(select ${users.email} from ${users} where ${users.id} = ${userId})`;

/** An address of somebody else, while the account exists. */
export const whileAccountExists = (userId: number, address: string) =>
  sql<string>`(select ${address} from ${users} where ${users.id} = ${userId})`;

/** Whether a batch failed because `accountEmail` or `whileAccountExists` found no account. */
export const isAccountMissing = (error: unknown) => violates(error, "not null", notifications.recipient);

/** The statement that queues a notification. A repeated `dedupeKey` is ignored. */
export function insertNotification(db: Database, notification: NewNotification): Statement {
  return db
    .insert(notifications)
    .values({ ...notification, nextAttemptAt: notification.createdAt })
    .onConflictDoNothing({ target: notifications.dedupeKey });
}

type Claim = {
  claimedBy: string;
  channel: Channel;
  now: string;
  claimedUntil: string;
  limit: number;
  /** Claims notifications that wait for a retry instead of those that are due. */
  waiting?: boolean;
};

/**
 * Claims up to `limit` notifications for one sender until `claimedUntil`. An expired claim, whose process died, may be
 * claimed again.
 */
export async function claimNotifications(db: Database, claim: Claim): Promise<Notification[]> {
  const due = claim.waiting
    ? gt(notifications.nextAttemptAt, claim.now)
    : lte(notifications.nextAttemptAt, claim.now);
  const chosen = db
    .select({ id: notifications.id })
    .from(notifications)
    .where(
      and(
        eq(notifications.status, "queued"),
        eq(notifications.channel, claim.channel),
        due,
        or(isNull(notifications.claimedUntil), lte(notifications.claimedUntil, claim.now)),
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
    .where(inArray(notifications.id, chosen))
    .returning();
}

export type Outcome = Partial<
  Pick<
    Notification,
    "status" | "sentAt" | "lastError" | "failure" | "nextAttemptAt" | "payload" | "attempts" | "recipient"
  >
>;

/** Stores the outcome of a claimed notification, unless another sender has claimed it meanwhile. */
export async function updateClaimedNotification(
  db: Database,
  id: number,
  claimedBy: string,
  outcome: Outcome,
  now: string,
): Promise<void> {
  await runBatch(db, [
    ...(outcome.status === "failed" ? [insertFailureDeliveries(db, { id, claimedBy, now })] : []),
    db
      .update(notifications)
      .set({ ...outcome, claimedBy: null, claimedUntil: null })
      .where(and(eq(notifications.id, id), eq(notifications.claimedBy, claimedBy))),
  ]);
}

/** Makes all notifications that wait for a retry on this channel due now. */
export async function releaseNotifications(db: Database, channel: Channel, now: string): Promise<void> {
  await db
    .update(notifications)
    .set({ nextAttemptAt: now })
    .where(
      and(
        eq(notifications.status, "queued"),
        gt(notifications.nextAttemptAt, now),
        eq(notifications.channel, channel),
      ),
    );
}

type Filter = { ids?: number[]; dedupeKeys?: string[]; kind?: Notification["kind"]; limit?: number };

/** The notifications about one of the caller's envelopes, oldest first. Above the limit, the latest ones. */
export async function listNotifications(
  db: Database,
  userId: number,
  envelopeId: number,
  { ids, dedupeKeys, kind, limit = LIMITS.pageMax }: Filter = {},
): Promise<Notification[]> {
  const rows = await db
    .select()
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, userId),
        eq(notifications.envelopeId, envelopeId),
        ids && inArray(notifications.id, ids),
        // The plus keeps SQLite from reading by key, after which it would have to sort.
        dedupeKeys && inArray(sql`+${notifications.dedupeKey}`, dedupeKeys),
        kind && eq(notifications.kind, kind),
      ),
    )
    .orderBy(desc(notifications.id))
    .limit(limit);
  return rows.reverse();
}

/** The messages to an envelope's recipient that were queued since then and nobody is sending. */
const waitingSince = (userId: number, envelopeId: number, since: string) =>
  and(
    eq(notifications.userId, userId),
    eq(notifications.envelopeId, envelopeId),
    inArray(notifications.kind, ["invitation", "update"]),
    eq(notifications.status, "queued"),
    isNull(notifications.claimedUntil),
    gte(notifications.createdAt, since),
  );

/** Messages to an envelope's recipient that were queued since then and still wait. */
export async function listWaiting(
  db: Database,
  userId: number,
  envelopeId: number,
  since: string,
): Promise<Notification[]> {
  return db
    .select()
    .from(notifications)
    .where(waitingSince(userId, envelopeId, since));
}

/** Removes those messages, except claimed ones. */
export function deleteWaiting(db: Database, userId: number, envelopeId: number, since: string): Statement {
  return db.delete(notifications).where(waitingSince(userId, envelopeId, since));
}

/**
 * Queues a failed notification again, with all attempts left. One that was sent, or is being sent, stays as it is.
 */
export function requeueNotification(
  db: Database,
  userId: number,
  id: number,
  { recipient, now }: { recipient: string; now: string },
): Statement {
  return db
    .update(notifications)
    .set({ status: "queued", attempts: 0, recipient, lastError: null, failure: null, nextAttemptAt: now })
    .where(
      and(
        eq(notifications.userId, userId),
        eq(notifications.id, id),
        ne(notifications.status, "sent"),
        or(isNull(notifications.claimedUntil), lte(notifications.claimedUntil, now)),
      ),
    );
}
