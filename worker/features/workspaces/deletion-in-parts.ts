import { runBatch, type Statement } from "../../../db/client";
import {
  closeUser,
  closeWorkspace,
  type DeletedEnvelopes,
  deleteClosedWorkspace,
  deleteEnvelopes,
  deleteSomeRows,
  deleteUser,
  deleteWorkspace,
  envelopesOfUser,
  envelopesOfWorkspace,
  listEnvelopes,
} from "../../../db/queries/deletions";
import { deleteSomeDeliveries } from "../../../db/queries/file-deliveries";
import type { Member } from "../../../db/queries/members";
import { findMuchAssigned, passOnSome } from "../../../db/queries/membership";
import type { Dependencies } from "../../dependencies";

/** Envelopes that one batch deletes, during which nobody else is served. */
const PART = 50;
/** The same, by the bytes of what is removed from the search index. */
const PART_BYTES = 12_000;
/** The same, by their events and messages. Where they are more, some of each go first. */
const PART_ROWS = 2000;
const ROWS_AT_ONCE = 500;

/** Few calls need them. */
const ofDeliveries = () => import("../../../db/queries/passed-on-deliveries");

type DeletionDependencies = Pick<Dependencies, "db" | "clock">;

/**
 * The statements that delete an account. One with many envelopes or messages, or to which many are assigned, they only close, and mark as deleted:
 * `continueAccountDeletion` deletes its rows.
 */
export async function accountDeletion(
  { db, clock }: DeletionDependencies,
  userId: number,
): Promise<Statement[]> {
  const now = clock.now().toISOString();
  const isMuch =
    (await isLarge(db, envelopesOfUser(userId))) ||
    (await findMuchAssigned(db, userId)) !== undefined ||
    (await (await ofDeliveries()).hasManyDeliveries(db, userId));
  return isMuch ? closeUser(db, userId, { disabledAt: now, deletedAt: now }) : deleteUser(db, userId, now);
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
  (await findPart(db, which)).hasMore;

/** The envelopes that one batch may delete. */
async function findPart(db: Dependencies["db"], which: DeletedEnvelopes) {
  const found = await listEnvelopes(db, which, PART);
  let [bytes, rows] = [0, 0];
  const part = found.filter((envelope) => {
    const fits = bytes < PART_BYTES && rows < PART_ROWS;
    if (fits) rows += envelope.rows;
    bytes += envelope.bytes;
    return fits;
  });
  const hasManyRows = rows >= PART_ROWS;
  const hasMore = part.length === PART || part.length < found.length || hasManyRows;
  return { ids: part.map(({ id }) => id), hasMore, hasManyRows };
}

/** Deletes some rows of an account that is marked as deleted, or passes some on to others, at last the account. */
export const continueAccountDeletion = (deps: DeletionDependencies, userId: number): Promise<void> =>
  deletePart(deps, envelopesOfUser(userId), async (now) => {
    const workspaceId = await findMuchAssigned(deps.db, userId);
    if (workspaceId !== undefined) return passOnSome(deps.db, userId, workspaceId);
    const { hasManyDeliveries, passOnSomeDeliveries } = await ofDeliveries();
    return (await hasManyDeliveries(deps.db, userId))
      ? passOnSomeDeliveries(deps.db, userId)
      : deleteUser(deps.db, userId, now);
  });

/** The same for a workspace. */
export const continueWorkspaceDeletion = (deps: DeletionDependencies, id: number): Promise<void> =>
  deletePart(deps, envelopesOfWorkspace(id), async (now) =>
    // Of a destination that was deleted, the envelopes are in another workspace.
    (await deleteSomeDeliveries(deps.db)) ? [] : deleteClosedWorkspace(deps.db, id, now),
  );

async function deletePart(
  { db, clock }: DeletionDependencies,
  which: DeletedEnvelopes,
  rest: (now: string) => Promise<Statement[]>,
): Promise<void> {
  const now = clock.now().toISOString();
  const { ids, hasMore, hasManyRows } = await findPart(db, which);
  if (hasManyRows) return runBatch(db, deleteSomeRows(db, which, { ids, limit: ROWS_AT_ONCE }));
  await runBatch(db, hasMore ? deleteEnvelopes(db, which, { ids, now }) : await rest(now));
}
