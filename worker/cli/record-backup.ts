import type { Database } from "../../db/client";
import { BACKUP, hourOf, recordJobRun } from "../../db/queries/job-runs";
import { type RetryPolicy, retryDelay } from "../contract/retry-policy";
import { retry } from "../lib/retry";
import type { Manifest } from "./archive/archive-folder";
import { reasonOf } from "./doctor/finding";

/** Observed: under constant load, a write to a libSQL server can go without a response for minutes. */
const BUSY_SERVER: RetryPolicy = { delays: [500, 1000, 2000], givesUp: true };

/** Records a backup for metrics, `stats` and `doctor`, unless files are missing or damaged in it. */
export async function recordBackup(db: Database, { madeAt, problems }: Manifest): Promise<void> {
  if (problems.length > 0) return;
  const record = () => recordJobRun(db, BACKUP, hourOf(new Date(madeAt)));
  await retry(record, (_error, failures) => retryDelay(BUSY_SERVER, failures)).catch((error: unknown) => {
    process.stderr.write(
      `The backup is complete, but when it was made could not be recorded: ${reasonOf(error)}\n`,
    );
  });
}
