import type { Statement } from "../../../db/client";
import type { Member } from "../../../db/queries/members";
import { insertForAccount } from "../../../db/queries/notifications";
import {
  hasOwnerRevert,
  insertOwnerRevert,
  payloadByRevert,
  withdrawOwnerReverts,
} from "../../../db/queries/owner-reverts";
import { isInWorkspace, type MemberKey } from "../../../db/queries/people";
import type { Dependencies } from "../../dependencies";
import { DAY_MS } from "../../lib/durations";
import { newRevert } from "../auth/mailed-links";
import { queueAccountMail } from "../notifications/outbox";

export type Names = { workspace: string; name: string };

/** A link for an owner whom somebody removes or demotes, with the statements that store it. */
export async function newOwnerRevert(
  { db, clock }: Dependencies,
  caller: Member,
  key: MemberKey,
  unless: Parameters<typeof insertOwnerRevert>[4] = {},
) {
  const now = clock.now();
  const createdAt = now.toISOString();
  const { token, fields } = await newRevert(now);
  const statements = insertOwnerRevert(db, caller, key, { ...fields, createdAt }, unless);
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
  const { token, tokenHash, createdAt, statements } = await newOwnerRevert(deps, caller, key);
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
  const unlessSince = new Date(deps.clock.now().getTime() - DAY_MS).toISOString();
  const { token, tokenHash, createdAt, statements } = await newOwnerRevert(deps, caller, key, {
    unlessSince,
  });
  const reader = { userId: key.userId, condition: hasOwnerRevert(tokenHash) };
  const mail = { kind: "owner_demoted", payload: { ...names, token }, now: createdAt } as const;
  return [...statements, insertForAccount(deps.db, reader, mail)];
}

/** The statements for an owner who leaves, or gives up the role, by themselves, see `withdrawOwnerReverts`. */
export async function withdrawal({ db, clock }: Dependencies, caller: Member, workspaceId: number) {
  const now = clock.now();
  const { fields } = await newRevert(now);
  return withdrawOwnerReverts(db, caller, workspaceId, { ...fields, createdAt: now.toISOString() });
}
