import { eq, sql } from "drizzle-orm";
import type { Database } from "../client";
import { jobRuns } from "../schema";

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
