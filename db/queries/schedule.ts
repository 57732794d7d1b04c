import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, ne, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { notifications, rateLimits, requests, submissions, users } from "../schema";
import type { NotificationKind } from "../schema/notifications";
import { insertEventsWhere } from "./envelope-events";
import { deleteExpiredSignIns } from "./users";

/** Pending envelopes whose last day was before `today`. */
const lapsed = (today: string) =>
  and(eq(requests.status, "pending"), isNotNull(requests.expirationDate), lt(requests.expirationDate, today));

/** Statements that mark lapsed envelopes as expired, note it, and queue the notice to each one's requestor. */
export function expireRequests(db: Database, today: string, now: string): Statement[] {
  return [
    insertFromRequests(db, {
      kind: "expired",
      channel: "email",
      recipient: users.email,
      dedupeKey: sql`'expired:' || ${requests.id} || ':' || ${requests.expirationDate}`,
      where: lapsed(today),
      now,
    }),
    insertEventsWhere(db, lapsed(today), {
      kind: "expired",
      actor: "service",
      address: null,
      detail: requests.expirationDate,
      at: now,
    }),
    db.update(requests).set({ status: "expired", nextReminderAt: null, updatedAt: now }).where(lapsed(today)),
  ];
}

/**
 * Statements that tell the recipients of envelopes which end by `lastDay` and were sent before `sentBefore`,
 * once for each date an envelope has been given.
 */
export function queueExpiringNotices(
  db: Database,
  { today, lastDay, sentBefore, now }: { today: string; lastDay: string; sentBefore: string; now: string },
): Statement[] {
  const ending = and(
    eq(requests.status, "pending"),
    gte(requests.expirationDate, today),
    lte(requests.expirationDate, lastDay),
    lte(requests.sentAt, sentBefore),
  );
  const channels = [
    { channel: "email", recipient: requests.customerEmail, other: "sms" },
    { channel: "sms", recipient: requests.recipientPhone, other: "email" },
  ] as const;
  return channels.map(({ channel, recipient, other }) =>
    insertFromRequests(db, {
      kind: "expiring",
      channel,
      recipient,
      dedupeKey: sql`'expiring:' || ${requests.id} || ':' || ${requests.expirationDate} || ${`:${channel}`}`,
      where: and(ending, ne(requests.notificationPreference, other), gt(recipient, "")),
      now,
    }),
  );
}

/** Queues one notification for each envelope, in the database itself, however many they are. */
export function insertFromRequests(
  db: Database,
  row: {
    kind: NotificationKind;
    channel: "email" | "sms";
    recipient: typeof users.email | typeof requests.customerEmail | typeof requests.recipientPhone;
    dedupeKey: SQL;
    /** Empty where the rows tell it all. */
    payload?: SQL;
    where: SQL | undefined;
    now: string;
  },
): Statement {
  const none = (column: string) => sql`null`.as(column);
  // Every column in its order, as an insert from a select asks for; D1 takes no raw statement in a batch.
  const rows = db
    .select({
      id: none("id"),
      userId: requests.userId,
      requestId: requests.id,
      kind: sql`${row.kind}`.as("kind"),
      channel: sql`${row.channel}`.as("channel"),
      recipient: row.recipient,
      payload: (row.payload ?? sql`'{}'`).as("payload"),
      dedupeKey: row.dedupeKey.as("dedupe_key"),
      status: sql`'queued'`.as("status"),
      attempts: sql`0`.as("attempts"),
      nextAttemptAt: sql`${row.now}`.as("next_attempt_at"),
      claimedBy: none("claimed_by"),
      claimedUntil: none("claimed_until"),
      lastError: none("last_error"),
      failure: none("failure"),
      createdAt: sql`${row.now}`.as("created_at"),
      sentAt: none("sent_at"),
    })
    .from(requests)
    .innerJoin(users, eq(users.id, requests.userId))
    .where(row.where);
  return db.insert(notifications).select(rows).onConflictDoNothing({ target: notifications.dedupeKey });
}

/** Pending envelopes whose next reminder is due, a page at a time in the order of their ids. */
export async function listDueReminders(db: Database, now: string, page: { after: number; limit: number }) {
  return db
    .select()
    .from(requests)
    .where(
      and(eq(requests.status, "pending"), lte(requests.nextReminderAt, now), gt(requests.id, page.after)),
    )
    .orderBy(asc(requests.id))
    .limit(page.limit);
}

/** Moves the next reminder on, unless another process already has. */
export function setNextReminder(db: Database, id: number, due: string, next: string | null): Statement {
  return db
    .update(requests)
    .set({ nextReminderAt: next })
    .where(and(eq(requests.id, id), eq(requests.nextReminderAt, due)));
}

/** Removes what has outlived its use: sessions, reset links, counters, and mails to accounts sent before `sentBefore`. */
export function deleteOutlived(
  db: Database,
  { now, sentBefore }: { now: string; sentBefore: string },
): Statement[] {
  return [
    ...deleteExpiredSignIns(db, now),
    db.delete(rateLimits).where(lt(rateLimits.resetAt, now)),
    db
      .delete(notifications)
      .where(
        and(
          isNull(notifications.requestId),
          lt(notifications.createdAt, sentBefore),
          ne(notifications.status, "queued"),
        ),
      ),
  ];
}

/** Those of the store's keys that no row knows. */
export async function listUnknownKeys(db: Database, keys: string[]): Promise<string[]> {
  const given = sql`(select value from json_each(${JSON.stringify(keys)}))`;
  const givenUrls = sql`(select '/uploads/' || value from json_each(${JSON.stringify(keys)}))`;
  const files = await db
    .select({ key: submissions.filePath })
    .from(submissions)
    .where(and(inArray(submissions.filePath, given), isNull(submissions.deletedAt)));
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
