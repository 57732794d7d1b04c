import { listLargestAccounts, listPossibleAdministrators } from "../../../db/queries/accounts";
import { readInstanceCounts } from "../../../db/queries/instance-counts";
import { BACKUP, isJob, startOfHour } from "../../../db/queries/job-runs";
import { LAST_MIGRATION } from "../../../db/version";
import type { Dependencies } from "../../dependencies";
import { DAY_MS } from "../../lib/durations";
import { VERSION } from "../../lib/version";
import { isAdministrator } from "../sign-in-policy/sign-in-policy";
import type { Administration } from "./accounts.service";
import { readAlerts } from "./alerts.service";

const ACTIVE_DAYS = 30;
const FAILED_DAYS = 7;
const LARGEST = 5;

/** The state of the whole instance: version, sign-up, counts, storage, outbox, scanner and jobs. */
export async function readInstance(
  { db, config, clock, takeTurn }: Administration & Pick<Dependencies, "takeTurn">,
  { scans, sendsMail, readDisk }: { scans: boolean; sendsMail: boolean } & Pick<Dependencies, "readDisk">,
) {
  const now = clock.now();
  const since = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  const counts = await readInstanceCounts(db, {
    activeSince: since(ACTIVE_DAYS),
    failedSince: since(FAILED_DAYS),
    now: since(0),
  });
  // Both read all texts.
  await takeTurn?.();
  const [largest, possible, alerts, disk] = await Promise.all([
    listLargestAccounts(db, LARGEST),
    listPossibleAdministrators(db, config.adminEmails),
    readAlerts({ db }),
    readDisk?.() ?? null,
  ]);
  const { accounts, workspaces, byStatus, storage, outbox, quarantined, jobs, webhooks, destinations } =
    counts;
  const envelopes = Object.fromEntries(byStatus.map(({ status, count }) => [status, count]));
  const runs = jobs.map(({ job, hour }) => ({ job, lastRun: startOfHour(hour) }));
  return {
    version: VERSION,
    schema: LAST_MIGRATION,
    signUp: config.signUp,
    signUpChosen: config.signUpChosen,
    administrators: possible.filter((user) => isAdministrator(config, user)).length,
    /** The active ones were seen in the last 30 days. */
    accounts,
    envelopes: {
      total: byStatus.reduce((sum, { count }) => sum + count, 0),
      draft: envelopes.draft ?? 0,
      scheduled: envelopes.scheduled ?? 0,
      pending: envelopes.pending ?? 0,
      completed: envelopes.completed ?? 0,
      expired: envelopes.expired ?? 0,
    },
    workspaces,
    storage: { ...storage, largest, accountLimit: config.quotas.accountBytes },
    /** Those that failed in the last 7 days. */
    outbox: { ...outbox, sendsMail },
    scanner: { configured: scans, quarantined },
    webhooks,
    destinations,
    /** The hour in which each hourly job ran last, such as `2026-03-14T09:00:00.000Z`. */
    jobs: runs.filter(isJob),
    alerts,
    disk,
    lastBackup: runs.find(({ job }) => job === BACKUP)?.lastRun ?? null,
  };
}
