import { runBatch } from "../../db/client";
import { listOrphanKeys } from "../../db/queries/upload-leases";
import { deleteExpiredUploads } from "../../db/queries/uploads";
import type { Dependencies } from "../dependencies";
import { requireOwnStore } from "../features/files/store-owner";
import { aliveSince } from "../features/uploads/upload-expiry";
import { DAY_MS } from "../lib/durations";

/** Longer than any upload lives after its last byte. */
const ABANDONED_MS = 8 * DAY_MS;

/** Removes uploads that nobody continued or submitted in time. */
export async function removeExpiredUploads({ db, clock }: Dependencies): Promise<void> {
  const now = clock.now();
  await runBatch(db, deleteExpiredUploads(db, { aliveSince: aliveSince(now), now: now.toISOString() }));
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
