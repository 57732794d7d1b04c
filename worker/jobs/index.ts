import { findImport, hourOf, listJobRuns, recordJobRun } from "../../db/queries/job-runs";
import type { Dependencies } from "../dependencies";
import { causes } from "../errors";
import { reportAlerts } from "../features/administration/alerts.service";
import { deliverFilesSoon } from "../features/destinations/deliver-soon";
import { deletePendingFiles } from "../features/files/file-deletions";
import { replaceDueLinks } from "../features/links/due-links";
import { drainOutbox } from "../features/notifications/messages.sender";
import { sendSoon } from "../features/webhooks/webhooks.service";
import { continueBulkSends } from "./bulk-sends";
import {
  cleanStore,
  removeAbandonedUploads,
  removeExpiredUploads,
  removeStaleRows,
  startRevokingLeases,
} from "./cleanup";
import { startDeletions } from "./deletions";
import { announceExpiry, expireEnvelopes, reportSendingLimits, reportUndelivered } from "./notices";
import { startScanningQuarantine } from "./quarantined-files";
import { queueReminders } from "./reminders";
import { renewDocuments } from "./renewals";
import { announceFileDeletions, deleteRetainedFiles } from "./retention";
import { queueScheduleMails, sendScheduledEnvelopes } from "./scheduled-envelopes";
import { eraseFromSearchIndex, startIndexing } from "./search-index";
import { queueDueSeries } from "./series";

const EACH_MINUTE = {
  startRevokingLeases,
  startDeletions,
  expireEnvelopes,
  removeExpiredUploads,
  deletePendingFiles,
  queueReminders,
  sendScheduledEnvelopes,
  queueDueSeries,
  renewDocuments,
  continueBulkSends,
  // After everything that has news for them.
  queueScheduleMails,
  replaceDueLinks,
  reportSendingLimits,
  drainOutbox,
  startScanningQuarantine,
  startIndexing,
  startDeliveringFiles: async (deps: Dependencies) => deliverFilesSoon(deps),
  startSendingWebhooks: async (deps: Dependencies) => sendSoon(deps),
};
const EACH_HOUR = {
  announceExpiry,
  announceFileDeletions,
  reportUndelivered,
  deleteRetainedFiles,
  removeStaleRows,
  removeAbandonedUploads,
  eraseFromSearchIndex,
  reportAlerts,
  // The last one: of nearly a million files, a Worker cannot list all in a run.
  cleanStore,
};

export const JOBS = { ...EACH_MINUTE, ...EACH_HOUR };
export type JobName = keyof typeof JOBS;

/** These wait while too little space is free: the rest of it is for sign-ins, submissions and deletions. */
const GROWING = new Set<string>([
  "queueReminders",
  "sendScheduledEnvelopes",
  "queueDueSeries",
  "renewDocuments",
  "continueBulkSends",
  "startIndexing",
  "announceExpiry",
  "announceFileDeletions",
  "reportUndelivered",
] satisfies JobName[]);

/** An hourly job that resolves to false has more to do, and continues with the next run. */
type Job = (deps: Dependencies) => Promise<unknown>;

/** The scheduled jobs, run once a minute by a schedule or cron trigger. A failing job does not stop the others. */
export async function runScheduledJobs(deps: Dependencies): Promise<void> {
  // They would send and delete by rows of which a part is missing.
  // Without the database, each of them fails and is counted.
  if (await findImport(deps.db).catch(() => undefined)) return deps.log.warn("jobs wait for an import");
  for (const [name, job] of Object.entries(EACH_MINUTE)) await attempt(deps, name, job);
  await runHourlyJobs(deps).catch((error: unknown) =>
    deps.log.error("hourly jobs failed", { error: causes(error) }),
  );
}

/**
 * Runs the hourly jobs that have not run in this hour, at any minute: a minute may be missed after a long run or
 * downtime. A failed job is due again at the next call.
 */
async function runHourlyJobs(deps: Dependencies): Promise<void> {
  const hour = hourOf(deps.clock.now());
  const done = new Set(await listJobRuns(deps.db, hour));
  for (const [name, job] of Object.entries(EACH_HOUR)) {
    if (done.has(name)) continue;
    if (await attempt(deps, name, job)) await recordJobRun(deps.db, name, hour);
  }
}

/** @returns whether the job succeeded, and left nothing to do */
async function attempt(deps: Dependencies, name: string, job: Job): Promise<boolean> {
  const started = performance.now();
  const count = (succeeded: boolean) =>
    deps.metrics?.countJob(name, succeeded, (performance.now() - started) / 1000, deps.clock.now());
  try {
    if (GROWING.has(name)) await deps.requireSpace?.(0);
    const result = await job(deps);
    count(true);
    return result !== false;
  } catch (error) {
    count(false);
    deps.log.error("job failed", { job: name, error: causes(error) });
    return false;
  }
}
