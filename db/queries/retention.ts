import { and, eq, gt, inArray, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { RetentionDays } from "../../worker/contract/options";
import type { Database, Statement } from "../client";
import { envelopes, notifications, submissions, users, workspaces } from "../schema";
import { insertEventsWhere } from "./envelope-events";
import { insertSubmissionDeletions } from "./file-deletions";

type Moments = { now: string; noticeDays: number };

/** In the words of the partial index, so that it is found by it. */
const hasRetainedFiles = sql`${envelopes.status} = 'completed' and ${envelopes.filesDeletedAt} is null`;

/** So many days before `now`, as the rows have it; NULL, and so before nothing, where there are none. */
const daysBefore = (now: string, days: SQL) =>
  sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${now}, '-' || ${days} || ' days')`;

/** Completed envelopes of the row's workspace whose files go within the notice, and whose owner was not told. */
const unannounced = ({ now, noticeDays }: Moments) =>
  and(
    hasRetainedFiles,
    eq(envelopes.workspaceId, workspaces.id),
    isNull(envelopes.deletionNoticedAt),
    sql`${envelopes.completedAt} <= ${daysBefore(now, sql`(${workspaces.retentionDays} - ${noticeDays})`)}`,
    sql`exists (select 1 from ${submissions} where ${submissions.envelopeId} = ${envelopes.id})`,
  );

/** Statements that queue one notice for each workspace some of whose files are about to go, and note that it was. */
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
  const told = db
    .select({ id: envelopes.id })
    .from(workspaces)
    .innerJoin(envelopes, unannounced(moments))
    .where(gt(workspaces.retentionDays, sql`0`));
  return [
    db.insert(notifications).select(notices).onConflictDoNothing({ target: notifications.dedupeKey }),
    db.update(envelopes).set({ deletionNoticedAt: now }).where(inArray(envelopes.id, told)),
  ];
}

/** Envelopes whose files were kept for `days`, and whose owner was told long enough ago. */
const retentionEnded = (days: SQL, { now, noticeDays }: Moments) =>
  and(
    hasRetainedFiles,
    lte(envelopes.deletionNoticedAt, daysBefore(now, sql`${noticeDays}`)),
    sql`${envelopes.completedAt} <= ${daysBefore(now, days)}`,
  );

/** The ids of envelopes whose files have to go now, a page of them. */
export async function listDueDeletions(db: Database, moments: Moments, limit: number): Promise<number[]> {
  const kept = retentionEnded(sql`${workspaces.retentionDays}`, moments);
  const rows = await db
    .select({ id: envelopes.id })
    .from(workspaces)
    // Keeps SQLite to this order: the few workspaces that have a time first.
    .crossJoin(envelopes)
    .where(and(gt(workspaces.retentionDays, sql`0`), eq(envelopes.workspaceId, workspaces.id), kept))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Statements that mark the files of those envelopes which are still due as deleted and note them for removal:
 * whoever chose a longer time a moment ago keeps them.
 */
export function deleteDueFiles(db: Database, ids: number[], moments: Moments): Statement[] {
  const { now } = moments;
  const given = sql`(select value from json_each(${JSON.stringify(ids)}))`;
  const days = sql`(select ${workspaces.retentionDays} from ${workspaces} where ${workspaces.id} = ${envelopes.workspaceId})`;
  const stillClaimed = and(inArray(envelopes.id, given), retentionEnded(days, moments));
  const chosen = db.select({ id: envelopes.id }).from(envelopes).where(stillClaimed);
  return [
    insertEventsWhere(db, stillClaimed, { kind: "files_deleted", actor: "service", address: null, at: now }),
    insertSubmissionDeletions(db, stillClaimed, now),
    db.update(submissions).set({ deletedAt: now }).where(inArray(submissions.envelopeId, chosen)),
    db.update(envelopes).set({ filesDeletedAt: now }).where(stillClaimed),
  ];
}

/**
 * Statements that set how long a workspace keeps files. What was announced by the time before is announced anew,
 * so that nothing goes earlier than its owner was told.
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

/** What a notice tells of: the envelopes it was written for whose files are still to go, the first to go first. */
export function listAnnouncedDeletions(
  db: Database,
  userId: number,
  { workspaceId, noticedAt, limit }: { workspaceId: number; noticedAt: string; limit: number },
) {
  return db
    .select({
      subject: envelopes.subject,
      title: envelopes.title,
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
