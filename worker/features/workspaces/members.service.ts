import { runBatch, runBatchAndRead, type Statement } from "../../../db/client";
import { requireSameOwner } from "../../../db/queries/account-guards";
import { insertAuditEntry } from "../../../db/queries/audit-log";
import { countOpenLinks, insertDueLinks, pagesOfLinks } from "../../../db/queries/due-links";
import { type Caller, findLastEvent } from "../../../db/queries/envelope-events";
import { selectLoads } from "../../../db/queries/envelope-list";
import { isAssigneeRejected } from "../../../db/queries/handovers";
import { type KeyClaim, recordKeyedResource } from "../../../db/queries/idempotency-keys";
import {
  deleteWorkspaceInvitation,
  findInvitedAddress,
  findRejection,
  insertWorkspaceInvitation,
  isAdmitting,
  isInvitationRejected,
  mayRevoke,
  selectWorkspaceInvitations,
  updateInvitationRole,
} from "../../../db/queries/invitations";
import { findRole, type Member } from "../../../db/queries/members";
import {
  deleteMember,
  guardMember,
  hasManyOtherRows,
  isAssignedMuch,
  isMemberKept,
  listOwnedAlone,
  passOnSomeRowsOf,
  reassignSome,
  updateMemberRole,
} from "../../../db/queries/membership";
import { insertForOwners, isAccountMissing } from "../../../db/queries/notifications";
import { findMember, type MemberKey, selectMember, selectMembers } from "../../../db/queries/people";
import { findUserByEmail, type User } from "../../../db/queries/users";
import { activityTarget, insertActivity, listActivity } from "../../../db/queries/workspace-activity";
import type { ActivityChange } from "../../contract/activity";
import { LIMITS } from "../../contract/limits";
import {
  ACTIVITY_PER_PAGE,
  type ActivityFilter,
  type ActivityQuery,
  type LinksToReplace,
  MEMBERS_PER_WORKSPACE,
  type MemberInvitationInput,
  type RemovalQuery,
  type RoleInput,
} from "../../contract/members";
import { MESSAGES } from "../../contract/messages";
import type { Role } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { type AppError, appError, required, validationError } from "../../errors";
import { csvFile } from "../../lib/csv";
import { pagesOf } from "../../lib/pages";
import { newInvitation } from "../auth/mailed-links";
import { admissionOf } from "../auth/sign-up";
import { tryDeletePendingFiles } from "../files/file-deletions";
import { replaceLinksSoon } from "../links/due-links";
import { personName, strangersName } from "../notifications/formats";
import { messageHits } from "../notifications/message-limits";
import { deliverSoon, queueAccountMail, queueMemberNotice } from "../notifications/outbox";
import { type Hit, hitAll, RATE_RULES } from "../rate-limits/rate-rules";
import { requireProved } from "../sign-in-policy/proved-address";
import { workspaceDeletion } from "./deletion-in-parts";
import { demotionNotice, removalNotice, withdrawal } from "./owner-revert.service";
import { missing, requireOwnWorkspace } from "./workspaces.service";

const asViewer = <Caller extends Member>(member: Caller): Caller => ({ ...member, role: "viewer" });

/** The members of a workspace and, for its owners, the open invitations. @throws AppError `workspace_not_found` */
export async function readMembers(
  { db, clock }: Dependencies,
  member: Member,
  workspaceId: number,
  { counts }: { counts: boolean },
) {
  const now = clock.now().toISOString();
  const [members, invitations, loads] = await db.batch([
    selectMembers(db, asViewer(member), workspaceId),
    selectWorkspaceInvitations(db, { ...member, role: "owner" }, { workspaceId, now }),
    selectLoads(db, asViewer(member), counts ? workspaceId : 0, now),
  ]);
  if (members.length === 0) throw appError("workspace_not_found");
  const open = new Map(loads.map((load) => [load.userId, load.open]));
  const withLoads = members.map((one) => ({ ...one, ...(counts && { open: open.get(one.userId) ?? 0 }) }));
  return { members: withLoads, invitations };
}

type Inviter = Caller & { user: User; apiTokenId: number | null };

/**
 * Invites an address, with a mail. An earlier invitation of the address to this workspace is replaced.
 * @throws AppError `workspace_not_found`, `role_required`, `address_not_proved`, `already_member`,
 *   `workspace_full`, `sign_up_closed`, `administrators_invite`, `rate_limited`, `too_many_messages`, `recipient_busy`,
 *   `account_changed`
 */
export async function inviteMember(
  deps: Dependencies,
  caller: Inviter,
  workspaceId: number,
  { email, role }: MemberInvitationInput,
  claim?: KeyClaim,
) {
  const { db, clock } = deps;
  const workspace = await requireOwnWorkspace(deps, caller, workspaceId);
  requireProved(deps, caller.user);
  const now = clock.now();
  const createdAt = now.toISOString();
  const rejected = await rejection(deps, { workspaceId, email }, createdAt);
  if (rejected) throw rejected;
  await countInvitation(deps, caller.user, { workspaceId, email });
  const account = await findUserByEmail(db, email);
  // Counted before: the response tells who has an account.
  if (!account) await requireAdmitting(deps, { workspaceId, userId: caller.userId, email });
  const { token, fields } = await newInvitation(now);
  const invitation = { ...fields, workspaceId, email, role, createdAt, apiTokenId: caller.apiTokenId };
  const language = account?.languagePreference ?? caller.user.languagePreference;
  const inviter = strangersName(caller.user);
  const actor = { kind: "participant", user: caller.user, address: caller.address } as const;
  const detail = { workspaceId, role };
  const invited = { action: "invitation_sent", subject: { email }, detail, createdAt } as const;
  const statements = [
    requireSameOwner(db, caller),
    ...deleteWorkspaceInvitation(db, invitation),
    insertWorkspaceInvitation(db, caller, invitation, MEMBERS_PER_WORKSPACE),
    ...recordKeyedResource(db, claim),
    insertActivity(db, caller, {
      workspaceId,
      type: "member.invited",
      target: activityTarget({ email }),
      now: createdAt,
    }),
    ...(account ? [] : [insertAuditEntry(db, actor, invited)]),
    queueAccountMail(db, "workspace_invitation", {
      userId: null,
      to: email,
      createdAt,
      payload: { token, language, workspaceId, workspace: workspace.name, role, inviter },
    }),
  ];
  const open = selectWorkspaceInvitations(db, caller, { workspaceId, now: createdAt });
  const invitations = await runBatchAndRead(db, statements, open).catch(async (error: unknown) => {
    if (!isInvitationRejected(error)) throw error;
    const reason = await rejection(deps, { workspaceId, email }, createdAt);
    throw (
      reason ?? (await missing(deps, caller, "workspace_not_found", { kind: "workspace", id: workspaceId }))
    );
  });
  deliverSoon(deps);
  const made = invitations.find((one) => one.email === email);
  if (!made) throw appError("not_found");
  return made;
}

/** @throws AppError `sign_up_closed`, `administrators_invite` unless the owner may invite people who have no account */
async function requireAdmitting(
  { db, config }: Dependencies,
  { email, ...inviter }: { workspaceId: number; userId: number; email: string },
): Promise<void> {
  if (await isAdmitting(db, admissionOf(config), inviter)) return;
  throw config.signUp === "off"
    ? appError("sign_up_closed")
    : appError("administrators_invite", { params: { email } });
}

/** An open invitation to the workspace. @throws AppError `workspace_not_found`, `role_required`, `not_found` */
export async function requireMemberInvitation(
  deps: Dependencies,
  caller: Member,
  workspaceId: number,
  isWanted: (invitation: { id: number; email: string }) => boolean,
) {
  await requireOwnWorkspace(deps, caller, workspaceId);
  const now = deps.clock.now().toISOString();
  const found = (await selectWorkspaceInvitations(deps.db, caller, { workspaceId, now })).find(isWanted);
  if (!found) throw appError("not_found");
  return found;
}

/** @throws AppError `rate_limited`, `too_many_messages`, `recipient_busy` */
async function countInvitation(
  deps: Dependencies,
  account: User,
  { workspaceId, email }: { workspaceId: number; email: string },
): Promise<void> {
  const exceeded: Hit["exceeded"] = (retryAfterSeconds) => appError("rate_limited", { retryAfterSeconds });
  const hits = [
    { rule: RATE_RULES.workspaceInvitations, subject: String(workspaceId), exceeded },
    {
      rule: account.isVerified ? RATE_RULES.invitationsOfAccount : RATE_RULES.invitationsOfUnverified,
      subject: String(account.id),
      exceeded,
    },
  ];
  const recipient = await messageHits(deps, account, { channel: "email", recipient: email });
  const error = await hitAll(deps.rateLimiter, [...hits, ...recipient]);
  if (error) throw error;
}

/** Why the address cannot be invited; undefined if it can. */
async function rejection({ db }: Dependencies, address: { workspaceId: number; email: string }, now: string) {
  const { isMember, occupied } = await findRejection(db, address, now);
  if (isMember) return appError("already_member", { params: { email: address.email } });
  if (occupied >= MEMBERS_PER_WORKSPACE)
    return appError("workspace_full", { params: { max: MEMBERS_PER_WORKSPACE } });
  return undefined;
}

/**
 * Changes what an open invitation makes of its reader, like a new invitation by the caller.
 * @throws AppError `workspace_not_found`, `role_required`, `not_found`, `address_not_proved`, `sign_up_closed`,
 *   `administrators_invite`, `account_changed`
 */
export async function changeInvitation(
  deps: Dependencies,
  caller: Inviter,
  { workspaceId, id }: { workspaceId: number; id: number },
  role: Role,
) {
  const { db, clock } = deps;
  const now = clock.now().toISOString();
  await requireOwnWorkspace(deps, caller, workspaceId);
  requireProved(deps, caller.user);
  const email = await required(findInvitedAddress(db, caller, { workspaceId, id }), "not_found");
  const { userId, apiTokenId } = caller;
  if (!(await findUserByEmail(db, email))) await requireAdmitting(deps, { workspaceId, userId, email });
  const open = await runBatchAndRead(
    db,
    [
      requireSameOwner(db, caller),
      ...updateInvitationRole(db, caller, { workspaceId, id, role, apiTokenId, now }),
    ],
    selectWorkspaceInvitations(db, caller, { workspaceId, now }),
  );
  const changed = open.find((invitation) => invitation.id === id);
  return changed ?? requireMemberInvitation(deps, caller, workspaceId, (other) => other.id === id);
}

/** @throws AppError `workspace_not_found`, `role_required`, `not_found` */
export async function revokeInvitation(
  deps: Dependencies,
  caller: Member,
  { workspaceId, id }: { workspaceId: number; id: number },
): Promise<void> {
  const { db, clock } = deps;
  await requireOwnWorkspace(deps, caller, workspaceId);
  const now = clock.now().toISOString();
  const email = await required(findInvitedAddress(db, caller, { workspaceId, id }), "not_found");
  const target = activityTarget({ email });
  await runBatch(db, [
    insertActivity(
      db,
      caller,
      { workspaceId, type: "invitation.revoked", target, now },
      mayRevoke({ workspaceId, email }, caller),
    ),
    ...deleteWorkspaceInvitation(db, { workspaceId, email }, caller),
  ]);
}

/** How many open envelopes have links that the member may know. @throws AppError `workspace_not_found`, `role_required` */
export async function readMemberLinks({ db, ...deps }: Dependencies, caller: Member, key: MemberKey) {
  await requireOwnWorkspace({ db, ...deps }, caller, key.workspaceId);
  const now = deps.clock.now().toISOString();
  const own = await countOpenLinks(db, caller, key, "own", now);
  // Both read all envelopes.
  await deps.takeTurn?.();
  return { own, all: await countOpenLinks(db, caller, key, "all", now) };
}

/**
 * Changes a role. With `replaceLinks`, links that a new viewer may know are replaced.
 * @throws AppError `workspace_not_found`, `role_required`, `not_found`, `last_owner`, `account_changed`
 */
export async function changeRole(
  deps: Dependencies,
  caller: Caller & { user: User },
  key: MemberKey,
  { role, replaceLinks }: RoleInput,
) {
  const { db, clock } = deps;
  const workspace = await requireOwnWorkspace(deps, caller, key.workspaceId);
  const before = await required(findMember(db, caller, key), "not_found");
  const now = clock.now().toISOString();
  const isSelf = key.userId === caller.userId;
  const isPromoted = role === "owner" && before.role !== "owner" && !isSelf;
  const notice = { workspaceId: key.workspaceId, workspace: workspace.name, createdAt: now };
  const names = { workspace: workspace.name, name: personName(caller.user) };
  const links = replaceLinks && role === "viewer" ? await recordLinks(deps, caller, key, replaceLinks) : [];
  const statements = [
    ...(isPromoted ? [requireSameOwner(db, caller)] : []),
    ...(role === "owner"
      ? []
      : isSelf
        ? await withdrawal(deps, caller, key.workspaceId)
        : await demotionNotice(deps, caller, key, names)),
    ...links,
    ...updateMemberRole(db, caller, key, { role, now }),
    ...(isPromoted ? [queueMemberNotice(db, "made_owner", key.userId, notice)] : []),
  ];
  if (role === "viewer") await reassignInParts(deps, caller, key, caller.userId);
  const [changed] = await change(deps, caller, key, statements);
  if (!changed) throw appError("not_found");
  if (replaceLinks) replaceLinksSoon(deps);
  return changed;
}

/**
 * Removes a member, or lets the caller leave. With `replaceLinks`, links that a removed member may know are replaced.
 * @throws AppError `workspace_not_found`, `role_required`, `not_found`, `last_owner`, `validation` at `assignTo`
 */
export async function removeMember(
  deps: Dependencies,
  caller: Caller & { user: User },
  key: MemberKey,
  { assignTo, replaceLinks }: RemovalQuery,
): Promise<void> {
  const { db, clock } = deps;
  const leaves = key.userId === caller.userId;
  const member = leaves ? asViewer(caller) : caller;
  const workspace = await requireOwnWorkspace(deps, member, key.workspaceId);
  if (!(await findMember(db, member, key))) throw appError("not_found");
  if (assignTo !== undefined) await requireAssignable(deps, member, key, assignTo);
  const now = clock.now().toISOString();
  const names = { workspace: workspace.name, name: personName(caller.user) };
  const links = replaceLinks && !leaves ? await recordLinks(deps, caller, key, replaceLinks) : [];
  await reassignInParts(deps, member, key, assignTo ?? caller.userId);
  await passOnInParts(deps, member, key);
  await change(deps, member, key, [
    ...(leaves
      ? await withdrawal(deps, caller, key.workspaceId)
      : await removalNotice(deps, caller, key, names)),
    ...links,
    ...deleteMember(db, member, key, { assignTo, now }),
  ]);
  if (replaceLinks) replaceLinksSoon(deps);
}

const notAssignable = () => validationError([{ path: "assignTo", message: MESSAGES.notAssignable }]);

/** @throws AppError `validation` at `assignTo` unless it is another member or owner of the workspace */
async function requireAssignable(
  { db }: Dependencies,
  member: Member,
  key: MemberKey,
  assignTo: number,
): Promise<void> {
  const to = await findMember(db, member, { ...key, userId: assignTo });
  if (!to || to.role === "viewer" || assignTo === key.userId) throw notAssignable();
}

/**
 * Records the links that a member may know, in parts between which others are served.
 * @returns what records the rest, for the batch that ends their part in the workspace
 */
async function recordLinks(
  deps: Dependencies,
  caller: Caller,
  key: MemberKey,
  which: LinksToReplace,
): Promise<Statement[]> {
  const { db, takeTurn } = deps;
  if (!takeTurn) return [insertDueLinks(db, caller, key, which)];
  const sinceEvent = await findLastEvent(db);
  for await (const page of pagesOfLinks(db, caller, key.workspaceId, takeTurn)) {
    const among = { first: page[0]?.id ?? 0, last: page.at(-1)?.id ?? 0 };
    const recorded = insertDueLinks(db, caller, key, which, among);
    await change(deps, caller, key, [guardMember(db, caller, key), recorded]);
  }
  return [insertDueLinks(db, caller, key, which, { sinceEvent })];
}

/** Reassigns what is assigned to a member until one batch can do the rest: others are served in between. */
async function reassignInParts(deps: Dependencies, caller: Member, key: MemberKey, assigneeId: number) {
  const { db, takeTurn } = deps;
  while (takeTurn && (await isAssignedMuch(db, caller, key))) {
    await takeTurn();
    await change(deps, caller, key, reassignSome(db, caller, key, assigneeId));
  }
}

/** The same for what else a member has, before they are removed. */
async function passOnInParts(deps: Dependencies, caller: Member, key: MemberKey) {
  const { db, takeTurn } = deps;
  while (takeTurn && (await hasManyOtherRows(db, caller, key))) {
    await takeTurn();
    await change(deps, caller, key, passOnSomeRowsOf(db, caller, key));
  }
}

/** Runs the statements that change a member. @returns the member, unless they were removed */
async function change(deps: Dependencies, member: Member, key: MemberKey, statements: Statement[]) {
  const { workspaceId } = key;
  const query = selectMember(deps.db, asViewer(member), key);
  const members = await runBatchAndRead(deps.db, statements, query).catch(async (error: unknown) => {
    if (isAssigneeRejected(error)) throw notAssignable();
    if (isAccountMissing(error)) throw appError("not_found");
    if (!isMemberKept(error)) throw error;
    const role = await findRole(deps.db, member, { kind: "workspace", id: workspaceId });
    throw role === "owner" || (role && member.role === "viewer")
      ? appError("last_owner")
      : await missing(deps, member, "workspace_not_found", { kind: "workspace", id: workspaceId });
  });
  deliverSoon(deps);
  return members;
}

/**
 * Deletes a workspace with everything in it, and tells its other owners.
 * @throws AppError `workspace_not_found`, `role_required`, `last_workspace`
 */
export async function removeWorkspace(
  deps: Dependencies,
  caller: Member & { user: User },
  id: number,
): Promise<void> {
  const { name: workspace } = await requireOwnWorkspace(deps, caller, id);
  const notice = {
    kind: "workspace_deleted",
    payload: { workspace, name: personName(caller.user) },
    now: deps.clock.now().toISOString(),
  } as const;
  await runBatch(deps.db, [
    insertForOwners(deps.db, { workspaceId: id, except: caller.userId }, notice),
    ...(await workspaceDeletion(deps, caller, id)),
  ]).catch(async (error: unknown) => {
    if (!isMemberKept(error)) throw error;
    await requireOwnWorkspace(deps, caller, id);
    throw appError("last_workspace");
  });
  deliverSoon(deps);
  await tryDeletePendingFiles(deps);
}

/** A page of a workspace's activity, newest first. @throws AppError `workspace_not_found`, `role_required` */
export async function readActivity(
  deps: Dependencies,
  caller: Member,
  workspaceId: number,
  { limit = ACTIVITY_PER_PAGE, ...query }: ActivityQuery,
) {
  await requireOwnWorkspace(deps, caller, workspaceId);
  const { rows, next } = await listActivity(deps.db, caller, workspaceId, { limit, ...query });
  const entries = rows.map(({ userId, name, target, targetName, detail, ...entry }) => ({
    ...entry,
    actor: { userId, name },
    changes: detail?.changes ?? [],
    count: detail?.count ?? null,
    target: {
      ...(target.id != null && { id: target.id }),
      ...((targetName ?? target.name) != null && { name: targetName ?? target.name ?? "" }),
      ...(target.email != null && { email: target.email }),
    },
  }));
  return { rows: entries, next };
}

const ACTIVITY_COLUMNS = ["time", "person", "action", "name", "count", "changes"];

/** The activity of a workspace as a CSV file. */
export const activityCsv = (
  deps: Dependencies,
  caller: Member,
  workspaceId: number,
  filter: ActivityFilter,
) => csvFile(ACTIVITY_COLUMNS, activityPages(deps, caller, workspaceId, filter));

async function* activityPages(
  deps: Dependencies,
  caller: Member,
  workspaceId: number,
  filter: ActivityFilter,
) {
  const pages = pagesOf(async (cursor?: number) => {
    await deps.takeTurn?.();
    return readActivity(deps, caller, workspaceId, { ...filter, limit: LIMITS.pageMax, cursor });
  });
  for await (const rows of pages)
    yield rows.map(({ createdAt, actor, type, target, count, changes }) => [
      ...[createdAt, actor.name, type, target.name ?? target.email ?? String(target.id ?? "")],
      ...[String(count ?? ""), changes.map(changeText).join("; ")],
    ]);
}

const changeText = ({ field, from, to }: ActivityChange) => `${field}: ${from ?? ""} → ${to ?? ""}`;

/** The error for an account without which workspaces would have no owner, with those workspaces. */
export async function lastOwner({ db }: Pick<Dependencies, "db">, userId: number): Promise<AppError> {
  return appError("last_owner", { workspaces: await listOwnedAlone(db, userId) });
}
