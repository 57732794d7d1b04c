import { listDeletedUsers, listDeletedWorkspaces } from "../../db/queries/deletions";
import type { Dependencies } from "../dependencies";
import { continueAccountDeletion, continueWorkspaceDeletion } from "../features/workspaces/deletion-in-parts";
import { workInParts } from "./in-parts";

/** A part makes two calls. */
const WORKER_PARTS = 8;

/** One that fails must not hold up the others. */
const CHOSEN_FROM = 20;

/** Deletes the rows of accounts and workspaces that were deleted with too many for one batch. */
export async function startDeletions(deps: Dependencies): Promise<void> {
  const [users, workspaces] = await deps.db.batch([
    listDeletedUsers(deps.db, CHOSEN_FROM),
    listDeletedWorkspaces(deps.db, CHOSEN_FROM),
  ]);
  const waiting = [
    ...users.map(({ id }) => ({ name: "account deletion", part: () => continueAccountDeletion(deps, id) })),
    ...workspaces.map(({ id }) => ({
      name: "workspace deletion",
      part: () => continueWorkspaceDeletion(deps, id),
    })),
  ];
  const chosen = waiting[Math.floor(Math.random() * waiting.length)];
  if (chosen) await workInParts(deps, { ...chosen, pauses: 1, workerParts: WORKER_PARTS });
}
