import { runBatch, type Statement } from "../../../db/client";
import {
  closeUser,
  closeWorkspace,
  type DeletedEnvelopes,
  deleteClosedWorkspace,
  deleteEnvelopes,
  deleteUser,
  deleteWorkspace,
  envelopesOfUser,
  envelopesOfWorkspace,
  listEnvelopes,
} from "../../../db/queries/deletions";
import type { Member } from "../../../db/queries/members";
import type { Dependencies } from "../../dependencies";

/** Envelopes that one batch deletes, during which nobody else is served. */
const PART = 50;

type DeletionDependencies = Pick<Dependencies, "db" | "clock">;

/**
 * The statements that delete an account. One with many envelopes they only close, and mark as deleted:
 * `continueAccountDeletion` deletes its rows.
 */
export async function accountDeletion(
  { db, clock }: DeletionDependencies,
  userId: number,
): Promise<Statement[]> {
  const now = clock.now().toISOString();
  return (await isLarge(db, envelopesOfUser(userId)))
    ? closeUser(db, userId, { disabledAt: now, deletedAt: now })
    : deleteUser(db, userId, now);
}

/** The same for a workspace. */
export async function workspaceDeletion(
  { db, clock }: DeletionDependencies,
  caller: Member,
  id: number,
): Promise<Statement[]> {
  const now = clock.now().toISOString();
  const statements = (await isLarge(db, envelopesOfWorkspace(id))) ? closeWorkspace : deleteWorkspace;
  return statements(db, caller, id, now);
}

const isLarge = async (db: Dependencies["db"], which: DeletedEnvelopes) =>
  (await listEnvelopes(db, which, PART)).length === PART;

/** Deletes some rows of an account that is marked as deleted, at last the account. */
export const continueAccountDeletion = (deps: DeletionDependencies, userId: number): Promise<void> =>
  deletePart(deps, envelopesOfUser(userId), (now) => deleteUser(deps.db, userId, now));

/** The same for a workspace. */
export const continueWorkspaceDeletion = (deps: DeletionDependencies, id: number): Promise<void> =>
  deletePart(deps, envelopesOfWorkspace(id), (now) => deleteClosedWorkspace(deps.db, id, now));

async function deletePart(
  { db, clock }: DeletionDependencies,
  which: DeletedEnvelopes,
  rest: (now: string) => Statement[],
): Promise<void> {
  const now = clock.now().toISOString();
  const found = await listEnvelopes(db, which, PART);
  const ids = found.map(({ id }) => id);
  await runBatch(db, found.length < PART ? rest(now) : deleteEnvelopes(db, which, { ids, now }));
}
