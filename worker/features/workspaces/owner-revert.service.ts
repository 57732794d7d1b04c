import { runBatch, type Statement } from "../../../db/client";
import { insertDueLinks } from "../../../db/queries/due-links";
import type { Member } from "../../../db/queries/members";
import { deleteMember } from "../../../db/queries/membership";
import { insertForAccount, insertForOwners } from "../../../db/queries/notifications";
import {
  deleteOwnerRevert,
  findOwnerRevert,
  hasOwnerRevert,
  insertOwnerRevert,
  isRevertVoid,
  type OwnerRevert,
  payloadByRevert,
  restoreOwner,
} from "../../../db/queries/owner-reverts";
import { isInWorkspace, type MemberKey } from "../../../db/queries/people";
import { findUserById } from "../../../db/queries/users";
import { insertActivity, personTarget } from "../../../db/queries/workspace-activity";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs } from "../../errors";
import { DAY_MS } from "../../lib/durations";
import { hashToken } from "../../lib/tokens";
import { newRevert } from "../auth/mailed-links";
import { replaceLinksSoon } from "../links/due-links";
import { personName } from "../notifications/formats";
import { deliverSoon, queueAccountMail } from "../notifications/outbox";

type Names = { workspace: string; name: string };

/** A link for an owner whom somebody removes or demotes, with the statements that store it. */
async function newOwnerRevert(
  { db, clock }: Dependencies,
  caller: Member,
  key: MemberKey,
  isRepeatable: boolean,
) {
  const now = clock.now();
  const createdAt = now.toISOString();
  const { token, fields } = await newRevert(now);
  const since = isRepeatable ? undefined : new Date(now.getTime() - DAY_MS).toISOString();
  const statements = insertOwnerRevert(db, caller, key, { ...fields, createdAt }, since);
  return { token, tokenHash: fields.tokenHash, createdAt, statements };
}

/**
 * The statements that tell somebody that the caller removes them, which they must precede. An owner gets a link to undo it.
 * @param names of the workspace and the caller
 */
export async function removalNotice(
  deps: Dependencies,
  caller: Member,
  key: MemberKey,
  names: Names,
): Promise<Statement[]> {
  const { token, tokenHash, createdAt, statements } = await newOwnerRevert(deps, caller, key, true);
  const payload = payloadByRevert(tokenHash, { ...names, token }, { ...names, token: null });
  const notice = { userId: key.userId, unchanged: isInWorkspace(key), createdAt, payload };
  return [...statements, queueAccountMail(deps.db, "member_removed", notice)];
}

/** The same for an owner whom the caller demotes; whom they demote again and again gets one mail a day. */
export async function demotionNotice(
  deps: Dependencies,
  caller: Member,
  key: MemberKey,
  names: Names,
): Promise<Statement[]> {
  const { token, tokenHash, createdAt, statements } = await newOwnerRevert(deps, caller, key, false);
  const reader = { userId: key.userId, condition: hasOwnerRevert(tokenHash) };
  const mail = { kind: "owner_demoted", payload: { ...names, token }, now: createdAt } as const;
  return [...statements, insertForAccount(deps.db, reader, mail)];
}

/**
 * "This wasn't me": makes an owner who was removed or demoted an owner again, and removes from the workspace whoever did
 * that; the links of open envelopes are replaced. The other owners are told.
 * @throws AppError `invalid_token`, also while the account is disabled
 */
export async function revertOwner(deps: Dependencies, token: string, address: string): Promise<OwnerRevert> {
  const { db, clock } = deps;
  const now = clock.now().toISOString();
  const tokenHash = await hashToken(token);
  const revert = await findOwnerRevert(db, tokenHash, now);
  const owner = revert && (await findUserById(db, revert.userId));
  if (!owner) throw appError("invalid_token");
  const { workspaceId, workspace, userId, actorId } = revert;
  const actor = actorId === null ? undefined : await findUserById(db, actorId);
  const caller: Member & { address: string } = { userId, role: "owner", address };
  const name = personName(owner);
  await runBatch(db, [
    restoreOwner(db, revert, { tokenHash, now }),
    insertActivity(db, caller, { workspaceId, type: "owner.restored", target: personTarget(userId), now }),
    ...(actorId === null
      ? []
      : removal(deps, caller, { workspaceId, userId: actorId }, { workspace, name, now })),
    insertForOwners(
      db,
      { workspaceId, except: userId },
      { kind: "owner_restored", payload: { workspace, name, actor: actor ? personName(actor) : "" }, now },
    ),
    deleteOwnerRevert(db, revert),
  ]).catch(rejectedAs(isRevertVoid, "invalid_token"));
  deliverSoon(deps);
  replaceLinksSoon(deps);
  return revert;
}

/** The statements that remove whoever is still a member, and tell them. */
const removal = (
  { db }: Dependencies,
  caller: Member & { address: string },
  key: MemberKey,
  { now, ...names }: Names & { now: string },
): Statement[] => [
  insertForAccount(
    db,
    { userId: key.userId, condition: isInWorkspace(key) },
    { kind: "member_removed", payload: { ...names, token: null }, now },
  ),
  // Whoever has taken a workspace over has read them.
  insertDueLinks(db, caller, key, "all"),
  ...deleteMember(db, caller, key, { assignTo: caller.userId, now }),
];
