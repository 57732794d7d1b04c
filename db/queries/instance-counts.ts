import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "../client";
import {
  attachments,
  auditEntries,
  destinations,
  envelopes,
  fileDeletions,
  fileDeliveries,
  invitations,
  jobRuns,
  notifications,
  signIns,
  submissions,
  uploadLeases,
  uploads,
  users,
  webhookDeliveries,
  webhooks,
  workspaceMembers,
  workspaces,
} from "../schema";
import { BACKUP } from "./job-runs";
import { allTextBytes } from "./quotas";

// Counts of all accounts' rows together.

const count = (rows: SQL) => sql<number>`(select count(*) from ${rows})`;
const sum = (column: SQLiteColumn, rows: SQL) =>
  sql<number>`(select coalesce(sum(${column}), 0) from ${rows})`;
const oldest = (rows: SQL) => sql<string | null>`(select min(${notifications.createdAt}) from ${rows})`;

const people = sql`${users} where ${users.deletedAt} is null`;
const stored = sql`${submissions} where ${submissions.deletedAt} is null`;
const queued = sql`${notifications} where ${notifications.status} = 'queued'`;
const failed = sql`${notifications} where ${notifications.status} = 'failed'`;
const enabled = sql`${webhooks} where ${webhooks.enabled}`;
const waitingFiles = sql`${fileDeliveries} where ${fileDeliveries.state} = 'waiting'`;
const failedFiles = sql`${fileDeliveries} where ${fileDeliveries.state} = 'failed'`;
const wasTriedInVain = sql`exists (select 1 from ${fileDeliveries} where ${fileDeliveries.destinationId} = ${destinations.id} and ${fileDeliveries.state} = 'waiting' and ${fileDeliveries.failure} is not null)`;
const shared = sql`${workspaces} where (select count(*) from ${workspaceMembers} where ${workspaceMembers.workspaceId} = ${workspaces.id}) > 1`;

/** What the page of administration shows of the whole instance. */
export async function readInstanceCounts(
  db: Database,
  { activeSince, failedSince, now }: { activeSince: string; failedSince: string; now: string },
) {
  const counts = db
    .select({
      accounts: {
        total: count(people),
        disabled: count(sql`${people} and ${users.disabledAt} is not null`),
        active: count(sql`${people} and ${users.lastSeenAt} >= ${activeSince}`),
      },
      workspaces: {
        total: sql<number>`(select count(distinct ${workspaceMembers.workspaceId}) from ${workspaceMembers})`,
        shared: count(shared),
        memberships: count(sql`${workspaceMembers}`),
        invitations: count(
          sql`${invitations} where ${invitations.workspaceId} is not null and ${invitations.expiresAt} > ${now}`,
        ),
      },
      storage: {
        files: count(stored),
        bytes: sql<number>`${sum(submissions.fileSize, stored)} + ${sum(uploads.offset, sql`${uploads}`)}
          + ${sum(attachments.fileSize, sql`${attachments}`)} + ${sum(users.avatarSize, people)} + ${sum(workspaces.logoSize, sql`${workspaces}`)} + ${allTextBytes}`,
        uploadsUnderWay: count(sql`${uploads}`),
      },
      outbox: {
        waiting: count(queued),
        failed: count(sql`${failed} and ${notifications.nextAttemptAt} >= ${failedSince}`),
        oldestWaiting: oldest(queued),
      },
      quarantined: count(sql`${submissions} where ${submissions.scanDueAt} is not null`),
      webhooks: {
        total: count(sql`${webhooks}`),
        enabled: count(enabled),
        failing: count(sql`${enabled} and ${webhooks.failingSince} is not null`),
        waiting: count(sql`${webhookDeliveries} where ${webhookDeliveries.status} = 'pending'`),
      },
      destinations: {
        total: count(sql`${destinations}`),
        stopped: count(
          sql`${destinations} where ${destinations.state} in ('reconnect', 'full') or ${destinations.state} = 'active' and ${wasTriedInVain}`,
        ),
        waiting: count(waitingFiles),
        failed: count(sql`${failedFiles} and ${fileDeliveries.stateAt} >= ${failedSince}`),
      },
    })
    .from(sql`(select 1)`);
  const [[row], byStatus, jobs] = await db.batch([
    counts,
    db
      .select({ status: envelopes.status, count: sql<number>`count(*)` })
      .from(envelopes)
      .groupBy(envelopes.status),
    db.select().from(jobRuns).orderBy(jobRuns.job),
  ]);
  if (!row) throw new Error("Nothing was counted");
  return { ...row, byStatus, jobs };
}

/** The latest time after `now` that something happened at, by this database; null if there is none. */
export async function findFutureTime(db: Database, now: string): Promise<string | null> {
  const latest = (column: SQLiteColumn, table: SQLiteTable) =>
    sql`coalesce((select max(${column}) from ${table}), '')`;
  const [row] = await db.all<{ at: string }>(
    sql`select max(${latest(signIns.at, signIns)}, ${latest(users.lastSeenAt, users)}, ${latest(auditEntries.createdAt, auditEntries)},
      ${latest(notifications.sentAt, notifications)}, ${latest(envelopes.remindedAt, envelopes)}) as at`,
  );
  return row && row.at > now ? row.at : null;
}

/** What metrics show of the whole instance. */
export function readOperationCounts(db: Database, now: string) {
  const counts = db.select({
    outboxQueued: count(queued),
    outboxFailed: count(failed),
    /** When the oldest message was created that is due, or waits for another attempt; not one that a limit postpones. */
    outboxOldest: oldest(
      sql`${queued} and (${notifications.attempts} > 0 or ${notifications.nextAttemptAt} <= ${now})`,
    ),
    files: count(stored),
    fileBytes: sum(submissions.fileSize, stored),
    quarantinedFiles: count(sql`${stored} and ${submissions.scanDueAt} is not null`),
    /** Of these, files that the scanner did not scan although it works. */
    unscannableFiles: count(
      sql`${stored} and ${submissions.scanDueAt} is not null and ${submissions.scanFailure} is not null`,
    ),
    deliveriesWaiting: count(waitingFiles),
    deliveriesFailed: count(failedFiles),
    /** Files that are recorded for deletion but still stored. */
    pendingDeletions: count(sql`${fileDeletions}`),
    unfinishedUploads: count(sql`${uploads}`),
    unfinishedUploadBytes: sum(uploads.offset, sql`${uploads}`),
    runningUploads: count(sql`${uploadLeases} where not ${uploadLeases.revoked}`),
    /** The hour of the last backup. */
    lastBackup: sql<string | null>`(select ${jobRuns.hour} from ${jobRuns} where ${jobRuns.job} = ${BACKUP})`,
  });
  return counts.from(sql`(select 1)`).get();
}

export type OperationCounts = NonNullable<Awaited<ReturnType<typeof readOperationCounts>>>;
