import { runBatch } from "../../../db/client";
import type { Caller } from "../../../db/queries/envelope-events";
import {
  assignEnvelope,
  deleteWatcher,
  type FullEnvelope,
  insertWatcher,
  isEnvelopeChanged,
  isEnvelopeMissing,
  isWatchedMissing,
} from "../../../db/queries/envelopes";
import { findRole, type Member } from "../../../db/queries/members";
import type { User } from "../../../db/queries/users";
import type { AssigneeInput } from "../../contract/envelopes";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs } from "../../errors";
import { missingOrChanged } from "../workspaces/workspaces.service";
import { requireEnvelope } from "./envelopes.service";
import { insertAssignment, requireAssignee } from "./requestor";

/**
 * Assigns an envelope, whatever its status, without a message to its recipient.
 * @throws AppError `envelope_not_found`, `role_required`, `validation`, `changed_meanwhile`, `envelope_changed`
 */
export async function changeAssignee(
  deps: Dependencies,
  caller: Caller & { user: User },
  id: number,
  { assigneeId, updatedAt: read }: AssigneeInput,
): Promise<FullEnvelope> {
  const { db, clock } = deps;
  const envelope = await requireEnvelope(deps, caller, id);
  const changed = () => missingOrChanged(deps, caller, "envelope_changed", { kind: "envelope", id, read });
  if (read != null && read !== envelope.updatedAt) throw await changed();
  if (envelope.userId === assigneeId) return envelope;
  const assignee = await requireAssignee(deps, caller, envelope.workspaceId, assigneeId);
  const now = clock.now().toISOString();
  await runBatch(db, [
    insertAssignment(deps, caller, id, { assignee, at: now }),
    ...assignEnvelope(db, caller, id, { assigneeId, read, now }),
  ]).catch(async (error: unknown) => {
    if (isEnvelopeMissing(error)) throw appError("envelope_not_found");
    if (!isEnvelopeChanged(error)) throw error;
    await requireAssignee(deps, caller, envelope.workspaceId, assigneeId);
    throw await changed();
  });
  return requireEnvelope(deps, caller, id);
}

/** @throws AppError `envelope_not_found` */
export async function watchEnvelope({ db }: Dependencies, member: Member, id: number): Promise<void> {
  await runBatch(db, [insertWatcher(db, member, id)]).catch(
    rejectedAs(isWatchedMissing, "envelope_not_found"),
  );
}

/** @throws AppError `envelope_not_found` */
export async function unwatchEnvelope({ db }: Dependencies, member: Member, id: number): Promise<void> {
  await runBatch(db, [deleteWatcher(db, member, id)]);
  if (!(await findRole(db, member, { kind: "envelope", id }))) throw appError("envelope_not_found");
}
