import { deleteFileDeletions, listFileDeletions } from "../../../db/queries/file-deletions";
import type { Dependencies } from "../../dependencies";
import { causes } from "../../errors";

const PAGE = 500;

/**
 * Removes from the store what the rows have let go of. Any number of processes may do so at once, and a file
 * that is gone already is no error.
 */
export async function deletePendingFiles({ db, files }: Dependencies): Promise<void> {
  for (;;) {
    const keys = await listFileDeletions(db, PAGE);
    if (keys.length === 0) return;
    await files.remove(keys);
    await deleteFileDeletions(db, keys);
    if (keys.length < PAGE) return;
  }
}

/** The same before an answer: the rows are gone whatever the store says, and the schedule tries again. */
export async function tryDeletePendingFiles(deps: Dependencies): Promise<void> {
  await deletePendingFiles(deps).catch((error: unknown) =>
    deps.log.error("files not removed yet", { error: causes(error) }),
  );
}
