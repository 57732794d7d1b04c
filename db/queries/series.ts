import { and, eq, getTableColumns, inArray, isNull, lte, not, type SQL, sql } from "drizzle-orm";
import type { ErrorCode } from "../../worker/contract/errors";
import { LIMITS, SERVER_LIMITS } from "../../worker/contract/limits";
import type { AccountQuota } from "../../worker/contract/quotas";
import type { NotSentReason } from "../../worker/contract/schedules";
import type { ListedSeries, OccurrenceState, PauseReason } from "../../worker/contract/series";
import { type Database, type Query, runBatch, type Statement } from "../client";
import { violates } from "../errors";
import {
  bulkRecipients,
  bulkSends,
  contacts,
  envelopes,
  scheduleNews,
  series,
  seriesOccurrences,
  seriesRecipients,
  users,
  workspaceMembers,
  workspaces,
} from "../schema";
import { insertAttachmentUses, releaseAttachments } from "./attachments";
import { laterThan } from "./changed-meanwhile";
import { type Condition, onlyWhile } from "./guard";
import { nextOwner } from "./handovers";
import { type KeyClaim, recordKeyedResource } from "./idempotency-keys";
import { isMember, type Member } from "./members";
import { hasRows, listed, pick, prepared, shortLists, type TakeTurn, valuesOf } from "./query-helpers";
import { requireWithinQuota } from "./quotas";
import { activityTarget, insertActivity, workspacesLately } from "./workspace-activity";
import { ownWorkspace } from "./workspaces";

export type SeriesRow = typeof series.$inferSelect;
type Occurrence = ListedSeries["occurrences"][number];
/** A series with the time zone that its days are in, and what became of its latest occurrences. */
export type FoundSeries = SeriesRow & {
  timeZone: string | null;
  recipientCount: number;
  occurrences: Occurrence[];
};

const own = (member: Member, id: number) => and(eq(series.id, id), isMember(series.workspaceId, member));

const ofPerson = sql`(select person.time_zone from ${users} as person where person.id = coalesce(${series.assigneeId}, ${series.userId}))`;
const ofRecipients = sql`(select count(*) from ${seriesRecipients} as one where one.series_id = ${series.id})`;

const inBulk = (occurrence: "it" | "one", state: "created" | "failed") =>
  sql.raw(
    `(select count(*) from bulk_recipients as each where each.bulk_id = ${occurrence}.bulk_id and each.state = '${state}')`,
  );
const isFinished = sql`exists (select 1 from ${bulkSends} as bulk where bulk.id = it.bulk_id and bulk.finished_at is not null)`;
/** Who failed is deleted after a while, and the number of them stays. */
const latest = (
  count: number,
) => sql`(select json_group_array(json_object('number', it.number, 'on', it.day, 'state', it.state, 'bulkId', it.bulk_id, 'total', it.total, 'left', it.left_out,
    'created', it.created, 'failed', iif(${isFinished}, it.total - it.left_out - it.created, ${inBulk("it", "failed")}),
    'completed', (select count(*) from ${envelopes} as sent where sent.bulk_id = it.bulk_id and +sent.workspace_id = ${series.workspaceId} and sent.status = 'completed')))
  from (select one.*, ${inBulk("one", "created")} as created from ${seriesOccurrences} as one where one.series_id = ${series.id} order by one.number desc limit ${count}) as it)`;

const columnsWith = (occurrences: number) => ({
  ...getTableColumns(series),
  // In a nested one, drizzle names the tables of columns.
  timeZone: sql<string | null>`${ofPerson}`,
  recipientCount: sql<number>`${ofRecipients}`,
  occurrences: sql<Occurrence[]>`${latest(occurrences)}`.mapWith(
    (json: string) => JSON.parse(json) as Occurrence[],
  ),
});

/** The latest occurrences of one series that are listed. */
const LISTED_OCCURRENCES = 24;

export const findSeries = (
  db: Database,
  member: Member,
  id: number,
  occurrences = LISTED_OCCURRENCES,
): Promise<FoundSeries | undefined> =>
  db.select(columnsWith(occurrences)).from(series).where(own(member, id)).get();

/** A series that the caller has just written: meanwhile they may have lost access. */
export const findWrittenSeries = (db: Database, id: number): Promise<FoundSeries | undefined> =>
  db.select(columnsWith(LISTED_OCCURRENCES)).from(series).where(isSeries(id)).get();

/** The ids of the series that the caller sees: of a workspace, with a contact, or all. */
export async function listSeriesIds(
  db: Database,
  member: Member,
  { workspaceId, contactId }: { workspaceId?: number | undefined; contactId?: number | undefined },
): Promise<number[]> {
  const withContact = valuesOf(seriesRecipients.seriesId, sql`${seriesRecipients.contactId} = ${contactId}`);
  const rows = await db
    .select({ id: series.id })
    .from(series)
    .where(
      and(
        isMember(series.workspaceId, member),
        workspaceId === undefined ? undefined : eq(series.workspaceId, workspaceId),
        contactId === undefined ? undefined : sql`${series.id} in ${withContact}`,
      ),
    );
  return rows.map(({ id }) => id);
}

/** Those of these series that the caller sees, with their last occurrence. */
export const listSeries = (db: Database, member: Member, ids: readonly number[]): Promise<FoundSeries[]> =>
  db
    .select(columnsWith(1))
    .from(series)
    .where(and(sql`${series.id} in ${listed(ids)}`, isMember(series.workspaceId, member)));

const dueSeries = prepared((db) =>
  db
    .select({ ...getTableColumns(series), timeZone: sql<string | null>`${ofPerson}` })
    .from(series)
    .where(
      and(
        lte(series.dueAt, sql.placeholder("now")),
        sql`(${series.dueAt}, ${series.id}) > (${sql.placeholder("dueAt")}, ${sql.placeholder("id")})`,
      ),
    )
    .orderBy(series.dueAt, series.id)
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Series of all accounts that are due, after one of them; the longest due first. */
export const listDueSeries = (
  db: Database,
  now: string,
  { after, limit }: { after?: Pick<SeriesRow, "dueAt" | "id"> | undefined; limit: number },
) => dueSeries(db).all({ now, dueAt: after?.dueAt ?? "", id: after?.id ?? 0, limit });

/**
 * Series of all accounts that somebody has to look at: not sent although due before a time, kept back by a limit, missed
 * the last time, or paused although no person did so.
 */
export const listTroubledSeries = (db: Database, dueBefore: string) => {
  const last = sql`(select one.state from ${seriesOccurrences} as one where one.series_id = ${series.id} order by one.number desc limit 1)`;
  const trouble = sql<
    "late" | "limited" | "missed" | "paused"
  >`case when ${series.paused} <> 'person' then 'paused' when ${series.paused} is not null then null
    when ${series.limitedSince} is not null then 'limited' when ${series.dueAt} <= ${dueBefore} then 'late' when ${last} = 'missed' then 'missed' end`;
  return db
    .select({ name: series.name, workspace: workspaces.name, trouble })
    .from(series)
    .innerJoin(workspaces, and(eq(workspaces.id, series.workspaceId), isNull(workspaces.deletedAt)))
    .where(sql`${trouble} is not null`)
    .orderBy(series.id);
};

/** Whom a series is sent to, each with what the contact is at the moment: null if it is gone. */
export const listSeriesRecipients = (db: Database, seriesId: number) =>
  db
    .select({
      ...pick(seriesRecipients, "id", "contactId", "recipient"),
      contact: pick(contacts, "firstName", "lastName", "email", "phone", "company", "language"),
    })
    .from(seriesRecipients)
    .innerJoin(series, eq(series.id, seriesRecipients.seriesId))
    .leftJoin(
      contacts,
      and(eq(contacts.id, seriesRecipients.contactId), eq(contacts.workspaceId, series.workspaceId)),
    )
    .where(eq(seriesRecipients.seriesId, seriesId))
    .orderBy(seriesRecipients.id);

/** Envelopes of a series that one turn reads, or takes from it. */
const IN_TURN = 2000;

type LastOfSeries = {
  contactId: number | null;
  email: string;
  phone: string | null;
  status: string;
  id: number;
};

/**
 * Of each recipient of a series, by contact or else by address, whether the last envelope is completed.
 * @param takeTurn waits for the caller's turn, with each of which the last ones of some envelopes are read
 */
export async function* listLastOfSeries(db: Database, seriesId: number, takeTurn: TakeTurn) {
  // With `max`, SQLite reads the other columns from the row that has it.
  const lastOf = (some: SQL) =>
    db.all<LastOfSeries>(
      sql`select own.contact_id as contactId, lower(own.customer_email) as email, own.recipient_phone as phone, own.status as status, max(own.id) as id
      from ${envelopes} as own where ${some} group by own.contact_id, lower(own.customer_email), iif(own.customer_email = '', own.recipient_phone, '')`,
    );
  const all = sql`own.series_id = ${seriesId}`;
  if (!takeTurn) {
    yield await lastOf(all);
    return;
  }
  const found = await db.get<{ ids: string }>(
    sql`select json_group_array(own.id) as ids from ${envelopes} as own where ${all}`,
  );
  const ids: number[] = JSON.parse(found?.ids ?? "[]");
  for (let at = 0; at < ids.length; at += IN_TURN) {
    await takeTurn();
    yield await lastOf(sql`own.id in ${listed(ids.slice(at, at + IN_TURN))}`);
  }
}

type NewSeries = Omit<typeof series.$inferInsert, "id" | "textBytes" | "updatedBy"> & {
  recipients: readonly object[];
};

/** The series that the batch has inserted: ids only grow. */
const inserted = sql<number>`(select max(${series.id}) from ${series})`;

/** The statements after which `textBytes` is that of the present envelope and recipients. */
const countBytes = (db: Database, id: number | SQL<number>): Statement =>
  db
    .update(series)
    .set({
      textBytes: sql`octet_length(${series.envelope}) + (select coalesce(sum(octet_length(one.recipient)), 0) from ${seriesRecipients} as one where one.series_id = ${series.id})`,
    })
    .where(eq(series.id, sql`${id}`));

const insertRecipients = (
  db: Database,
  seriesId: number | SQL,
  recipients: readonly object[],
  condition?: Condition,
): Statement[] =>
  shortLists(recipients).map(({ start, json }) =>
    db
      .insert(seriesRecipients)
      .select(
        sql`select null, ${onlyWhile(start === 0 ? condition : undefined, sql`${seriesId}`)}, value ->> '$.contactId', value from json_each(${json}) where 1`,
      ),
  );

/** Stores a series, or fails, see `isSeriesRejected` and `isSeriesFull`. @returns its id */
export async function insertSeries(
  db: Database,
  member: Member,
  { recipients, workspaceId, ...row }: NewSeries,
  unchanged: Condition,
  quotas: AccountQuota,
  claim?: KeyClaim,
): Promise<number> {
  const isBelow = sql`(select count(*) from ${series} as other where other.workspace_id = ${workspaceId}) < ${SERVER_LIMITS.seriesPerWorkspace}`;
  const insert = db
    .insert(series)
    .values({
      ...row,
      updatedBy: member.userId,
      workspaceId: ownWorkspace(member, workspaceId),
      every: onlyWhile(isBelow, row.every),
      name: onlyWhile(unchanged, row.name),
    })
    .returning({ id: series.id });
  const [[stored]] = await db.batch([
    insert,
    ...recordKeyedResource(db, claim),
    ...insertRecipients(db, inserted, recipients),
    insertAttachmentUses(db, "series", inserted, workspaceId),
    countBytes(db, inserted),
    requireWithinQuota(db, quotas, { workspaceId, userId: member.userId }),
    insertActivity(db, member, {
      ...{ workspaceId, type: "series.created", target: activityTarget({ name: row.name }) },
      now: row.createdAt,
    }),
  ]);
  if (!stored) throw new Error("The series was not inserted");
  return stored.id;
}

export const isSeriesRejected = (error: unknown) => violates(error, "not null", series.workspaceId);
export const isSeriesFull = (error: unknown) => violates(error, "not null", series.every);
/** Whether a series was not stored because its caller's account has changed. */
export const isSeriesSenderRejected = (error: unknown) => violates(error, "not null", series.name);

type Changes = Partial<Omit<typeof series.$inferInsert, "id" | "workspaceId" | "updatedAt" | "textBytes">>;

export const isSeries = (id: number) => eq(series.id, id);

/** Whether the series is still as it was read. What ends with an account does not set `updatedAt`. */
const isAsRead = ({ nextNumber, updatedAt, userId, assigneeId, paused }: SeriesRow): Condition =>
  sql`(${series.nextNumber} = ${nextNumber} and ${series.updatedAt} = ${updatedAt} and ${series.userId} is ${userId} and ${series.assigneeId} is ${assigneeId} and ${series.paused} is ${paused})`;

/** Changes a series, unless it is not the caller's or is not as it was read. @returns whether it was changed */
export async function updateSeries(
  db: Database,
  member: Member,
  read: SeriesRow,
  changes: Changes,
  { unchanged, quotas, now }: { unchanged: Statement; quotas: AccountQuota; now: string },
): Promise<boolean> {
  const update = db
    .update(series)
    .set({ ...changes, updatedAt: laterThan(series.updatedAt, now), updatedBy: member.userId })
    .where(and(own(member, read.id), isAsRead(read)))
    .returning({ id: series.id });
  const [rows] = await db.batch([
    update,
    unchanged,
    ...(changes.envelope
      ? [
          ...releaseAttachments(db, "series", read.id, now),
          insertAttachmentUses(db, "series", read.id, read.workspaceId),
        ]
      : []),
    countBytes(db, read.id),
    requireWithinQuota(db, quotas, {
      workspaceId: read.workspaceId,
      userId: changes.userId ?? read.userId ?? member.userId,
    }),
  ]);
  return rows.length > 0;
}

/**
 * Deletes a series, and before takes from it what is too many of its envelopes, which stay. @returns whether there was one
 * @param takeTurn waits for the caller's turn; without it, one statement takes all
 */
export async function deleteSeries(
  db: Database,
  member: Member,
  { id, workspaceId, name }: SeriesRow,
  { now, takeTurn }: { now: string; takeTurn: TakeTurn },
): Promise<boolean> {
  const theirs = (limit: number, offset = 0) =>
    db
      .select({ id: envelopes.id })
      .from(envelopes)
      .where(sql`${envelopes.seriesId} = (select ${series.id} from ${series} where ${own(member, id)})`)
      .limit(limit)
      .offset(offset);
  while (takeTurn && (await hasRows(theirs(1, IN_TURN)))) {
    await db
      .update(envelopes)
      .set({ seriesId: null })
      .where(inArray(envelopes.id, theirs(IN_TURN)));
    await takeTurn();
  }
  const remove = db.delete(series).where(own(member, id)).returning({ id: series.id });
  const [, , , rows] = await db.batch([
    ...releaseAttachments(
      db,
      "series",
      sql`(select ${series.id} from ${series} where ${own(member, id)})`,
      now,
    ),
    insertActivity(
      db,
      member,
      { workspaceId, type: "series.deleted", target: activityTarget({ name }), now },
      sql`exists (select 1 from ${series} where ${own(member, id)})`,
    ),
    remove,
  ]);
  return rows.length > 0;
}

/** The statement that records that people have changed a series of the caller's. */
const touch = (db: Database, member: Member, id: number, now: string): Statement =>
  db
    .update(series)
    .set({ updatedAt: laterThan(series.updatedAt, now), updatedBy: member.userId })
    .where(own(member, id));

const ofSeries = (id: number) =>
  sql`(select count(*) from ${seriesRecipients} as one where one.series_id = ${id})`;

/** Adds recipients, or fails: see `isRecipientsRejected`. */
export async function insertSeriesRecipients(
  db: Database,
  member: Member,
  { id, workspaceId, userId }: SeriesRow,
  recipients: readonly object[],
  {
    unchanged,
    quotas,
    now,
    claim,
  }: { unchanged: Statement; quotas: AccountQuota; now: string; claim: KeyClaim | undefined },
): Promise<void> {
  const most = LIMITS.recipientsPerBulkSend - recipients.length;
  const mayBe = sql`exists (select 1 from ${series} where ${own(member, id)}) and ${ofSeries(id)} <= ${most}`;
  await runBatch(db, [
    unchanged,
    ...insertRecipients(db, id, recipients, mayBe),
    ...recordKeyedResource(db, claim, String(id)),
    touch(db, member, id, now),
    countBytes(db, id),
    requireWithinQuota(db, quotas, { workspaceId, userId: userId ?? member.userId }),
  ]);
}

/** Whether recipients were not added: there would be too many, or the series is not the caller's. */
export const isRecipientsRejected = (error: unknown) =>
  violates(error, "not null", seriesRecipients.seriesId);

/** Takes a recipient out of a series, but not its last one. @returns whether it was taken out */
export async function deleteSeriesRecipient(
  db: Database,
  member: Member,
  { seriesId, recipientId, now }: { seriesId: number; recipientId: number; now: string },
): Promise<boolean> {
  const isOne = and(eq(seriesRecipients.id, recipientId), eq(seriesRecipients.seriesId, seriesId));
  const isOwn = sql`exists (select 1 from ${series} where ${own(member, seriesId)})`;
  const remove = db
    .delete(seriesRecipients)
    .where(and(isOne, isOwn, sql`${ofSeries(seriesId)} > 1`))
    .returning({ id: seriesRecipients.id });
  const [rows] = await db.batch([remove, touch(db, member, seriesId, now), countBytes(db, seriesId)]);
  return rows.length > 0;
}

export type NewOccurrence = {
  number: number;
  day: string;
  state: OccurrenceState;
  bulkId?: SQL<number>;
  total?: number;
  leftOut?: number;
  code?: ErrorCode;
};
/** Where a series goes on. */
export type NextOccurrence = Pick<SeriesRow, "nextNumber" | "nextOn" | "dueAt">;

/**
 * The statements that record what became of occurrences of a series, and go on to the next one. They fail, see
 * `isOccurrenceTaken`, if another call or process has done so, or if the series is not as it was read.
 */
export function insertOccurrences(
  db: Database,
  read: SeriesRow,
  occurrences: readonly NewOccurrence[],
  { next, now, by }: { next: NextOccurrence; now: string; by: Member | "schedule" },
): Statement[] {
  const mayBe =
    by === "schedule" ? and(eq(series.id, read.id), sql`${series.paused} is null`) : own(by, read.id);
  const guard = sql`exists (select 1 from ${series} where ${mayBe} and ${isAsRead(read)})`;
  return [
    ...occurrences.map(({ number, ...occurrence }) =>
      db
        .insert(seriesOccurrences)
        .values({ ...occurrence, seriesId: read.id, number: onlyWhile(guard, number), at: now }),
    ),
    db
      .update(series)
      .set({ ...next, limitedSince: null })
      .where(eq(series.id, read.id)),
  ];
}

/** Whether an occurrence was not recorded because it was before, or its series has changed or is gone. */
export const isOccurrenceTaken = (error: unknown) =>
  violates(error, "not null", seriesOccurrences.number) ||
  violates(error, "unique", seriesOccurrences.number);

/** The bulk send of an occurrence, for the batch that records it. */
export const selectBulkOf = (
  db: Database,
  seriesId: number,
  number: number,
): Query<{ bulkId: number | null }> =>
  db
    .select({ bulkId: seriesOccurrences.bulkId })
    .from(seriesOccurrences)
    .where(and(eq(seriesOccurrences.seriesId, seriesId), eq(seriesOccurrences.number, number)));

/** Tries a series again later, unless it has changed since it was read. */
export const postponeSeries = (
  db: Database,
  read: SeriesRow,
  { dueAt, limitedSince }: Pick<SeriesRow, "dueAt" | "limitedSince">,
): Statement =>
  db
    .update(series)
    .set({ dueAt, limitedSince })
    .where(and(eq(series.id, read.id), isAsRead(read), eq(series.dueAt, read.dueAt ?? "")));

/** The statement that pauses series, and those of them that are paused by people stay so. */
export const pauseSeries = (
  db: Database,
  which: SQL | undefined,
  { reason, now }: { reason: PauseReason; now: string },
): Statement =>
  db
    .update(series)
    .set({
      paused: sql`coalesce(${series.paused}, ${reason})`,
      pausedAt: sql`coalesce(${series.pausedAt}, ${now})`,
      dueAt: null,
    })
    .where(which);

const inWorkspace = (workspaceId: number | undefined) =>
  workspaceId === undefined ? undefined : eq(series.workspaceId, workspaceId);

type News = { reason: NotSentReason | "paused"; details?: string; to: "assignee" | "owners"; now: string };

/** The statement that tells what became of series in the next mail about schedules, each to its assignee or all owners. */
export const insertSeriesNews = (
  db: Database,
  which: SQL | undefined,
  { reason, details, to, now }: News,
): Statement => {
  const owner = sql`reader.id in (select me.user_id from ${workspaceMembers} as me where me.workspace_id = ${series.workspaceId} and me.role = 'owner') and reader.disabled_at is null`;
  const assignee = sql`reader.id = coalesce(${series.assigneeId}, ${series.userId})`;
  return db.insert(scheduleNews).select(
    // All columns in table order, as `insert … select` requires.
    sql`select null, reader.id, ${series.workspaceId}, null, 'not_sent', json_patch('{}', json_object('title', ${series.name}, 'details', ${details ?? null}, 'path', '/schedules?schedules=recurring', 'reason', ${reason})), ${now}
      from ${series} join ${users} as reader on ${to === "owners" ? owner : assignee} where ${which}`,
  );
};

/** How many of those who got nothing are named. */
const NAMED = 10;

/** The same of a bulk send of a series that was finished at this time, if some of its recipients got nothing. */
export function insertFailureNews(db: Database, bulkId: number | SQL, finishedAt: string): Statement {
  const failed = sql`from ${bulkRecipients} as one where one.bulk_id = sent.bulk_id and one.state = 'failed'`;
  const names = sql`(select group_concat(name, ', ') from (select one.recipient ->> '$.recipientName' as name ${failed} order by one.position limit ${NAMED}))`;
  const reason = sql`iif(exists (select 1 ${failed} and one.code <> 'contact_gone'), 'other', 'gone')`;
  return db.insert(scheduleNews).select(
    sql`select null, coalesce(${series.assigneeId}, ${series.userId}), ${series.workspaceId}, null, 'not_sent', json_object('title', ${series.name}, 'details', ${names}, 'path', '/?bulkId=' || sent.bulk_id, 'reason', ${reason}), ${finishedAt}
      from ${seriesOccurrences} as sent join ${series} on ${series.id} = sent.series_id join ${bulkSends} as bulk on bulk.id = sent.bulk_id
      where sent.bulk_id = ${bulkId} and bulk.finished_at = ${finishedAt} and exists (select 1 ${failed}) and coalesce(${series.assigneeId}, ${series.userId}) is not null`,
  );
}

/**
 * The statements that end what is sent under an account, in one workspace or in all: its series go on under their
 * assignee, and are paused where that is the account too.
 */
export function stopSeries(db: Database, userId: number, now: string, workspaceId?: number): Statement[] {
  const theirs = and(eq(series.userId, userId), inWorkspace(workspaceId));
  const alone = and(theirs, sql`coalesce(${series.assigneeId}, ${userId}) = ${userId}`);
  const isPaused = sql`${series.paused} is not null`;
  return [
    insertSeriesNews(db, and(alone, not(isPaused)), { reason: "paused", to: "owners", now }),
    pauseSeries(db, alone, { reason: "left", now }),
    db
      .update(series)
      .set({ userId: sql`nullif(${series.assigneeId}, ${userId})` })
      .where(theirs),
  ];
}

/** The same for somebody who has no part in the workspace any more: what was assigned to them goes to its next owner. */
export const leaveSeries = (db: Database, userId: number, now: string, workspaceId?: number): Statement[] => [
  ...stopSeries(db, userId, now, workspaceId),
  db
    .update(series)
    .set({
      assigneeId: nextOwner(series.workspaceId, userId),
      // In another time zone, it may be due earlier.
      dueAt: sql`iif(${series.dueAt} > ${now}, ${now}, ${series.dueAt})`,
    })
    .where(and(eq(series.assigneeId, userId), inWorkspace(workspaceId))),
];

/**
 * The statements that pause what an account sends again and again, or has changed last: who did so may not have been its
 * owner. The owners of the workspaces are told.
 * @param workspaceId the only one that is meant
 */
export function pauseSeriesOf(db: Database, userId: number, now: string, workspaceId?: number): Statement[] {
  const changed = sql`${series.workspaceId} in ${workspacesLately(userId, now, workspaceId)} and ${series.updatedBy} = ${userId}`;
  const own = and(eq(series.userId, userId), inWorkspace(workspaceId));
  const theirs = sql`${series.paused} is null and (${own} or ${changed})`;
  return [
    insertSeriesNews(db, theirs, { reason: "password", to: "owners", now }),
    pauseSeries(db, theirs, { reason: "password", now }),
  ];
}

/** The statement for the batch that changes the account's time zone, in which its series may be due earlier. */
export const lookAgainAtSeries = (db: Database, userId: number, now: string): Statement =>
  db
    .update(series)
    .set({ dueAt: now })
    .where(
      and(sql`coalesce(${series.assigneeId}, ${series.userId}) = ${userId}`, sql`${series.dueAt} > ${now}`),
    );
