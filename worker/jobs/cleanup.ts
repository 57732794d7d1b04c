import { runBatch } from "../../db/client";
import { deleteStaleRows, listUnreferencedKeys } from "../../db/queries/schedule";
import type { Dependencies } from "../dependencies";

/** An upload may take this long between its file and its row. */
const GRACE_MS = 60 * 60 * 1000;

/** How long it can be seen what mails an account was sent, for whoever looks into a complaint. */
const ACCOUNT_MAILS_MS = 7 * 24 * 60 * 60 * 1000;

/** Removes sessions, links, counters and mails to accounts that are out of date. */
export async function removeStaleRows({ db, clock }: Dependencies): Promise<void> {
  const now = clock.now();
  const sentBefore = new Date(now.getTime() - ACCOUNT_MAILS_MS).toISOString();
  await runBatch(db, deleteStaleRows(db, { now: now.toISOString(), sentBefore }));
}

/** Removes files that no row knows: what a crash left between the store and the database. */
export async function removeOrphanFiles({ db, files, clock, log }: Dependencies): Promise<void> {
  const before = new Date(clock.now().getTime() - GRACE_MS);
  for await (const keys of files.listOlderThan(before)) {
    const orphans = await listUnreferencedKeys(db, keys);
    if (orphans.length === 0) continue;
    await files.remove(orphans);
    log.info("orphan files removed", { count: orphans.length });
  }
}

/** Removes at once what a killed process left between the store and the database, where the store knows of it. */
export async function removeAbandonedFiles({ db, files, log }: Dependencies): Promise<void> {
  const keys = (await files.listAbandoned?.()) ?? [];
  if (keys.length === 0) return;
  const orphans = await listUnreferencedKeys(db, keys);
  await files.remove(orphans);
  await files.settle?.(keys);
  log.info("abandoned files removed", { count: orphans.length });
}
