import { deleteFileDeletions, listFileDeletions } from "../../../db/queries/file-deletions";
import type { Dependencies } from "../../dependencies";
import { causes } from "../../errors";
import { workInParts } from "../../jobs/in-parts";
import { withDeadline } from "../../lib/retry";

const PAGE = 100;
/** Three calls each, and one more for each unfinished upload. */
const WORKER_PARTS = 10;
/** How long a response waits: the store may be slow, and other files may wait to be deleted. */
const WAIT_MS = 1000;

/**
 * Deletes stored files whose rows were deleted. Several processes may run this at once; a missing file is not an error.
 */
export async function deletePendingFiles(deps: Dependencies): Promise<void> {
  await workInParts(deps, {
    name: "file deletions",
    part: () => deleteSome(deps),
    pauses: 1,
    workerParts: WORKER_PARTS,
  });
}

/** @returns whether there may be more */
async function deleteSome({ db, files, resumableFiles }: Dependencies): Promise<boolean> {
  const pending = await listFileDeletions(db, PAGE);
  if (pending.length === 0) return false;
  await files.remove(pending.flatMap(({ key, storeState }) => (storeState === null ? [key] : [])));
  for (const { key, storeState } of pending)
    if (storeState !== null) await resumableFiles.abandon(key, storeState);
  const keys = pending.map(({ key }) => key);
  await deleteFileDeletions(db, keys);
  return keys.length === PAGE;
}

/**
 * The same before a response, which waits for a second at most. The rows are already deleted, so a failure is only logged;
 * the schedule retries.
 */
export async function tryDeletePendingFiles(deps: Dependencies): Promise<void> {
  const deleteAll = async () => {
    while (await deleteSome(deps));
  };
  const done = deleteAll().catch((error: unknown) =>
    deps.log.error("files not removed yet", { error: causes(error) }),
  );
  deps.background.run("file deletions", () => done);
  await withDeadline(done, WAIT_MS, () => new Error("Not yet")).catch(() => {});
}
