import { runBatch, type Statement } from "../../../db/client";
import { pauseDestinationsOf } from "../../../db/queries/destinations";
import { insertDueLinks } from "../../../db/queries/due-links";
import type { Member } from "../../../db/queries/members";
import { deleteMember } from "../../../db/queries/membership";
import { insertForAccount, insertForOwners } from "../../../db/queries/notifications";
import {
  deleteOwnerRevert,
  findOwnerRevert,
  isRevertVoid,
  type OwnerRevert,
  restoreOwner,
  tokenByRevert,
} from "../../../db/queries/owner-reverts";
import { isInWorkspace, type MemberKey } from "../../../db/queries/people";
import { stopManyScheduled, stopScheduledOf } from "../../../db/queries/scheduled-envelopes";
import { pauseSeriesOf } from "../../../db/queries/series";
import { pauseRenewalsOf } from "../../../db/queries/suspect-renewals";
import { findUserById } from "../../../db/queries/users";
import { insertActivity, personTarget } from "../../../db/queries/workspace-activity";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs } from "../../errors";
import { hashToken } from "../../lib/tokens";
import { replaceLinksSoon } from "../links/due-links";
import { personName } from "../notifications/formats";
import { deliverSoon } from "../notifications/outbox";
import { type Names, newOwnerRevert } from "./owner-revert.service";

/**
 * "This wasn't me": makes an owner who was removed or demoted an owner again, and removes from the workspace whoever did
 * that; the links of open envelopes are replaced. The other owners are told. Whoever did it and had been a member for longer
 * gets a link too: somebody at their computer may have made the other an owner.
 * @throws AppError `invalid_token`, also while the account is disabled
 */
export async function revertOwner(deps: Dependencies, token: string, address: string): Promise<OwnerRevert> {
  const { db, clock } = deps;
  const now = clock.now().toISOString();
  const tokenHash = await hashToken(token);
  const revert = await findOwnerRevert(db, tokenHash, now);
  const owner = revert && (await findUserById(db, revert.userId));
  if (!owner) throw appError("invalid_token");
  const { workspaceId, workspace, userId, actorId, memberSince } = revert;
  const actor = actorId === null ? undefined : await findUserById(db, actorId);
  const caller: Member & { address: string } = { userId, role: "owner", address };
  const name = personName(owner);
  const planned = { now, takeTurn: deps.takeTurn, workspaceId };
  if (actorId !== null) await stopManyScheduled(db, actorId, planned);
  if (actorId !== null) await pauseRenewalsOf(db, actorId, planned);
  await runBatch(db, [
    ...restoreOwner(db, revert, { tokenHash, now }),
    deleteOwnerRevert(db, revert),
    insertActivity(db, caller, { workspaceId, type: "owner.restored", target: personTarget(userId), now }),
    ...(actorId === null
      ? []
      : await removal(
          deps,
          caller,
          { workspaceId, userId: actorId },
          { ...{ workspace, name, now }, unlessFrom: memberSince },
        )),
    insertForOwners(
      db,
      { workspaceId, except: userId },
      { kind: "owner_restored", payload: { workspace, name, actor: actor ? personName(actor) : "" }, now },
    ),
  ]).catch(rejectedAs(isRevertVoid, "invalid_token"));
  if (actorId !== null) await pauseRenewalsOf(db, actorId, planned);
  deliverSoon(deps);
  replaceLinksSoon(deps);
  return revert;
}

/** The statements that remove whoever is still a member, and tell them. What they have planned and connected waits. */
async function removal(
  deps: Dependencies,
  caller: Member & { address: string },
  key: MemberKey,
  { now, unlessFrom, ...names }: Names & { now: string; unlessFrom: string },
): Promise<Statement[]> {
  const { db } = deps;
  const { token, tokenHash, statements } = await newOwnerRevert(deps, caller, key, { unlessFrom });
  return [
    ...statements,
    insertForAccount(
      db,
      { userId: key.userId, condition: isInWorkspace(key) },
      { kind: "member_removed", payload: { ...names, token: tokenByRevert(tokenHash, token) }, now },
    ),
    // Whoever has taken a workspace over has read them.
    insertDueLinks(db, caller, key, "all"),
    ...deleteMember(db, caller, key, { assignTo: caller.userId, now }),
    ...pauseDestinationsOf(db, key.userId, now, key.workspaceId),
    ...pauseSeriesOf(db, key.userId, now, key.workspaceId),
    ...stopScheduledOf(db, key.userId, now, { workspaceId: key.workspaceId }),
  ];
}
