import { runBatch } from "../../db/client";
import { deleteExpiredKeys } from "../../db/queries/idempotency-keys";
import { deleteStaleRows } from "../../db/queries/schedule";
import {
  deleteUploadLease,
  listOrphanKeys,
  listUploadLeases,
  revokeSilentLease,
  type SeenLease,
} from "../../db/queries/upload-leases";
import { hasUsers } from "../../db/queries/users";
import { deleteOldDeliveries } from "../../db/queries/webhook-deliveries";
import type { Dependencies } from "../dependencies";
import { DAY_MS } from "../lib/durations";
import { sleep } from "../lib/sleep";

type FileDependencies = Pick<Dependencies, "db" | "files" | "log">;

/** How long account mails remain stored, to answer complaints. */
const ACCOUNT_MAILS_MS = 7 * DAY_MS;
/** How long deliveries of webhooks are stored, and how many per webhook. */
const DELIVERIES_MS = 30 * DAY_MS;
const DELIVERIES_PER_WEBHOOK = 1000;

/** Deletes expired sessions, links and counters, and old account mails. */
export async function removeStaleRows({ db, clock }: Dependencies): Promise<void> {
  const now = clock.now();
  const sentBefore = new Date(now.getTime() - ACCOUNT_MAILS_MS).toISOString();
  const deliveredBefore = new Date(now.getTime() - DELIVERIES_MS).toISOString();
  const keyedBefore = new Date(now.getTime() - DAY_MS).toISOString();
  await runBatch(db, [
    ...deleteStaleRows(db, { now: now.toISOString(), sentBefore }),
    deleteExpiredKeys(db, keyedBefore),
    ...deleteOldDeliveries(db, { before: deliveredBefore, limit: DELIVERIES_PER_WEBHOOK }),
  ]);
}

/**
 * Removes files without a row or a lease. A database without accounts is probably the wrong database: then no file is
 * removed.
 */
export async function removeOrphanFiles(deps: FileDependencies): Promise<void> {
  if (!(await hasUsers(deps.db))) return;
  for await (const keys of deps.files.list()) await removeOrphans(deps, keys);
}

/** Removes partially written files, if the store separates those. */
export async function removeUnfinishedFiles(deps: Dependencies): Promise<void> {
  await removeOrphans(deps, await deps.files.listUnfinished());
}

/**
 * Removes the files of uploads whose process has died. A lease that is not renewed while this process waits belongs to
 * a dead process; no clocks are compared. Runs alongside the other jobs, because waiting takes a while.
 */
export async function startRevokingLeases(deps: Dependencies): Promise<void> {
  const seen = await listUploadLeases(deps.db);
  for (const lease of seen) if (lease.revoked) await removeLeasedFiles(deps, lease);
  const valid = seen.filter(({ revoked }) => !revoked);
  if (valid.length > 0)
    deps.background.run("upload leases", (stopping) => revokeSilentLeases(deps, valid, stopping));
}

async function revokeSilentLeases(
  deps: Dependencies,
  seen: readonly SeenLease[],
  stopping: AbortSignal,
): Promise<void> {
  await sleep(deps.config.uploadLeases.expireMs, stopping);
  if (stopping.aborted) return;
  for (const lease of seen) if (await revokeSilentLease(deps.db, lease)) await removeLeasedFiles(deps, lease);
}

/** The lease is deleted last, so that a failed or interrupted cleanup is repeated. */
async function removeLeasedFiles(deps: Dependencies, { id, keyPrefix }: SeenLease): Promise<void> {
  for await (const keys of deps.files.list(keyPrefix)) await removeOrphans(deps, keys);
  await removeUnfinishedFiles(deps);
  await deleteUploadLease(deps.db, id);
}

async function removeOrphans({ db, files, log }: FileDependencies, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  const orphans = await listOrphanKeys(db, keys);
  if (orphans.length === 0) return;
  await files.remove(orphans);
  log.info("orphan files removed", { count: orphans.length });
}
