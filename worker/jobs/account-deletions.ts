import { listDeletedUsers } from "../../db/queries/account-deletion";
import type { Dependencies } from "../dependencies";
import { continueDeletion } from "../features/users/account-deletion";
import { workInParts } from "./in-parts";

/** A part makes two calls. */
const WORKER_PARTS = 8;

/** One that fails must not hold up the others. */
const CHOSEN_FROM = 20;

/** Deletes the rows of accounts that were deleted with too many for one batch. */
export async function startDeletingAccounts(deps: Dependencies): Promise<void> {
  const waiting = await listDeletedUsers(deps.db, CHOSEN_FROM);
  const deleted = waiting[Math.floor(Math.random() * waiting.length)];
  if (!deleted) return;
  await workInParts(deps, {
    name: "account deletion",
    part: () => continueDeletion(deps, deleted.id),
    pauses: 1,
    workerParts: WORKER_PARTS,
  });
}
