import { and, desc, eq, exists, inArray, lte, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { NotSentReason } from "../../worker/contract/schedules";
import { type Database, runBatch, type Statement } from "../client";
import { envelopeDocuments, envelopes, scheduleNews, series, users, workspaces } from "../schema";
import { laterThan } from "./changed-meanwhile";
import { insertEventsWhere } from "./envelope-events";
import { inTurn } from "./fair-claims";
import { onlyWhile } from "./guard";
import { isAssigneeDisabled, isMember, isOpenWorkspace, type Member } from "./members";
import { equals, hasRows, listed, pick, valuesOf } from "./query-helpers";
import { insertScheduleNews } from "./schedule-news";
import { workspacesLately } from "./workspace-activity";

/**
 * Makes the job look at an envelope that is scheduled, whose assignee or their time zone changes: at a time that its hour has
 * in no zone before.
 */
export const lookAgain = {
  sendAt: sql<string>`iif(${envelopes.status} = 'scheduled', date(${envelopes.sendOn}, '-1 day') || 'T10:00:00.000Z', null)`,
};

/** Envelopes that one statement changes: their status is in many indexes. */
const CHANGED_AT_ONCE = 500;

/** The same for all of an account, in parts: others are served in between. */
export async function lookAgainAtAll(
  db: Database,
  userId: number,
  takeTurn: (() => Promise<void>) | undefined,
): Promise<void> {
  const theirs = equals(envelopes, { userId, status: "scheduled" });
  const { id, sendAt } = envelopes;
  const limit = takeTurn ? CHANGED_AT_ONCE : 10 * CHANGED_AT_ONCE;
  // The latest first: none gets a later time, so each is read twice at most.
  for (let last = { id: 0, sendAt: "9999" as string | null }; ; ) {
    await takeTurn?.();
    const rows = await db
      .select({ id, sendAt })
      .from(envelopes)
      .where(and(theirs, sql`(${sendAt}, ${id}) < (${last.sendAt}, ${last.id})`))
      .orderBy(desc(sendAt), desc(id))
      .limit(limit);
    const ids = listed(rows.map((row) => row.id));
    await db
      .update(envelopes)
      .set(lookAgain)
      .where(and(theirs, inArray(id, ids), sql`${sendAt} is not ${lookAgain.sendAt}`));
    if (rows.length < limit) return;
    last = rows.at(-1) ?? last;
  }
}

/** A claim lasts for minutes: one until a later time was made while the clock was ahead. */
const isUnclaimed = (until: SQLWrapper, now: string) =>
  sql`(${until} is null or ${until} < ${now} or ${until} > strftime('%FT%TZ', ${now}, '+1 hour'))`;
const isDue = (now: string) => and(eq(envelopes.status, "scheduled"), lte(envelopes.sendAt, now));

/**
 * Some scheduled envelopes to look at, with the time zones of their assignees: of all accounts in turn, from the one after
 * `after`. Of each account only as many are read, however many are due.
 */
export function listDueEnvelopes(
  db: Database,
  now: string,
  { limit, after = 0 }: { limit: number; after?: number },
) {
  const isScheduled = sql`status = 'scheduled'`;
  const nextAccount = (account: SQL) =>
    sql`select min(it.user_id) from envelopes as it where it.${isScheduled} and it.user_id > ${account}`;
  const dueOf = (
    account: SQL,
  ) => sql`select item.id from envelopes as item where item.${isScheduled} and item.user_id = ${account}
    and item.send_at <= ${now} and ${isUnclaimed(sql`item.send_claimed_until`, now)} and ${isOpenWorkspace(sql`item.workspace_id`)}`;
  const due = sql`(
    with recursive next(account) as (
      select (${nextAccount(sql`0`)}) union all select (${nextAccount(sql`next.account`)}) from next where next.account is not null
    ), called as (
      select account from next where exists (${dueOf(sql`account`)}) order by account <= ${after}, account limit ${limit}
    )
    select item.id, account, row_number() over (partition by account order by item.send_at, item.id) as place
    from called cross join envelopes as item on item.id in (${dueOf(sql`account`)} order by item.send_at, item.id limit ${limit})
  )`;
  return (
    db
      .select({
        ...pick(envelopes, "id", "userId", "workspaceId", "sendOn", "sendHour", "sendAt"),
        ...pick(envelopes, "subject", "title", "recipientName", "updatedAt"),
        timeZone: users.timeZone,
        isDisabled: isAssigneeDisabled(envelopes.workspaceId),
      })
      .from(sql`${due} as due`)
      // Cross joins, so that SQLite reads the few that are due first.
      .crossJoin(envelopes)
      .crossJoin(users)
      .where(and(sql`${envelopes.id} = due.id`, eq(users.id, envelopes.userId)))
      .orderBy(sql`${inTurn(after)}, due.id`)
      .limit(limit)
  );
}

/** How many were due before a time. */
export const countLateEnvelopes = (db: Database, before: string): Promise<number> =>
  db.$count(envelopes, and(isDue(before), isOpenWorkspace(envelopes.workspaceId)));

/** When an envelope is looked at next, and until when this process sends it; null if it waits. */
export type Plan = { id: number; due: string | null; sendAt: string; claimedUntil: string | null };

/** Claims or postpones envelopes that no other process has. @returns the ids of these */
export async function planDueEnvelopes(db: Database, plans: readonly Plan[], now: string) {
  const planned = await db
    .update(envelopes)
    .set({
      sendAt: sql`plan.value ->> '$.sendAt'`,
      sendClaimedUntil: sql`plan.value ->> '$.claimedUntil'`,
    })
    .from(sql`json_each(${JSON.stringify(plans)}) as plan`)
    .where(
      and(
        sql`${envelopes.id} = plan.value ->> '$.id'`,
        eq(envelopes.status, "scheduled"),
        sql`${envelopes.sendAt} is plan.value ->> '$.due'`,
        isUnclaimed(envelopes.sendClaimedUntil, now),
      ),
    )
    .returning({ id: envelopes.id });
  return new Set(planned.map(({ id }) => id));
}

type Read = Pick<
  typeof envelopes.$inferSelect,
  "id" | "userId" | "workspaceId" | "subject" | "title" | "recipientName" | "updatedAt"
>;

/**
 * The statements that make a draft of an envelope that could not be sent, and tell its assignee. They fail if it has changed
 * since it was read, see `isReaderMissing`.
 */
export function stopScheduled(
  db: Database,
  read: Read,
  { reason, now }: { reason: NotSentReason; now: string },
): Statement[] {
  const { id, userId, workspaceId, subject, title, recipientName, updatedAt } = read;
  const asRead = equals(envelopes, { id, status: "scheduled", updatedAt, userId });
  const isAsRead = exists(valuesOf(envelopes.id, asRead));
  return [
    insertScheduleNews(db, {
      ...{
        userId: onlyWhile(isAsRead, userId),
        workspaceId,
        envelopeId: id,
        mail: "not_sent",
        createdAt: now,
      },
      news: {
        ...{ title: subject ?? title, reason, path: `/?envelope=${id}` },
        ...(recipientName && { details: recipientName }),
      },
    }),
    ...makeDrafts(db, eq(envelopes.id, id), { reason, now }),
  ];
}

const plannedBy = (userId: number, now: string, workspaceId?: number) =>
  and(
    sql`${envelopes.workspaceId} in ${workspacesLately(userId, now, workspaceId)}`,
    eq(envelopes.status, "scheduled"),
    or(eq(envelopes.createdBy, userId), eq(envelopes.updatedBy, userId)),
  );

/**
 * The statements that make drafts of what an account has scheduled, or changed last, and tell the assignees: who did so may
 * not have been its owner.
 * @param workspaceId the only one that is meant
 */
export function stopScheduledOf(
  db: Database,
  userId: number,
  now: string,
  { workspaceId, which }: { workspaceId?: number; which?: SQL } = {},
): Statement[] {
  const theirs = and(which, plannedBy(userId, now, workspaceId));
  const reason: NotSentReason = "password";
  const news = sql`json_patch('{}', json_object('title', coalesce(${envelopes.subject}, ${envelopes.title}), 'details', ${envelopes.recipientName}, 'path', '/?envelope=' || ${envelopes.id}, 'reason', ${reason}))`;
  return [
    db.insert(scheduleNews).select(
      // All columns in table order, as `insert … select` requires.
      sql`select null, ${envelopes.userId}, ${envelopes.workspaceId}, ${envelopes.id}, 'not_sent', ${news}, ${now} from ${envelopes} where ${theirs}`,
    ),
    ...makeDrafts(db, theirs, { reason, now }),
  ];
}

/** The same in parts, if they are many, before the batch that ends what may have planned more. */
export async function stopManyScheduled(
  db: Database,
  userId: number,
  {
    now,
    takeTurn,
    workspaceId,
  }: { now: string; takeTurn: (() => Promise<unknown>) | undefined; workspaceId?: number },
): Promise<void> {
  for (;;) {
    const rows = await db
      .select({ id: envelopes.id })
      .from(envelopes)
      .where(plannedBy(userId, now, workspaceId))
      .limit(CHANGED_AT_ONCE);
    if (rows.length < CHANGED_AT_ONCE) return;
    await takeTurn?.();
    await runBatch(
      db,
      stopScheduledOf(db, userId, now, { which: inArray(envelopes.id, listed(rows.map(({ id }) => id))) }),
    );
  }
}

/**
 * The statements that make drafts of all scheduled envelopes after an import, since the exported instance sends them, and
 * mark the workspaces with anything that is sent on a day: home says so.
 */
export function stopAllScheduled(db: Database, now: string): Statement[] {
  const all = eq(envelopes.status, "scheduled");
  const has = (table: SQL, condition: SQL) =>
    sql`exists (select 1 from ${table} as inside where inside.workspace_id = ${workspaces.id} and ${condition})`;
  return [
    db
      .update(workspaces)
      .set({ schedulesStopped: true })
      .where(
        or(
          has(sql`${envelopes}`, sql`inside.status = 'scheduled'`),
          has(sql`${series}`, sql`inside.paused is null`),
          has(sql`${envelopeDocuments}`, sql`inside.check_at is not null`),
        ),
      ),
    ...makeDrafts(db, all, { reason: "moved", now }),
  ];
}

const makeDrafts = (
  db: Database,
  which: SQL | undefined,
  { reason, now }: { reason: NotSentReason; now: string },
): Statement[] => [
  insertEventsWhere(db, which, {
    ...{ kind: "not_sent", actor: "service", address: null, detail: reason, at: now },
  }),
  db
    .update(envelopes)
    .set({
      ...{ status: "draft" as const, isDraft: true, sendAt: null, sendClaimedUntil: null },
      updatedAt: laterThan(envelopes.updatedAt, now),
    })
    .where(which),
];

/** Records that somebody of the workspace has read that. @returns whether it is the caller's */
export const dismissStopped = (db: Database, member: Member, id: number): Promise<boolean> =>
  hasRows(
    db
      .update(workspaces)
      .set({ schedulesStopped: false })
      .where(and(eq(workspaces.id, id), isMember(workspaces.id, member)))
      .returning({ id: workspaces.id }),
  );
