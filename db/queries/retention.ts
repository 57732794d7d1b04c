import { and, eq, gt, inArray, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { RetentionDays } from "../../worker/contract/options";
import type { Database, Statement } from "../client";
import { answers, envelopes, fileDeliveries, submissions, workspaces } from "../schema";
import { insertEventsWhere } from "./envelope-events";
import { insertSubmissionDeletions } from "./file-deletions";
import { hasEnabledOwner, isMember, type Member } from "./members";
import { hasRows, listed, pagesAfter, pick, type TakeTurn, valuesOf } from "./query-helpers";

export type Times = { now: string; noticeDays: number };

/** Makes the retention of an envelope begin again: its files are announced again before they are deleted. */
export const NO_DELETION_NOTICE = { deletionAnnouncedAt: null, deletionNoticedAt: null };

/** Written exactly like the condition of the partial index; otherwise SQLite does not use the index. */
export const hasRetainedFiles = sql`${envelopes.status} = 'completed' and ${envelopes.filesDeletedAt} is null`;

/** The same of the envelopes that are announced for deletion. */
export const isAnnounced = sql`${hasRetainedFiles} and ${envelopes.deletionAnnouncedAt} is not null`;

/** Whether the envelope has a submitted file or answer that is not deleted. */
export const hasContent = sql`(exists (select 1 from ${submissions} where ${submissions.envelopeId} = ${envelopes.id} and ${submissions.deletedAt} is null)
  or exists (select 1 from ${answers} where ${answers.envelopeId} = ${envelopes.id} and ${answers.submittedAt} is not null and ${answers.value} is not null))`;

/** Files that wait to be delivered are deleted so many days later. */
const DELIVERY_DAYS = 7;

/** Whether a file of the envelope waits to be delivered to a destination. */
export const awaitsDelivery = sql`exists (select 1 from ${fileDeliveries} where ${fileDeliveries.envelopeId} = ${envelopes.id} and ${fileDeliveries.state} = 'waiting')`;

/** This many days before `now`. NULL, which matches nothing, if the number of days is NULL. */
export const daysBefore = (now: string, days: SQL) =>
  sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${now}, '-' || ${days} || ' days')`;

/** Workspaces with a retention period. Without an enabled owner, files stay: nobody can read a notice or save them. */
export const isRetaining = and(gt(workspaces.retentionDays, sql`0`), hasEnabledOwner(workspaces.id));

/** Envelopes whose retention of `days` has ended, whose owner was notified long enough ago, and that wait for no delivery. */
const retentionEnded = (days: SQL, { now, noticeDays }: Times) =>
  and(
    isAnnounced,
    lte(envelopes.deletionNoticedAt, daysBefore(now, sql`${noticeDays}`)),
    sql`${envelopes.completedAt} <= ${daysBefore(now, days)}`,
    sql`not (${awaitsDelivery} and (${envelopes.completedAt} > ${daysBefore(now, sql`(${days} + ${DELIVERY_DAYS})`)}
      or ${envelopes.deletionNoticedAt} > ${daysBefore(now, sql`${noticeDays + DELIVERY_DAYS}`)}))`,
  );

/**
 * Parts of the envelopes with retained files that were completed so many days ago, in all workspaces, each with whether it
 * is `chosen`. What a statement looks at is bounded, not what it finds: a hundred thousand may wait for their day.
 */
export async function* listRetained(
  db: Database,
  {
    now,
    daysAgo,
    chosen,
    takeTurn,
  }: { now: string; daysAgo: SQL; chosen: SQL | undefined; takeTurn: TakeTurn },
) {
  const { retentionDays } = workspaces;
  const limit = takeTurn ? ANNOUNCED_AT_ONCE : 5000;
  for (let last = { days: 0, workspaceId: 0, completedAt: "", id: 0 }; ; ) {
    await takeTurn?.();
    const isSame = sql`${workspaces.id} = ${last.workspaceId}`;
    const page = await db
      .select({
        days: sql<number>`${retentionDays}`,
        ...pick(envelopes, "workspaceId", "id"),
        completedAt: sql<string>`${envelopes.completedAt}`,
        isAnnounced: sql`${envelopes.deletionAnnouncedAt} is not null`.mapWith(Boolean),
        isChosen: sql`coalesce(${chosen}, 0)`.mapWith(Boolean),
      })
      .from(workspaces)
      // Forces SQLite to scan the few workspaces with a retention period first.
      .crossJoin(envelopes)
      .where(
        and(
          isRetaining,
          sql`(${retentionDays}, ${workspaces.id}) >= (${last.days}, ${last.workspaceId})`,
          hasRetainedFiles,
          eq(envelopes.workspaceId, workspaces.id),
          sql`${envelopes.completedAt} <= ${daysBefore(now, daysAgo)}`,
          sql`(${envelopes.completedAt}, ${envelopes.id}) > (iif(${isSame}, ${last.completedAt}, ''), iif(${isSame}, ${last.id}, 0))`,
        ),
      )
      .orderBy(retentionDays, workspaces.id, envelopes.completedAt, envelopes.id)
      .limit(limit);
    yield page;
    const end = page.at(-1);
    if (!end || page.length < limit) return;
    last = end;
  }
}

/** Lists of at most so many ids of envelopes whose files are due for deletion. */
export async function* listDueDeletions(
  db: Database,
  times: Times,
  { limit, takeTurn }: { limit: number; takeTurn: TakeTurn },
): AsyncGenerator<number[]> {
  const daysAgo = sql`${workspaces.retentionDays}`;
  const chosen = retentionEnded(daysAgo, times);
  for await (const page of listRetained(db, { now: times.now, daysAgo, chosen, takeTurn })) {
    const ids = page.flatMap(({ id, isChosen }) => (isChosen ? [id] : []));
    for (let at = 0; at < ids.length; at += limit) yield ids.slice(at, at + limit);
  }
}

/**
 * Statements that mark the files of those envelopes as deleted and record them for deletion. Envelopes whose workspace
 * has a longer period by now, or whose account is disabled, are skipped.
 */
export function deleteDueFiles(db: Database, ids: number[], times: Times): Statement[] {
  const { now } = times;
  const idList = listed(ids);
  const days = sql`(select ${workspaces.retentionDays} from ${workspaces} where ${workspaces.id} = ${envelopes.workspaceId} and ${isRetaining})`;
  const stillClaimed = and(inArray(envelopes.id, idList), retentionEnded(days, times));
  const chosen = valuesOf(envelopes.id, stillClaimed);
  return [
    insertEventsWhere(db, stillClaimed, { kind: "files_deleted", actor: "service", address: null, at: now }),
    insertSubmissionDeletions(db, stillClaimed, now),
    db
      .update(submissions)
      .set({ deletedAt: now })
      .where(and(inArray(submissions.envelopeId, chosen), isNull(submissions.deletedAt))),
    db
      .update(answers)
      .set({ value: null })
      .where(and(inArray(answers.envelopeId, chosen), isNotNull(answers.value))),
    db.update(envelopes).set({ filesDeletedAt: now, toReview: 0, fileBytes: 0 }).where(stillClaimed),
  ];
}

/** Whether the envelope is announced for deletion in one of the member's workspaces, whose retention will be another one. */
const isAnnouncedOtherwise = (member: Member, workspaceId: number, retentionDays: RetentionDays | null) =>
  and(
    eq(
      envelopes.workspaceId,
      sql`(select ${workspaces.id} from ${workspaces} where ${workspaces.id} = ${workspaceId} and ${isMember(workspaces.id, member)} and ${workspaces.retentionDays} is not ${retentionDays})`,
    ),
    isAnnounced,
  );

/** Announcements that one statement changes: others wait for it. */
export const ANNOUNCED_AT_ONCE = 1000;

/**
 * Resets some of the announcements for the old period, before `updateRetention` resets the rest.
 * @returns whether there may be more
 */
export async function resetSomeAnnouncements(
  db: Database,
  member: Member,
  workspaceId: number,
  retentionDays: RetentionDays | null,
): Promise<boolean> {
  const some = db
    .select({ id: envelopes.id })
    .from(envelopes)
    .where(isAnnouncedOtherwise(member, workspaceId, retentionDays))
    .limit(ANNOUNCED_AT_ONCE);
  const reset = await db
    .update(envelopes)
    .set(NO_DELETION_NOTICE)
    .where(inArray(envelopes.id, some))
    .returning({ id: envelopes.id });
  return reset.length === ANNOUNCED_AT_ONCE;
}

/**
 * Statements that set a workspace's retention. Announcements for the old period are reset, so that no file is deleted
 * earlier than announced.
 */
export const updateRetention = (
  db: Database,
  member: Member,
  workspaceId: number,
  retentionDays: RetentionDays | null,
): [Statement, Statement] => [
  db
    .update(envelopes)
    .set(NO_DELETION_NOTICE)
    .where(isAnnouncedOtherwise(member, workspaceId, retentionDays)),
  db
    .update(workspaces)
    .set({ retentionDays })
    .where(and(eq(workspaces.id, workspaceId), isMember(workspaces.id, member))),
];

/** When a retention of `days` deletes the files of an envelope whose owner knows since `noticed`. */
export const deletionOf = (days: SQL, noticed: SQL, noticeDays: number) => {
  const after = (start: SQL, added: SQL) =>
    sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${start}, '+' || ${added} || ' days')`;
  return sql<string>`max(${after(sql`${envelopes.completedAt}`, days)}, ${after(noticed, sql`${noticeDays}`)})`;
};

/** Envelopes that one statement looks at, each with up to some thousands of files; where each statement is a call, more. */
const PART = { inTurn: 50, atOnce: 5000 };

/**
 * How many files and answers exist of how many completed envelopes, how many files of all, and when a retention of `days`
 * chosen now would delete the first; undefined if the workspace is not the account's.
 */
export async function findAffectedByRetention(
  db: Database,
  member: Member,
  workspaceId: number,
  {
    days,
    now,
    noticeDays,
    takeTurn,
  }: Times & { days: RetentionDays; takeTurn?: (() => Promise<void>) | undefined },
) {
  const own = and(eq(workspaces.id, workspaceId), isMember(workspaces.id, member));
  if (!(await hasRows(db.select({ id: workspaces.id }).from(workspaces).where(own)))) return;
  // A notice only counts for the period it was sent for, see `updateRetention`.
  const noticed = sql`case when ${workspaces.retentionDays} = ${days} then coalesce(${envelopes.deletionNoticedAt}, ${now}) else ${now} end`;
  const files = sql`from ${submissions} where ${submissions.envelopeId} = ${envelopes.id} and ${submissions.deletedAt} is null`;
  const given = sql`from ${answers} where ${answers.envelopeId} = ${envelopes.id} and ${answers.value} is not null`;
  const limit = takeTurn ? PART.inTurn : PART.atOnce;
  const readPart = async (after: number) => {
    await takeTurn?.();
    return db
      .select({
        id: envelopes.id,
        isCompleted: sql<number>`${hasRetainedFiles}`,
        files: sql<number>`(select count(*) ${files})`,
        answers: sql<number>`(select count(*) ${given})`,
        deletionAt: deletionOf(sql`${days}`, noticed, noticeDays),
      })
      .from(envelopes)
      .innerJoin(workspaces, eq(workspaces.id, envelopes.workspaceId))
      .where(and(eq(envelopes.workspaceId, workspaceId), own, gt(envelopes.id, after)))
      .orderBy(envelopes.id)
      .limit(limit);
  };
  const affected = {
    ...{ files: 0, answers: 0, envelopes: 0, allFiles: 0 },
    firstDeletionAt: null as string | null,
  };
  for await (const part of pagesAfter(limit, readPart))
    for (const envelope of part) {
      affected.allFiles += envelope.files;
      if (!envelope.isCompleted || envelope.files + envelope.answers === 0) continue;
      affected.files += envelope.files;
      affected.answers += envelope.answers;
      affected.envelopes += 1;
      const { firstDeletionAt: first } = affected;
      if (first === null || envelope.deletionAt < first) affected.firstDeletionAt = envelope.deletionAt;
    }
  return affected;
}
