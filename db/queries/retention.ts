import { and, eq, gt, inArray, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { RetentionDays } from "../../worker/contract/options";
import type { Database, Statement } from "../client";
import { envelopes, notifications, submissions, users, workspaces } from "../schema";
import { insertEventsWhere } from "./envelope-events";
import { insertSubmissionDeletions } from "./file-deletions";

type Moments = { now: string; noticeDays: number };

/** Written exactly like the condition of the partial index; otherwise SQLite does not use the index. */
const hasRetainedFiles = sql`${envelopes.status} = 'completed' and ${envelopes.filesDeletedAt} is null`;

/** This many days before `now`. NULL, which matches nothing, if the number of days is NULL. */
const daysBefore = (now: string, days: SQL) =>
  sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${now}, '-' || ${days} || ' days')`;

/**
 * Completed envelopes of the workspace whose files are due within the notice period and whose owner has not been
 * notified.
 */
const unannounced = ({ now, noticeDays }: Moments) =>
  and(
    hasRetainedFiles,
    eq(envelopes.workspaceId, workspaces.id),
    isNull(envelopes.deletionNoticedAt),
    sql`${envelopes.completedAt} <= ${daysBefore(now, sql`(${workspaces.retentionDays} - ${noticeDays})`)}`,
    sql`exists (select 1 from ${submissions} where ${submissions.envelopeId} = ${envelopes.id} and ${submissions.deletedAt} is null)`,
  );

/**
 * Statements that queue one notice per workspace with files that are due soon, and mark their envelopes as announced.
 */
export function announceDeletions(db: Database, moments: Moments): Statement[] {
  const { now } = moments;
  const about = db.select({ one: sql`1` }).from(envelopes).where(unannounced(moments));
  const none = (column: string) => sql`null`.as(column);
  const notices = db
    .select({
      id: none("id"),
      userId: workspaces.userId,
      envelopeId: none("request_id"),
      kind: sql`'deletion'`.as("kind"),
      channel: sql`'email'`.as("channel"),
      recipient: users.email,
      payload: sql`json_object('workspaceId', ${workspaces.id}, 'noticedAt', ${now})`.as("payload"),
      dedupeKey: sql`'deletion:' || ${workspaces.id} || ':' || ${now}`.as("dedupe_key"),
      status: sql`'queued'`.as("status"),
      attempts: sql`0`.as("attempts"),
      nextAttemptAt: sql`${now}`.as("next_attempt_at"),
      claimedBy: none("claimed_by"),
      claimedUntil: none("claimed_until"),
      lastError: none("last_error"),
      failure: none("failure"),
      createdAt: sql`${now}`.as("created_at"),
      sentAt: none("sent_at"),
    })
    .from(workspaces)
    .innerJoin(users, eq(users.id, workspaces.userId))
    .where(and(gt(workspaces.retentionDays, sql`0`), sql`exists ${about}`));
  const announced = db
    .select({ id: envelopes.id })
    .from(workspaces)
    .innerJoin(envelopes, unannounced(moments))
    .where(gt(workspaces.retentionDays, sql`0`));
  return [
    db.insert(notifications).select(notices).onConflictDoNothing({ target: notifications.dedupeKey }),
    db.update(envelopes).set({ deletionNoticedAt: now }).where(inArray(envelopes.id, announced)),
  ];
}

/** Envelopes whose retention of `days` has ended and whose owner was notified long enough ago. */
const retentionEnded = (days: SQL, { now, noticeDays }: Moments) =>
  and(
    hasRetainedFiles,
    lte(envelopes.deletionNoticedAt, daysBefore(now, sql`${noticeDays}`)),
    sql`${envelopes.completedAt} <= ${daysBefore(now, days)}`,
  );

/** One page of ids of envelopes whose files are due for deletion. */
export async function listDueDeletions(db: Database, moments: Moments, limit: number): Promise<number[]> {
  const isOver = retentionEnded(sql`${workspaces.retentionDays}`, moments);
  const rows = await db
    .select({ id: envelopes.id })
    .from(workspaces)
    // Forces SQLite to scan the few workspaces with a retention period first.
    .crossJoin(envelopes)
    .where(and(gt(workspaces.retentionDays, sql`0`), eq(envelopes.workspaceId, workspaces.id), isOver))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Statements that mark the files of those envelopes as deleted and record them for deletion. Envelopes whose workspace
 * has a longer period by now are skipped.
 */
export function deleteDueFiles(db: Database, ids: number[], moments: Moments): Statement[] {
  const { now } = moments;
  const idList = sql`(select value from json_each(${JSON.stringify(ids)}))`;
  const days = sql`(select ${workspaces.retentionDays} from ${workspaces} where ${workspaces.id} = ${envelopes.workspaceId})`;
  const stillClaimed = and(inArray(envelopes.id, idList), retentionEnded(days, moments));
  const chosen = db.select({ id: envelopes.id }).from(envelopes).where(stillClaimed);
  return [
    insertEventsWhere(db, stillClaimed, { kind: "files_deleted", actor: "service", address: null, at: now }),
    insertSubmissionDeletions(db, stillClaimed, now),
    db
      .update(submissions)
      .set({ deletedAt: now })
      .where(and(inArray(submissions.envelopeId, chosen), isNull(submissions.deletedAt))),
    db.update(envelopes).set({ filesDeletedAt: now }).where(stillClaimed),
  ];
}

/**
 * Statements that set a workspace's retention. Announcements for the old period are reset, so that no file is deleted
 * earlier than announced.
 */
export function updateRetention(
  db: Database,
  userId: number,
  workspaceId: number,
  { retentionDays, now }: { retentionDays: RetentionDays | null; now: string },
): [Statement, Statement] {
  const own = and(eq(workspaces.userId, userId), eq(workspaces.id, workspaceId));
  const changed = sql`(select ${workspaces.id} from ${workspaces} where ${own} and ${workspaces.retentionDays} is not ${retentionDays})`;
  return [
    db
      .update(envelopes)
      .set({ deletionNoticedAt: null })
      .where(and(eq(envelopes.userId, userId), inArray(envelopes.workspaceId, changed), hasRetainedFiles)),
    db.update(workspaces).set({ retentionDays, updatedAt: now }).where(own),
  ];
}

/**
 * How many files of how many completed envelopes exist in the workspace, and when a retention of `days` chosen now
 * would delete the first of them; undefined if the workspace is not the account's.
 */
export async function findRetentionReach(
  db: Database,
  userId: number,
  workspaceId: number,
  { days, now, noticeDays }: Moments & { days: RetentionDays },
) {
  const after = (moment: SQL, addedDays: number) =>
    sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${moment}, '+' || ${addedDays} || ' days')`;
  // A notice only counts for the period it was sent for, see `updateRetention`.
  const noticed = sql`case when ${workspaces.retentionDays} = ${days} then coalesce(${envelopes.deletionNoticedAt}, ${now}) else ${now} end`;
  const deletion = sql`max(${after(sql`${envelopes.completedAt}`, days)}, ${after(noticed, noticeDays)})`;
  const files = sql`from ${submissions} where ${submissions.envelopeId} = ${envelopes.id} and ${submissions.deletedAt} is null`;
  const [reach] = await db
    .select({
      files: sql<number>`sum((select count(*) ${files}))`,
      envelopes: sql<number>`sum(exists (select 1 ${files}))`,
      firstDeletionAt: sql<string | null>`min(case when exists (select 1 ${files}) then ${deletion} end)`,
    })
    .from(workspaces)
    .leftJoin(envelopes, and(hasRetainedFiles, eq(envelopes.workspaceId, workspaces.id)))
    .where(and(eq(workspaces.userId, userId), eq(workspaces.id, workspaceId)))
    .groupBy(workspaces.id);
  return reach;
}

/** The envelopes that a notice was written for and whose files still exist, the first due first. */
export function listAnnouncedDeletions(
  db: Database,
  userId: number,
  { workspaceId, noticedAt, limit }: { workspaceId: number; noticedAt: string; limit: number },
) {
  return db
    .select({
      subject: envelopes.subject,
      title: envelopes.title,
      status: envelopes.status,
      completedAt: envelopes.completedAt,
      filesDeletedAt: envelopes.filesDeletedAt,
      deletionNoticedAt: envelopes.deletionNoticedAt,
      retentionDays: workspaces.retentionDays,
      workspaceName: workspaces.name,
    })
    .from(envelopes)
    .innerJoin(workspaces, eq(workspaces.id, envelopes.workspaceId))
    .where(
      and(
        eq(envelopes.userId, userId),
        eq(envelopes.workspaceId, workspaceId),
        hasRetainedFiles,
        eq(envelopes.deletionNoticedAt, noticedAt),
      ),
    )
    .orderBy(envelopes.completedAt)
    .limit(limit);
}
