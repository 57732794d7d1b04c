import { listDeletedUsers } from "../../db/queries/account-deletion";
import type { Dependencies } from "../dependencies";
import { continueDeletion } from "../features/users/account-deletion";
import { workInParts } from "./in-parts";

/** A part makes two calls. */
const WORKER_PARTS = 8;

/** Deletes the rows of accounts that were deleted with too many for one batch. */
export async function startDeletingAccounts(deps: Dependencies): Promise<void> {
  const [deleted] = await listDeletedUsers(deps.db, 1);
  if (!deleted) return;
  await workInParts(deps, {
    name: "account deletion",
    part: () => continueDeletion(deps, deleted.id),
    pauses: 1,
    workerParts: WORKER_PARTS,
  });
}
