import { listUnknownKeys } from "../../../db/queries/upload-leases";
import type { Dependencies } from "../../dependencies";
import { DAY_MS } from "../../lib/durations";

type Stores = Pick<Dependencies, "db" | "files" | "takeTurn">;

/** Files of unknown origin stay at least this long, by the store's own clock. */
const MIN_AGE_MS = DAY_MS;
/** More of them than this in one run are removed only if the operator confirms it. */
const MAX_COUNT = 100;
const MAX_SHARE = 0.05;
const PAGE = 500;

export type OrphanFiles = {
  /** The number of all stored files. */
  total: number;
  /** The keys that neither a row nor a lease references, and of these the ones that are old enough to be removed. */
  unknown: string[];
  removable: string[];
};

/** Looks for stored files of unknown origin. */
export async function findOrphanFiles({ db, files, takeTurn }: Stores): Promise<OrphanFiles> {
  let total = 0;
  const unknown: string[] = [];
  for await (const keys of files.list()) {
    // A folder's pages may all be in memory already.
    await takeTurn?.();
    total += keys.length;
    unknown.push(...(await listUnknownKeys(db, keys)));
  }
  const removable = unknown.length > 0 ? await files.olderThan(unknown, MIN_AGE_MS) : [];
  return { total, unknown, removable };
}

/** So many that the database may be an older one, or not that of the store. */
export const needsConfirmation = ({ total, removable }: OrphanFiles): boolean =>
  removable.length > Math.min(MAX_COUNT, MAX_SHARE * total);

/** Removes those that are still unknown. Partially written ones are removed too. @returns their number */
export async function removeOrphanFiles({ db, files }: Stores, { removable }: OrphanFiles): Promise<number> {
  let removed = 0;
  for (let start = 0; start < removable.length; start += PAGE) {
    const keys = await listUnknownKeys(db, removable.slice(start, start + PAGE));
    await files.removeOrphans(keys);
    removed += keys.length;
  }
  // Deletes what a disk has kept long enough.
  if (removed === 0) await files.removeOrphans([]);
  return removed;
}

/** Removes partially written files that nobody has written to for a day. */
export async function removeUnfinishedFiles({ db, files }: Stores): Promise<void> {
  const unknown = await listUnknownKeys(db, await files.listUnfinished());
  const old = await files.olderThan(unknown, MIN_AGE_MS);
  if (old.length > 0) await files.remove(old);
}
