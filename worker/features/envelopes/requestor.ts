import type { Statement } from "../../../db/client";
import { type Caller, insertEvents } from "../../../db/queries/envelope-events";
import { type FullEnvelope, ownEnvelopeId } from "../../../db/queries/envelopes";
import type { Member } from "../../../db/queries/members";
import { findAssignee } from "../../../db/queries/people";
import { findUserById, type User } from "../../../db/queries/users";
import { idTarget, insertActivity } from "../../../db/queries/workspace-activity";
import { MESSAGES } from "../../contract/messages";
import type { Dependencies } from "../../dependencies";
import { appError, validationError } from "../../errors";

/** Somebody who calls, with the account's row. */
type SignedIn = Member & { user: User };
type Db = Pick<Dependencies, "db">;

const notAssignable = (path = "assigneeId") => validationError([{ path, message: MESSAGES.notAssignable }]);

/** The account to assign an envelope to. @throws AppError `validation` at `path` unless it is a member or owner */
export async function requireAssignee(
  { db }: Db,
  caller: SignedIn,
  workspaceId: number,
  assigneeId: number,
  path?: string,
): Promise<User> {
  if (assigneeId === caller.userId) return caller.user;
  const assignee = await findAssignee(db, caller, { workspaceId, userId: assigneeId });
  if (!assignee) throw notAssignable(path);
  return assignee;
}

/** The account of an envelope's assignee, whom its recipient sees. @throws AppError `envelope_changed` */
export async function requireRequestor(
  { db }: Db,
  caller: SignedIn,
  { userId }: Pick<FullEnvelope, "userId">,
): Promise<User> {
  const requestor = userId === caller.userId ? caller.user : await findUserById(db, userId);
  // The account was deleted meanwhile: the envelope has another assignee now.
  if (!requestor) throw appError("envelope_changed");
  return requestor;
}

/**
 * The account to which a change assigns an envelope: the given one or the present one. The caller takes over what moves
 * to a workspace in which its assignee may not have it.
 * @throws AppError `validation`, `envelope_changed`
 */
export async function nextRequestor(
  deps: Db,
  caller: SignedIn,
  stored: FullEnvelope,
  { workspaceId, assigneeId }: { workspaceId: number; assigneeId: number | null | undefined },
): Promise<User> {
  if (assigneeId != null && assigneeId !== stored.userId)
    return requireAssignee(deps, caller, workspaceId, assigneeId);
  if (workspaceId === stored.workspaceId) return requireRequestor(deps, caller, stored);
  const kept = await findAssignee(deps.db, caller, { workspaceId, userId: stored.userId });
  if (!kept && assigneeId != null) throw notAssignable();
  return kept ?? caller.user;
}

/** The statements that record to whom an envelope was assigned. */
export const insertAssignment = (
  { db }: Db,
  { address, ...caller }: Caller,
  id: number,
  { assignee, workspaceId, at }: { assignee: User; workspaceId: number; at: string },
): Statement[] => {
  const to = [assignee.firstName, assignee.lastName].filter(Boolean).join(" ") || assignee.email;
  const event = { kinds: ["assigned"], detail: to, at } as const;
  const detail = { changes: [{ field: "assignee", from: null, to }] };
  return [
    insertEvents(db, ownEnvelopeId(caller, id), { userId: caller.userId, address, ...event }),
    insertActivity(db, caller, {
      ...{ workspaceId, type: "request.assigned", target: idTarget(id), detail, now: at },
    }),
  ];
};
