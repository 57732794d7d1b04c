import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** In which hour each hourly job was last done, by whichever process. */
export const jobRuns = sqliteTable("job_runs", {
  job: text().primaryKey(),
  /** Such as `2026-03-14T09`. */
  hour: text().notNull(),
});
