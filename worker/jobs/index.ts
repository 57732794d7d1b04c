import type { Dependencies } from "../dependencies";
import { causes } from "../errors";
import { removeNotedFiles } from "../features/files/removed-files";
import { drainOutbox } from "../features/notifications/sending";
import { removeAbandonedFiles, removeOrphanFiles, removeOutlivedRows } from "./cleanup";
import { announceExpiry, expireEnvelopes } from "./expiry";
import { scanHeldFiles } from "./held-files";
import { queueReminders } from "./reminders";
import { announceFileDeletions, deleteKeptFiles } from "./retention";

const EACH_MINUTE = {
  removeAbandonedFiles,
  removeNotedFiles,
  expireEnvelopes,
  queueReminders,
  drainOutbox,
  scanHeldFiles,
};
const EACH_HOUR = {
  announceExpiry,
  announceFileDeletions,
  deleteKeptFiles,
  removeOutlivedRows,
  removeOrphanFiles,
};

/** What time starts. Called once a minute, from a schedule or a cron trigger; one failing does not stop the rest. */
export async function runScheduledJobs(deps: Dependencies): Promise<void> {
  await runAll(deps, EACH_MINUTE);
  if (deps.clock.now().getUTCMinutes() === 0) await runAll(deps, EACH_HOUR);
}

async function runAll(deps: Dependencies, jobs: Record<string, (deps: Dependencies) => Promise<void>>) {
  for (const [name, job] of Object.entries(jobs)) {
    await job(deps).catch((error: unknown) =>
      deps.log.error("job failed", { job: name, error: causes(error) }),
    );
  }
}
