import { runBatch, runBatchAndRead } from "../../../db/client";
import type { Caller } from "../../../db/queries/envelope-events";
import {
  assignEnvelope,
  deleteWatcher,
  type FullEnvelope,
  insertWatcher,
  isEnvelopeChanged,
  isEnvelopeMissing,
  isWatchedMissing,
  selectEnvelope,
  selectEnvelopeId,
} from "../../../db/queries/envelopes";
import type { Member } from "../../../db/queries/members";
import { requireWithinQuota } from "../../../db/queries/quotas";
import type { User } from "../../../db/queries/users";
import type { AssigneeInput } from "../../contract/envelopes";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs } from "../../errors";
import { missingOrChanged } from "../workspaces/workspaces.service";
import { requireEnvelope, written } from "./envelopes.service";
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
  const { db, config, clock } = deps;
  const envelope = await requireEnvelope(deps, caller, id);
  const changed = () => missingOrChanged(deps, caller, "envelope_changed", { kind: "envelope", id, read });
  if (read != null && read !== envelope.updatedAt) throw await changed();
  if (envelope.userId === assigneeId) return envelope;
  const assignee = await requireAssignee(deps, caller, envelope.workspaceId, assigneeId);
  const now = clock.now().toISOString();
  const statements = [
    ...insertAssignment(deps, caller, id, { assignee, workspaceId: envelope.workspaceId, at: now }),
    ...assignEnvelope(db, caller, id, { assigneeId, read, now }),
    requireWithinQuota(db, config.quotas, { workspaceId: envelope.workspaceId, userId: assigneeId }),
  ];
  const assigned = await runBatchAndRead(db, statements, selectEnvelope(db, caller, id)).catch(
    async (error: unknown) => {
      if (isEnvelopeMissing(error)) throw appError("envelope_not_found");
      if (!isEnvelopeChanged(error)) throw error;
      await requireAssignee(deps, caller, envelope.workspaceId, assigneeId);
      throw await changed();
    },
  );
  return written(deps, assigned);
}

/** @throws AppError `envelope_not_found` */
export async function watchEnvelope({ db }: Dependencies, member: Member, id: number): Promise<void> {
  await runBatch(db, [insertWatcher(db, member, id)]).catch(
    rejectedAs(isWatchedMissing, "envelope_not_found"),
  );
}

/** @throws AppError `envelope_not_found` */
export async function unwatchEnvelope({ db }: Dependencies, member: Member, id: number): Promise<void> {
  const [found] = await runBatchAndRead(
    db,
    [deleteWatcher(db, member, id)],
    selectEnvelopeId(db, member, id),
  );
  if (!found) throw appError("envelope_not_found");
}
