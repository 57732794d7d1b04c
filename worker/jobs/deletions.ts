import { findDeletedUser, findDeletedWorkspace } from "../../db/queries/deletions";
import type { Dependencies } from "../dependencies";
import { continueAccountDeletion, continueWorkspaceDeletion } from "../features/workspaces/deletion-in-parts";
import { workInParts } from "./in-parts";

/** A part makes five calls at most. */
const WORKER_PARTS = 6;

/** Deletes the rows of accounts and workspaces that were deleted with too many for one batch. */
export async function startDeletions(deps: Dependencies): Promise<void> {
  await workInParts(deps, {
    name: "deletion",
    part: () => deletePart(deps),
    pauses: 1,
    workerParts: WORKER_PARTS,
  });
}

/** @returns whether there was something to delete */
async function deletePart(deps: Dependencies): Promise<boolean> {
  const [[user], [workspace]] = await deps.db.batch([
    findDeletedUser(deps.db),
    findDeletedWorkspace(deps.db),
  ]);
  if (user && (!workspace || Math.random() < 0.5)) await continueAccountDeletion(deps, user.id);
  else if (workspace) await continueWorkspaceDeletion(deps, workspace.id);
  return Boolean(user ?? workspace);
}
