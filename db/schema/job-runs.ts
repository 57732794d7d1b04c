import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The hour in which each hourly job last ran, in any process. */
export const jobRuns = sqliteTable("job_runs", {
  job: text().primaryKey(),
  /** For example `2026-03-14T09`. */
  hour: text().notNull(),
});
