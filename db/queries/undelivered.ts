import { and, eq, exists, gte, inArray, lt, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type FinalFailure, REQUEST_KINDS } from "../../worker/contract/notifications";
import { type Database, runBatch } from "../client";
import { envelopes, notifications, users } from "../schema";
import { isOpenWorkspace } from "./members";
import { notificationColumns } from "./notifications";
import { equals, pick, type TakeTurn } from "./query-helpers";

/** A period of failures, from `since` until before `until`. */
type Period = { since: string; until: string };

const later = alias(notifications, "later");
const own = alias(notifications, "own");

/**
 * Requests to recipients that failed in this period and that no later one on the same channel replaces, while the list
 * marks their envelope. A failed message keeps the time of its failure in `nextAttemptAt`.
 */
const isUndelivered = (db: Database, { since, until }: Period) =>
  and(
    eq(notifications.status, "failed"),
    gte(notifications.nextAttemptAt, since),
    lt(notifications.nextAttemptAt, until),
    inArray(notifications.kind, REQUEST_KINDS),
    inArray(envelopes.status, ["pending", "expired"]),
    isOpenWorkspace(envelopes.workspaceId),
    eq(envelopes.delivery, "failed"),
    sql`not exists ${db
      .select({ one: sql`1` })
      .from(later)
      .where(
        and(
          eq(later.envelopeId, envelopes.id),
          eq(later.channel, notifications.channel),
          inArray(later.kind, REQUEST_KINDS),
          sql`${later.id} > ${notifications.id}`,
          sql`${later.failure} is not 'outdated'`,
        ),
      )}`,
  );

/** The hour of the last notice to the account; null if none is stored. Finds it by its key. */
const lastNoticeHour = sql`(select max(substr(${own.createdAt}, 1, 13)) from ${notifications} as ${own} where ${own.dedupeKey} > 'undelivered:' || ${users.id} || ':' and ${own.dedupeKey} < 'undelivered:' || ${users.id} || ';')`;

/** How many of an account's messages are read to find the last one to itself. */
const RECENT = 100;

/** Whether the last mail to the account's own address was rejected; an outage says nothing about the address. */
const isAddressRefused = sql`exists (select 1 from ${notifications} as ${own} where ${own.failure} = 'refused' and ${own.id} = (select max(id) from (select id, recipient, status from ${notifications} as ${own} where ${own.userId} = ${users.id} order by ${own.id} desc limit ${RECENT}) where recipient = ${users.email} and status in ('sent', 'failed')))`;

/** Messages, or accounts, of one statement: others wait for it. */
const PART = { inTurn: 500, atOnce: 5000 };

/** The accounts with undelivered messages of the period, each with when the last one failed. */
export async function findUndelivered(
  db: Database,
  period: Period,
  takeTurn: TakeTurn,
): Promise<Map<number, string>> {
  const limit = takeTurn ? PART.inTurn : PART.atOnce;
  const accounts = new Map<number, string>();
  for (let last = { at: period.since, id: 0 }; ; ) {
    await takeTurn?.();
    const page = await db
      .select({
        ...{ at: notifications.nextAttemptAt, id: notifications.id, userId: notifications.userId },
        isUndelivered: sql`${exists(
          db
            .select({ one: sql`1` })
            .from(envelopes)
            .where(and(eq(envelopes.id, notifications.envelopeId), isUndelivered(db, period))),
        )}`.mapWith(Boolean),
      })
      .from(notifications)
      .where(
        and(
          eq(notifications.status, "failed"),
          sql`(${notifications.nextAttemptAt}, ${notifications.id}) > (${last.at}, ${last.id})`,
          lt(notifications.nextAttemptAt, period.until),
        ),
      )
      .orderBy(notifications.nextAttemptAt, notifications.id)
      .limit(limit);
    for (const { userId, at, isUndelivered } of page) if (isUndelivered && userId) accounts.set(userId, at);
    const end = page.at(-1);
    if (!end || page.length < limit) return accounts;
    last = end;
  }
}

/**
 * Queues one notice to each of these accounts whose last undelivered message no earlier notice lists: an earlier one ended
 * where its own hour began. A disabled account is notified once it is enabled.
 */
export async function queueUndeliveredNotices(
  db: Database,
  accounts: ReadonlyMap<number, string>,
  { now, since, until, takeTurn }: Period & { now: string; takeTurn: TakeTurn },
): Promise<void> {
  const from = sql`coalesce(${lastNoticeHour} || ':00:00.000Z', ${since})`;
  const all = [...accounts];
  const limit = takeTurn ? PART.inTurn / 10 : PART.atOnce;
  for (let at = 0; at < all.length; at += limit) {
    await takeTurn?.();
    const notices = db
      .select(
        notificationColumns({
          kind: "undelivered",
          payload: { since: from, until },
          dedupeKey: sql`'undelivered:' || ${users.id} || ':' || substr(${now}, 1, 13)`,
          now,
        }),
      )
      .from(sql`json_each(${JSON.stringify(all.slice(at, at + limit))})`)
      .crossJoin(users)
      .where(
        and(
          equals(users, { id: sql`json_each.value ->> 0`, isVerified: true, disabledAt: null }),
          gte(sql`json_each.value ->> 1`, from),
          sql`not ${isAddressRefused}`,
        ),
      );
    await runBatch(db, [
      db.insert(notifications).select(notices).onConflictDoNothing({ target: notifications.dedupeKey }),
    ]);
  }
}

/** The account's undelivered messages of the period, oldest failure first, each with the number of all of them. */
export function listUndelivered(
  db: Database,
  userId: number,
  { limit, ...period }: Period & { limit: number },
) {
  return db
    .select({
      envelopeId: envelopes.id,
      ...pick(envelopes, "subject", "title", "recipientName", "customerEmail", "recipientPhone"),
      channel: notifications.channel,
      recipient: notifications.recipient,
      failure: sql<FinalFailure>`coalesce(${notifications.failure}, 'internal')`,
      // The window has the order of the result, so that SQLite need not sort it again.
      total: sql<number>`count(*) over (order by ${notifications.nextAttemptAt} rows between unbounded preceding and unbounded following)`,
    })
    .from(notifications)
    .crossJoin(envelopes)
    .where(
      and(
        // The plus makes SQLite read the period of all accounts instead of every message of this one.
        eq(sql`+${notifications.userId}`, userId),
        eq(envelopes.id, notifications.envelopeId),
        isUndelivered(db, period),
      ),
    )
    .orderBy(notifications.nextAttemptAt)
    .limit(limit);
}
