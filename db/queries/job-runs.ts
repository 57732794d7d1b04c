import { and, eq, sql } from "drizzle-orm";
import type { AlertCause } from "../../worker/contract/alerts";
import type { Database, Statement } from "../client";
import { jobRuns } from "../schema";
import { beginsWith } from "./query-helpers";

/** Recorded beside the hourly jobs: the hour of the last backup that is complete and whose files match their rows. */
export const BACKUP = "backup";

/** An hour in which a job ran, such as `2026-03-14T09`. */
export const hourOf = (at: Date): string => at.toISOString().slice(0, "2026-03-14T09".length);

/** When an hour begins. */
export const startOfHour = (hour: string): string => `${hour}:00:00.000Z`;

export async function listJobRuns(db: Database, hour: string): Promise<string[]> {
  const rows = await db.select({ job: jobRuns.job }).from(jobRuns).where(eq(jobRuns.hour, hour));
  return rows.map(({ job }) => job);
}

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

/** Recorded beside the hourly jobs: since which hour a cause of alerts exists. */
const ALERT = "alert:";

export const isJob = ({ job }: { job: string }) => job !== BACKUP && job !== IMPORT && !job.startsWith(ALERT);

/** The causes of alerts that exist, each with the hour in which it was found. */
export async function listAlerts(db: Database): Promise<{ cause: string; hour: string }[]> {
  const rows = await db.select().from(jobRuns).where(beginsWith(jobRuns.job, ALERT)).orderBy(jobRuns.job);
  return rows.map(({ job, hour }) => ({ cause: job.slice(ALERT.length), hour }));
}

/** Keeps the hour of a cause that exists already. */
export const insertAlert = (db: Database, cause: AlertCause, hour: string): Statement =>
  db
    .insert(jobRuns)
    .values({ job: `${ALERT}${cause}`, hour })
    .onConflictDoNothing();

export const deleteAlert = (db: Database, cause: AlertCause): Statement =>
  db.delete(jobRuns).where(eq(jobRuns.job, `${ALERT}${cause}`));

/** Recorded beside the hourly jobs until all rows of an archive are there: when the import began. */
const IMPORT = "import";

/** When the import began that is under way, or was interrupted. */
export async function findImport(db: Database): Promise<string | undefined> {
  const [row] = await db.select({ began: jobRuns.hour }).from(jobRuns).where(eq(jobRuns.job, IMPORT));
  return row?.began;
}

/** The statement that begins an import. It fails if there is another one. */
export const insertImport = (db: Database, began: string) =>
  db.insert(jobRuns).values({ job: IMPORT, hour: began });

/** @returns whether there is no other import */
export async function beginImport(db: Database, began: string): Promise<boolean> {
  const rows = await insertImport(db, began).onConflictDoNothing().returning();
  return rows.length > 0;
}

/** @returns whether it was still this import's database */
export async function endImport(db: Database, began: string): Promise<boolean> {
  const own = and(eq(jobRuns.job, IMPORT), eq(jobRuns.hour, began));
  return (await db.delete(jobRuns).where(own).returning()).length > 0;
}
