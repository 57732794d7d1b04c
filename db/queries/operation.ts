import { eq, sql } from "drizzle-orm";
import type { Database } from "../client";
import {
  fileDeletions,
  instance,
  jobRuns,
  notifications,
  submissions,
  uploadLeases,
  uploads,
} from "../schema";

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

/** Resolves once the database has answered. */
export async function ping(db: Database): Promise<void> {
  await db.run(sql`select 1`);
}

/** Resolves once the database has accepted a write that changes no row. Fails if it is read-only or locked. */
export async function tryWriting(db: Database): Promise<void> {
  await db.update(jobRuns).set({ hour: "" }).where(sql`0`);
}

/** Recorded beside the hourly jobs: the hour of the last backup that is complete and whose files match their rows. */
export const BACKUP = "backup";

/** An hour in which a job ran, such as `2026-03-14T09`. */
export const hourOf = (at: Date): string => at.toISOString().slice(0, "2026-03-14T09".length);

/** When an hour begins. */
export const startOfHour = (hour: string): string => `${hour}:00:00.000Z`;

/** The jobs that have run in this hour. */
export async function listJobRuns(db: Database, hour: string): Promise<string[]> {
  const rows = await db.select({ job: jobRuns.job }).from(jobRuns).where(eq(jobRuns.hour, hour));
  return rows.map(({ job }) => job);
}

/** Records that the job has run in this hour. */
export async function recordJobRun(db: Database, job: string, hour: string): Promise<void> {
  await db
    .insert(jobRuns)
    .values({ job, hour })
    .onConflictDoUpdate({ target: jobRuns.job, set: { hour: sql`excluded.hour` } });
}

/** When the hour of the last backup began; null if none is recorded. */
export async function findLastBackup(db: Database): Promise<string | null> {
  const [row] = await db.select({ hour: jobRuns.hour }).from(jobRuns).where(eq(jobRuns.job, BACKUP));
  return row ? startOfHour(row.hour) : null;
}

const ROW = 1;

/** The id that the database shares with its file store; null if it has none yet. */
export async function findInstanceId(db: Database): Promise<string | null> {
  const [found] = await db.select({ id: instance.id }).from(instance);
  return found?.id ?? null;
}

/** Records the id unless the database has one. @returns the id that it has */
export async function insertInstanceId(db: Database, token: string): Promise<string> {
  await db.insert(instance).values({ row: ROW, id: token }).onConflictDoNothing();
  return (await findInstanceId(db)) ?? token;
}

/** Gives the database another id. The one that it had becomes an earlier one. */
export async function replaceInstanceId(db: Database, token: string): Promise<void> {
  const earlier = await listInstanceIds(db);
  await db
    .insert(instance)
    .values({ row: ROW, id: token, earlierIds: earlier })
    .onConflictDoUpdate({ target: instance.row, set: { id: token, earlierIds: earlier } });
}

/** The id of the instance, and then the earlier ones. */
export async function listInstanceIds(db: Database): Promise<string[]> {
  const [found] = await db.select().from(instance);
  return found ? [found.id, ...found.earlierIds] : [];
}

/** Records the ids of an instance whose archive was restored or imported. */
export async function addEarlierInstances(db: Database, instances: readonly string[]): Promise<void> {
  const [id, ...earlier] = await listInstanceIds(db);
  const earlierIds = [...new Set([...earlier, ...instances])].filter((known) => known !== id);
  await db.update(instance).set({ earlierIds });
}
