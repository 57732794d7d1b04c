import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database, Statement } from "../client";
import {
  envelopes,
  fileDeliveries,
  idempotencyKeys,
  notifications,
  rateLimits,
  signIns,
  users,
  webhookDeliveries,
} from "../schema";
import { insertEventsWhere } from "./envelope-events";
import { isWaiting } from "./file-deliveries";
import { isOpenWorkspace } from "./members";
import { insertFromEnvelopes } from "./notifications";
import { listed, pick, type TakeTurn } from "./query-helpers";
import { deleteUploads, uploadsOf } from "./uploads";
import { expiredSignIns } from "./users";

/** Pending envelopes whose link ended before `now`. */
const expiredBy = (now: string) =>
  and(eq(envelopes.status, "pending"), lt(envelopes.expiresAt, now), isOpenWorkspace(envelopes.workspaceId));

/** The expiration date and its zone: either may change, and each expiry is notified once. */
const endKey = sql`${envelopes.id} || ':' || ${envelopes.expirationDate} || coalesce(' ' || ${envelopes.timeZone}, '')`;

/**
 * Some pending envelopes whose link has ended, the first ones first. Read once, not by each statement that expires them:
 * before these, there may be many in workspaces that are being deleted.
 */
export async function listExpired(db: Database, now: string, limit: number): Promise<number[]> {
  const rows = await db
    .select({ id: envelopes.id })
    .from(envelopes)
    .where(expiredBy(now))
    .orderBy(envelopes.expiresAt, envelopes.id)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Statements that expire those of them that still are, record the event and queue a notice to each requestor. */
export function markExpired(db: Database, ids: readonly number[], now: string): Statement[] {
  const some = and(inArray(envelopes.id, listed(ids)), expiredBy(now));
  return [
    insertFromEnvelopes(db, {
      payload: {},
      kind: "expired",
      dedupeKey: sql`'expired:' || ${endKey}`,
      where: some,
      now,
    }),
    insertEventsWhere(db, some, {
      kind: "expired",
      actor: "service",
      address: null,
      detail: envelopes.expirationDate,
      at: now,
    }),
    ...deleteUploads(db, uploadsOf(some), now),
    // Not `updatedAt`: nobody has edited it, and whoever is about to extend it may.
    db.update(envelopes).set({ status: "expired", nextReminderAt: null }).where(some),
  ];
}

type Ending = { id: number; expiresAt: string | null };
type Period = { endingBy: string; sentBefore: string; now: string };

/** Envelopes that expire by `endingBy` and were sent before `sentBefore`. */
const isEnding = ({ endingBy, sentBefore, now }: Period) =>
  and(
    eq(envelopes.status, "pending"),
    gte(envelopes.expiresAt, now),
    lte(envelopes.expiresAt, endingBy),
    lte(envelopes.sentAt, sentBefore),
    isOpenWorkspace(envelopes.workspaceId),
  );

/** One page of them, in the order in which they expire. `after` is the last one of the page before. */
export async function listEndingEnvelopes(
  db: Database,
  period: Period,
  { after, limit }: { after?: Ending | undefined; limit: number },
): Promise<Ending[]> {
  const { id = 0, expiresAt = "" } = after ?? {};
  return db
    .select({ id: envelopes.id, expiresAt: envelopes.expiresAt })
    .from(envelopes)
    .where(and(isEnding(period), sql`(${envelopes.expiresAt}, ${envelopes.id}) > (${expiresAt}, ${id})`))
    .orderBy(asc(envelopes.expiresAt), asc(envelopes.id))
    .limit(limit);
}

/** Statements that notify the recipients of those of a page that still are, once per expiration date. */
export function queueExpiringNotices(db: Database, page: readonly Ending[], period: Period): Statement[] {
  const ending = and(inArray(envelopes.id, listed(page.map(({ id }) => id))), isEnding(period));
  const channels = [
    { channel: "email", recipient: envelopes.customerEmail, other: "sms" },
    { channel: "sms", recipient: envelopes.recipientPhone, other: "email" },
  ] as const;
  return channels.map(({ channel, recipient, other }) =>
    insertFromEnvelopes(db, {
      payload: {},
      kind: "expiring",
      to: { channel, recipient },
      dedupeKey: sql`'expiring:' || ${endKey} || ${`:${channel}`}`,
      where: and(ending, ne(envelopes.notificationPreference, other), gt(recipient, "")),
      now: period.now,
    }),
  );
}

type Due = Pick<typeof envelopes.$inferSelect, "id" | "nextReminderAt">;

/**
 * One page of pending envelopes whose next reminder is due, in that order, with the time zones of their owners. `after` is
 * the last one of the page before.
 */
export async function listDueReminders(
  db: Database,
  now: string,
  page: { after?: Due | undefined; limit: number },
) {
  const { id = 0, nextReminderAt = "" } = page.after ?? {};
  return db
    .select({ ...getTableColumns(envelopes), ownerTimeZone: users.timeZone })
    .from(envelopes)
    .innerJoin(users, eq(users.id, envelopes.userId))
    .where(
      and(
        eq(envelopes.status, "pending"),
        lte(envelopes.nextReminderAt, now),
        isOpenWorkspace(envelopes.workspaceId),
        sql`(${envelopes.nextReminderAt}, ${envelopes.id}) > (${nextReminderAt}, ${id})`,
      ),
    )
    .orderBy(asc(envelopes.nextReminderAt), asc(envelopes.id))
    .limit(page.limit);
}

/** Schedules the next reminder, unless another process already has. `sent` is when one is queued now. */
export function setNextReminder(
  db: Database,
  { id, due, next, sent }: { id: number; due: string; next: string | null; sent?: string },
): Statement {
  return db
    .update(envelopes)
    .set({ nextReminderAt: next, ...(sent && { remindedAt: sent }) })
    .where(and(eq(envelopes.id, id), eq(envelopes.nextReminderAt, due)));
}

/** Rows of one statement: others wait for it, but not on a Worker, whose run has few statements. */
const RESTARTED = { inTurn: 200, atOnce: 10_000 };

type Clock = { now: string; latest: string; takeTurn: TakeTurn };

/** Makes regular reminders due that are planned after `latest`, since the clock was ahead then: the last ones first. */
export async function restartReminders(db: Database, { now, latest, takeTurn }: Clock): Promise<void> {
  const limit = takeTurn ? RESTARTED.inTurn : RESTARTED.atOnce;
  const isRegular = and(ne(envelopes.reminderFrequency, "none"), lte(envelopes.sentAt, now));
  const isLater = gt(envelopes.nextReminderAt, latest);
  for (let after: Due | undefined; ; await takeTurn?.()) {
    const before =
      after && sql`(${envelopes.nextReminderAt}, ${envelopes.id}) < (${after.nextReminderAt}, ${after.id})`;
    const page: Due[] = await db
      .select(pick(envelopes, "id", "nextReminderAt"))
      .from(envelopes)
      // A literal, as the condition of the partial index.
      .where(and(sql`${envelopes.status} = 'pending'`, isLater, before))
      .orderBy(desc(envelopes.nextReminderAt), desc(envelopes.id))
      .limit(limit);
    const ids = listed(page.map(({ id }) => id));
    const restarted = and(inArray(envelopes.id, ids), isRegular, isLater);
    await db.update(envelopes).set({ nextReminderAt: now }).where(restarted);
    after = page.at(-1);
    if (page.length < limit || !takeTurn) return;
  }
}

/** Messages of which is looked whether they are claimed for too long: those that have been due longest. */
const RECLAIMED_AT_ONCE = 1000;

/** Makes messages and deliveries due whose next attempt, or claim, is after `latest`, which none is if the clock is right. */
export async function restartWaiting(db: Database, clock: Clock): Promise<void> {
  const { now, latest, takeTurn } = clock;
  const limit = takeTurn ? RESTARTED.inTurn : RESTARTED.atOnce;
  const queued = (where?: SQL) =>
    db
      .select({ id: notifications.id })
      .from(notifications)
      .where(and(eq(notifications.status, "queued"), where));
  const later = queued(gt(notifications.nextAttemptAt, latest)).limit(limit);
  const longestDue = queued().orderBy(notifications.nextAttemptAt).limit(RECLAIMED_AT_ONCE);
  const restart = (which: SQL | undefined) =>
    db.update(notifications).set(dueAt(now)).where(which).returning({ id: notifications.id });
  while ((await restart(inArray(notifications.id, later))).length === limit && takeTurn) await takeTurn();
  await restart(and(inArray(notifications.id, longestDue), gt(notifications.claimedUntil, latest)));
  // A literal, as the condition of the partial index.
  const isPending = sql`${webhookDeliveries.status} = 'pending'`;
  await restartDeliveries(db, webhookDeliveries, { of: webhookDeliveries.webhookId, isPending }, clock);
  await restartDeliveries(
    db,
    fileDeliveries,
    { of: fileDeliveries.destinationId, isPending: isWaiting },
    clock,
  );
}

const dueAt = (now: string) => ({ nextAttemptAt: now, claimedBy: null, claimedUntil: null });

/** The same of deliveries, in the order of an index of those that are pending, by whom they are `of`. */
async function restartDeliveries(
  db: Database,
  table: typeof webhookDeliveries | typeof fileDeliveries,
  { of, isPending }: { of: SQLiteColumn; isPending: SQL },
  { now, latest, takeTurn }: Clock,
): Promise<void> {
  const limit = takeTurn ? RESTARTED.inTurn * 5 : RESTARTED.atOnce;
  const isLater = or(gt(table.nextAttemptAt, latest), gt(table.claimedUntil, latest));
  for (let last = { of: 0, id: 0 }; ; await takeTurn?.()) {
    const page = await db
      .select({
        of: sql<number>`${of}`,
        id: table.id,
        isLater: sql`coalesce(${isLater}, 0)`.mapWith(Boolean),
      })
      .from(table)
      .where(and(isPending, sql`(${of}, ${table.id}) > (${last.of}, ${last.id})`))
      .orderBy(of, table.id)
      .limit(limit);
    const ids = page.flatMap(({ id, isLater }) => (isLater ? [id] : []));
    if (ids.length > 0)
      await db
        .update(table)
        .set(dueAt(now))
        .where(and(inArray(table.id, listed(ids)), isPending, isLater));
    const end = page.at(-1);
    if (!end || page.length < limit) return;
    last = end;
  }
}

/**
 * Deletes expired sessions, links and counters, account mails sent before `sentBefore`, sign-ins and idempotency keys
 * before these times, at most so many of each.
 * @returns whether there may be more
 */
export async function deleteSomeStaleRows(
  db: Database,
  { now, sentBefore, signedInBefore, keyedBefore, limit }: StaleRows,
): Promise<boolean> {
  const stale = [
    ...expiredSignIns(now),
    [rateLimits, lt(rateLimits.resetAt, now)],
    [signIns, lt(signIns.at, signedInBefore)],
    [idempotencyKeys, lt(idempotencyKeys.createdAt, keyedBefore)],
    [
      notifications,
      and(
        isNull(notifications.envelopeId),
        // A deleted account's address is deleted with the mail about its deletion.
        or(lt(notifications.createdAt, sentBefore), eq(notifications.kind, "account_deleted")),
        ne(notifications.status, "queued"),
      ),
    ],
  ] satisfies [SQLiteTable, SQL | undefined][];
  const [first, ...rest] = stale.map(([table, which]) =>
    db
      .delete(table)
      .where(sql`rowid in (select rowid from ${table} where ${which} limit ${limit})`)
      .returning({ deleted: sql<1>`1` }),
  );
  const deleted = first ? await db.batch([first, ...rest]) : [];
  return deleted.some(({ length }) => length === limit);
}

type StaleRows = Record<"now" | "sentBefore" | "signedInBefore" | "keyedBefore", string> & { limit: number };
