import { sql } from "drizzle-orm";
import type { Database } from "../client";
import { fileDeletions, jobRuns, notifications, submissions, uploadLeases, uploads } from "../schema";
import { BACKUP } from "./job-runs";

/** Figures of the whole instance, for its operator. */
export type OperationCounts = {
  outboxQueued: number;
  outboxFailed: number;
  /** When the oldest message was created that is due, or waits for another attempt; not one that a limit postpones. */
  outboxOldest: string | null;
  files: number;
  fileBytes: number;
  quarantinedFiles: number;
  /** Of these, files that the scanner did not scan although it works. */
  unscannableFiles: number;
  /** Files that are recorded for deletion but still stored. */
  pendingDeletions: number;
  unfinishedUploads: number;
  unfinishedUploadBytes: number;
  runningUploads: number;
  /** The hour of the last backup. */
  lastBackup: string | null;
};

/** Counts all accounts' rows together. */
export async function readOperationCounts(db: Database, now: string): Promise<OperationCounts> {
  const stored = sql`from ${submissions} where ${submissions.deletedAt} is null`;
  const queued = sql`from ${notifications} where ${notifications.status} = 'queued'`;
  const row = await db.get<OperationCounts>(sql`select
    (select count(*) ${queued}) as outboxQueued,
    (select count(*) from ${notifications} where ${notifications.status} = 'failed') as outboxFailed,
    (select min(${notifications.createdAt}) ${queued} and (${notifications.attempts} > 0 or ${notifications.nextAttemptAt} <= ${now})) as outboxOldest,
    (select count(*) ${stored}) as files,
    (select coalesce(sum(${submissions.fileSize}), 0) ${stored}) as fileBytes,
    (select count(*) ${stored} and ${submissions.scanDueAt} is not null) as quarantinedFiles,
    (select count(*) ${stored} and ${submissions.scanDueAt} is not null and ${submissions.scanFailure} is not null) as unscannableFiles,
    (select count(*) from ${fileDeletions}) as pendingDeletions,
    (select count(*) from ${uploads}) as unfinishedUploads,
    (select coalesce(sum(${uploads.offset}), 0) from ${uploads}) as unfinishedUploadBytes,
    (select count(*) from ${uploadLeases} where not ${uploadLeases.revoked}) as runningUploads,
    (select ${jobRuns.hour} from ${jobRuns} where ${jobRuns.job} = ${BACKUP}) as lastBackup`);
  return row;
}
