import { listJobRuns, recordJobRun } from "../../db/queries/job-runs";
import type { Dependencies } from "../dependencies";
import { causes } from "../errors";
import { deletePendingFiles } from "../features/files/file-deletions";
import { drainOutbox } from "../features/notifications/sending";
import { removeOrphanFiles, removeStaleRows, removeUnfinishedFiles, startRevokingLeases } from "./cleanup";
import { announceExpiry, expireEnvelopes } from "./expiry";
import { startScanningQuarantine } from "./quarantined-files";
import { queueReminders } from "./reminders";
import { announceFileDeletions, deleteRetainedFiles } from "./retention";

const EACH_MINUTE = {
  startRevokingLeases,
  removeUnfinishedFiles,
  deletePendingFiles,
  expireEnvelopes,
  queueReminders,
  drainOutbox,
  startScanningQuarantine,
};
const EACH_HOUR = {
  announceExpiry,
  announceFileDeletions,
  deleteRetainedFiles,
  removeStaleRows,
  removeOrphanFiles,
};

type Job = (deps: Dependencies) => Promise<void>;

/** What time starts. Called once a minute, from a schedule or a cron trigger; one failing does not stop the rest. */
export async function runScheduledJobs(deps: Dependencies): Promise<void> {
  for (const [name, job] of Object.entries(EACH_MINUTE)) await attempt(deps, name, job);
  await runHourlyJobs(deps).catch((error: unknown) =>
    deps.log.error("hourly jobs failed", { error: causes(error) }),
  );
}

/**
 * Does what has not been done in this hour, whichever minute it is: a minute may be missed where a run before
 * takes long or nothing runs at all. A job that fails is due again at the next call.
 */
async function runHourlyJobs(deps: Dependencies): Promise<void> {
  const hour = deps.clock.now().toISOString().slice(0, "2026-03-14T09".length);
  const done = new Set(await listJobRuns(deps.db, hour));
  for (const [name, job] of Object.entries(EACH_HOUR)) {
    if (done.has(name)) continue;
    if (await attempt(deps, name, job)) await recordJobRun(deps.db, name, hour);
  }
}

/** @returns whether it went well */
async function attempt(deps: Dependencies, name: string, job: Job): Promise<boolean> {
  try {
    await job(deps);
    return true;
  } catch (error) {
    deps.log.error("job failed", { job: name, error: causes(error) });
    return false;
  }
}
