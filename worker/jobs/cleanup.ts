import { runBatch, runBatchAndRead } from "../../db/client";
import { deleteUnusedAttachments, selectReleased } from "../../db/queries/attachments";
import { deleteOldBulkSends } from "../../db/queries/bulk-sends";
import { deleteSomeStaleRows, restartReminders, restartWaiting } from "../../db/queries/schedule";
import {
  deleteUploadLease,
  listOrphanKeys,
  listUploadLeases,
  revokeSilentLease,
  type SeenLease,
} from "../../db/queries/upload-leases";
import { deleteSomeExpiredUploads } from "../../db/queries/uploads";
import { hasUsers } from "../../db/queries/users";
import { deleteSomeIdleSnapshots, deleteSomeOldDeliveries } from "../../db/queries/webhook-deliveries";
import { deletePreviousSecrets, endSomeDeliveries } from "../../db/queries/webhooks";
import { deleteSomeOldActivity } from "../../db/queries/workspace-activity";
import { ACTIVITY_DAYS, ACTIVITY_PER_WORKSPACE } from "../contract/members";
import { FAILED_RECIPIENT_DAYS, SIGN_IN_DAYS } from "../contract/options";
import type { Dependencies } from "../dependencies";
import {
  findOrphanFiles,
  needsConfirmation,
  removeOrphanFiles,
  removeUnfinishedFiles,
} from "../features/files/orphan-files";
import { requireOwnStore } from "../features/files/store-owner";
import { aliveSince } from "../features/uploads/upload-lock";
import { DAY_MS, HOUR_MS } from "../lib/durations";
import { sleep } from "../lib/retry";
import { workInParts } from "./in-parts";

type FileDependencies = Pick<Dependencies, "db" | "files" | "log" | "takeTurn">;

/** How long account mails remain stored, to answer complaints. */
const ACCOUNT_MAILS_MS = 7 * DAY_MS;
/**
 * A process that died had stored its file shortly before. An older file may have been recorded since: the database may be
 * a snapshot from the time of the upload.
 */
const LEASED_FILE_MS = HOUR_MS;
/** How long a form stays that nothing has attached. */
const UNUSED_ATTACHMENTS_MS = 7 * DAY_MS;
/** How long deliveries of webhooks are stored, and how many per webhook. */
const DELIVERIES_MS = 30 * DAY_MS;
const DELIVERIES_PER_WEBHOOK = { finished: 1000, waiting: 10_000 };
const WORKER_PARTS = 6;
/** Of the activity, which each run looks through from the first workspace on. */
const WORKER_ACTIVITY_PARTS = 100;
/** Reminders are at most a month apart. */
const LONGER_THAN_A_PERIOD_MS = 40 * DAY_MS;
/** A message is tried again after two days at most, with what its delay varies by. */
const LONGER_THAN_A_RETRY_MS = 3 * DAY_MS;

/** Rows of one part. On a Worker, nobody waits for a statement, and a run has few. */
const partOf = ({ takeTurn }: Pick<Dependencies, "takeTurn">) => (takeTurn ? 500 : 10_000);

/**
 * Deletes expired sessions, links and counters, old sign-ins, activity, account mails, and forms that nothing has
 * attached. Restarts reminders and attempts that were put off while the clock was ahead.
 */
export async function removeStaleRows(deps: Dependencies): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const sentBefore = new Date(now.getTime() - ACCOUNT_MAILS_MS).toISOString();
  const keyedBefore = new Date(now.getTime() - DAY_MS).toISOString();
  const signedInBefore = new Date(now.getTime() - SIGN_IN_DAYS * DAY_MS).toISOString();
  const failedBefore = new Date(now.getTime() - FAILED_RECIPIENT_DAYS * DAY_MS).toISOString();
  const { deleteSomeUnsent } = await import("../../db/queries/bulk-sends-in-parts");
  for (let last: number | undefined = 0; deps.takeTurn && last !== undefined; await deps.takeTurn())
    last = await deleteSomeUnsent(db, failedBefore, last);
  const stale = { now: now.toISOString(), sentBefore, keyedBefore, signedInBefore };
  await workInParts(deps, {
    name: "stale rows",
    part: () => deleteSomeStaleRows(db, { ...stale, limit: partOf(deps) }),
    pauses: 1,
    workerParts: WORKER_PARTS,
  });
  await runBatch(db, [deletePreviousSecrets(db, now.toISOString()), ...deleteOldBulkSends(db, failedBefore)]);
  const restarted = (after: number) => ({
    now: now.toISOString(),
    latest: new Date(now.getTime() + after).toISOString(),
    takeTurn: deps.takeTurn,
  });
  await restartReminders(db, restarted(LONGER_THAN_A_PERIOD_MS));
  await restartWaiting(db, restarted(LONGER_THAN_A_RETRY_MS));
  const unused = {
    before: new Date(now.getTime() - UNUSED_ATTACHMENTS_MS).toISOString(),
    now: now.toISOString(),
  };
  await workInParts(deps, {
    name: "unused forms",
    part: async () =>
      (await runBatchAndRead(db, deleteUnusedAttachments(db, unused), selectReleased(db, unused.before)))
        .length > 0,
    pauses: 1,
    workerParts: WORKER_PARTS,
  });
  await workInParts(deps, {
    name: "deliveries of webhooks that are switched off",
    part: () => endSomeDeliveries(db),
    pauses: 1,
    workerParts: WORKER_PARTS,
  });
  await workInParts(deps, {
    name: "deleted envelopes that no webhook waits for",
    part: () => deleteSomeIdleSnapshots(db),
    pauses: 1,
    workerParts: WORKER_PARTS,
  });
  const kept = {
    before: new Date(now.getTime() - ACTIVITY_DAYS * DAY_MS).toISOString(),
    limit: ACTIVITY_PER_WORKSPACE,
  };
  let after: number | null = 0;
  await workInParts(deps, {
    name: "old activity",
    part: async () => {
      after = await deleteSomeOldActivity(db, { ...kept, after: after ?? 0 });
      return after !== null;
    },
    pauses: 1,
    workerParts: WORKER_ACTIVITY_PARTS,
  });
  const old = {
    before: new Date(now.getTime() - DELIVERIES_MS).toISOString(),
    ...DELIVERIES_PER_WEBHOOK,
  };
  await workInParts(deps, {
    name: "old deliveries",
    part: () => deleteSomeOldDeliveries(db, old),
    pauses: 1,
    workerParts: WORKER_PARTS,
  });
}

/**
 * Removes files of unknown origin that are at least a day old. If there are many, the database may not be the store's,
 * or an older one: then they stay until the operator confirms it. A database without accounts removes none.
 * @throws ForeignStoreError
 */
export async function cleanStore(deps: FileDependencies): Promise<void> {
  await requireOwnStore(deps);
  if (!(await hasUsers(deps.db))) return;
  await removeUnfinishedFiles(deps);
  const found = await findOrphanFiles(deps);
  if (needsConfirmation(found)) {
    const counts = { count: found.removable.length, of: found.total };
    deps.log.warn("orphan files wait for confirmation by `doculopes orphans`", counts);
    return;
  }
  const count = await removeOrphanFiles(deps, found);
  if (count > 0) deps.log.info("orphan files removed", { count });
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

/**
 * The lease is deleted last, so that a failed or interrupted cleanup is repeated. An empty prefix, as of an import,
 * does not say which files are its own: they are orphans then.
 */
async function removeLeasedFiles(deps: Dependencies, { id, keyPrefix }: SeenLease): Promise<void> {
  if (keyPrefix !== "") {
    for await (const keys of deps.files.list(keyPrefix)) await removeUnrecorded(deps, keys);
    const unfinished = await deps.files.listUnfinished();
    await removePartial(
      deps,
      unfinished.filter((key) => key.startsWith(keyPrefix)),
    );
  }
  await deleteUploadLease(deps.db, id);
}

/** Removes the recent ones of these complete files; older ones are of unknown origin once their lease is deleted. */
async function removeUnrecorded({ db, files, log }: FileDependencies, keys: string[]): Promise<void> {
  const orphans = await listOrphanKeys(db, keys);
  if (orphans.length === 0) return;
  const old = new Set(await files.olderThan(orphans, LEASED_FILE_MS));
  const recent = orphans.filter((key) => !old.has(key));
  if (recent.length === 0) return;
  await files.removeOrphans(recent);
  log.info("orphan files removed", { count: recent.length });
}

async function removePartial({ db, files, log }: FileDependencies, keys: string[]): Promise<void> {
  const orphans = await listOrphanKeys(db, keys);
  if (orphans.length === 0) return;
  await files.remove(orphans);
  log.info("orphan files removed", { count: orphans.length });
}

/** Longer than any upload lives after its last byte. */
const ABANDONED_MS = 8 * DAY_MS;

/** Removes uploads that nobody continued or submitted in time. */
export async function removeExpiredUploads(deps: Dependencies): Promise<void> {
  const now = deps.clock.now();
  const expired = { aliveSince: aliveSince(now), now: now.toISOString(), limit: partOf(deps) };
  await workInParts(deps, {
    name: "expired uploads",
    part: () => deleteSomeExpiredUploads(deps.db, expired),
    pauses: 1,
    workerParts: WORKER_PARTS,
  });
}

/** Removes stored files of uploads that have no row any more. @throws ForeignStoreError */
export async function removeAbandonedUploads(deps: Dependencies): Promise<void> {
  const { db, clock, resumableFiles, log } = deps;
  await requireOwnStore(deps);
  const before = new Date(clock.now().getTime() - ABANDONED_MS);
  for await (const remains of resumableFiles.listAbandoned(before)) {
    const orphans = new Set(
      await listOrphanKeys(
        db,
        remains.map(({ key }) => key),
      ),
    );
    for (const { key, state } of remains) if (orphans.has(key)) await resumableFiles.abandon(key, state);
    if (orphans.size > 0) log.info("abandoned uploads removed", { count: orphans.size });
  }
}
