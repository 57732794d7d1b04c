import { runBatch } from "../../../db/client";
import { isStorageNearlyFull, listPossibleAdministrators } from "../../../db/queries/accounts";
import { hasUndelivered } from "../../../db/queries/delivery-problems";
import {
  deleteAlert,
  findLastBackup,
  hourOf,
  insertAlert,
  listAlerts,
  startOfHour,
} from "../../../db/queries/job-runs";
import { deleteWaitingMails, hasUnreachable } from "../../../db/queries/notifications";
import { ALERT_CAUSES, type AlertCause } from "../../contract/alerts";
import type { Dependencies } from "../../dependencies";
import { causes } from "../../errors";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/durations";
import { withDeadline } from "../../lib/retry";
import { StorageFullError } from "../../ports/file-store";
import { scanSample } from "../files/scanning";
import { checkStore } from "../health/store-check";
import { queueAccountMail } from "../notifications/outbox";
import { isAdministrator } from "../sign-in-policy/sign-in-policy";
import type { Administration } from "./accounts.service";

/** A nightly backup is at most a day old, plus the time it takes. */
const LATE_BACKUP_MS = 1.5 * DAY_MS;
/** As long as the rule DoculopesMailDelayed waits. */
const MAIL_DOWN_MS = 30 * MINUTE_MS;
/** A destination that is full or has lost its access is tried again each hour. */
const UNDELIVERED_MS = 2 * HOUR_MS;
const CHECK_MS = 20_000;

/** One of the future, made while the clock was ahead, says nothing of the time since. */
export const isBackupLate = (last: string, now: Date): boolean =>
  Math.abs(now.getTime() - Date.parse(last)) > LATE_BACKUP_MS;

/** Why the work failed; null if it did not. */
const failureOf = (work: Promise<unknown> | undefined): Promise<unknown> =>
  withDeadline(Promise.resolve(work), CHECK_MS, () => new Error("No answer")).then(
    () => null,
    (error: unknown) => error ?? new Error("Unknown failure"),
  );

/** Whether each cause exists now. Null: a command says when it begins, and when it is over. */
const CHECKS: Record<AlertCause, ((deps: Dependencies) => Promise<boolean>) | null> = {
  backup_failed: null,
  async backup_late({ db, clock }) {
    const last = await findLastBackup(db);
    return last !== null && isBackupLate(last, clock.now());
  },
  files_damaged: null,
  async disk_low({ requireSpace, files }) {
    const failures = [await failureOf(requireSpace?.(0)), await failureOf(checkStore(files))];
    return failures.some((failure) => failure instanceof StorageFullError);
  },
  storage_full: ({ db, config }) => isStorageNearlyFull(db, config.quotas.accountBytes),
  scanner_down: async ({ scanner }) =>
    scanner !== undefined && (await scanSample(scanner)).kind === "unknown",
  mail_down: ({ db, clock }) =>
    hasUnreachable(db, new Date(clock.now().getTime() - MAIL_DOWN_MS).toISOString()),
  async store_down({ files }) {
    const failure = await failureOf(checkStore(files));
    return failure !== null && !(failure instanceof StorageFullError);
  },
  files_undelivered({ db, clock }) {
    const before = (milliseconds: number) => new Date(clock.now().getTime() - milliseconds).toISOString();
    return hasUndelivered(db, { triedSince: before(UNDELIVERED_MS), failedAfter: before(DAY_MS) });
  },
  // A server runs.
  server_failed: async () => false,
};

/** What is wrong with the instance, and since which hour. */
export async function readAlerts({ db }: Pick<Dependencies, "db">) {
  const alerts = await listAlerts(db);
  return alerts.flatMap(({ cause: stored, hour }) => {
    const cause = ALERT_CAUSES.find((known) => known === stored);
    return cause ? [{ cause, since: startOfHour(hour) }] : [];
  });
}

/** Looks for each cause, and tells the administrators when it begins, each further day, and when it is over. */
export async function reportAlerts(deps: Dependencies): Promise<void> {
  const open = new Set((await readAlerts(deps)).map(({ cause }) => cause));
  for (const cause of ALERT_CAUSES) {
    try {
      const exists = (await CHECKS[cause]?.(deps)) ?? open.has(cause);
      if (exists) await beginAlert(deps, cause);
      else if (open.has(cause)) await endAlert(deps, cause);
    } catch (error) {
      deps.log.error("alert not checked", { cause, error: causes(error).trim() });
    }
  }
}

/** Records that the cause exists, and tells the administrators once a day. */
export async function beginAlert(deps: Administration, cause: AlertCause): Promise<void> {
  const { db, clock, log } = deps;
  const now = clock.now();
  const day = now.toISOString().slice(0, "2026-03-14".length);
  await runBatch(db, [
    insertAlert(db, cause, hourOf(now)),
    // Those of earlier days: when mail works again, one is enough.
    deleteWaitingMails(db, `alert:${cause}:`, `alert:${cause}:${day}`),
  ]);
  const since = (await readAlerts(deps)).find((alert) => alert.cause === cause)?.since ?? now.toISOString();
  log.warn("alert", { cause, since });
  // Nobody could read it before it is over.
  if (cause !== "mail_down") await tell(deps, "alert", { cause, since, day });
}

/** Records that the cause is over, and tells the administrators. */
export async function endAlert(deps: Administration, cause: AlertCause): Promise<void> {
  const { db, clock, log } = deps;
  const alert = (await readAlerts(deps)).find((open) => open.cause === cause);
  if (!alert) return;
  const day = clock.now().toISOString().slice(0, "2026-03-14".length);
  await tell(deps, "alert_over", { ...alert, day });
  // `;` follows `:`, after which the day begins.
  await runBatch(db, [deleteAlert(db, cause), deleteWaitingMails(db, `alert:${cause}:`, `alert:${cause};`)]);
  log.info("alert over", alert);
}

/** Two servers, or a cause that comes and goes, send one mail a day. */
async function tell(
  { db, config, clock }: Administration,
  kind: "alert" | "alert_over",
  { day, ...payload }: { cause: AlertCause; since: string; day: string },
): Promise<void> {
  const administrators = await listPossibleAdministrators(db, config.adminEmails);
  const createdAt = clock.now().toISOString();
  await runBatch(
    db,
    administrators
      .filter((user) => isAdministrator(config, user))
      .map(({ id: userId }) => {
        const dedupeKey = `${kind}:${payload.cause}:${day}:${userId}`;
        return queueAccountMail(db, kind, { userId, createdAt, payload, dedupeKey });
      }),
  );
}
