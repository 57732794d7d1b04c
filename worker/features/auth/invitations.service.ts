import { runBatch, runBatchAndRead, type Statement } from "../../../db/client";
import { isUnchanged } from "../../../db/queries/account-guards";
import type { Condition } from "../../../db/queries/guard";
import {
  deleteInvitation,
  deleteRequestedInvitation,
  deleteWorkspaceInvitation,
  findInvitation,
  findWorkspaceInvitation,
  type Invitation,
  insertInvitation,
  insertInvitedMember,
  isInvitationRejected,
  isInvitationVoid,
  isInvited,
  isJoinerChanged,
  selectJoinedWorkspace,
  verifyInvited,
} from "../../../db/queries/invitations";
import {
  type CreatedUserId,
  findUserByEmail,
  findUserById,
  isSignUpRejected,
  type User,
  VERIFIED,
} from "../../../db/queries/users";
import { insertActivity, personTarget } from "../../../db/queries/workspace-activity";
import { selectOwnWorkspace, type Workspace } from "../../../db/queries/workspaces";
import type { Language } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs, required } from "../../errors";
import { hashToken } from "../../lib/tokens";
import { personName } from "../notifications/formats";
import { deliverSoon, queueAccountMail, queueMemberNotice } from "../notifications/outbox";
import { mailboxOf, RATE_RULES, requireAllowed } from "../rate-limits/rate-rules";
import { forgotPassword } from "./auth.service";
import { newInvitation } from "./mailed-links";
import {
  admissionOf,
  comesByDomain,
  currentSignUp,
  joinByDomain,
  newAccount,
  signUpError,
  throwIfEmailTaken,
} from "./sign-up";

/**
 * The invitation of a mailed link. If it does not let in people without an account, as `SIGN_UP` says now, only that of an
 * account to a workspace is left.
 * @throws AppError `invalid_token`; `sign_up_closed` while sign-up is off
 */
async function requireInvitation(deps: Dependencies, token: string): Promise<Invitation> {
  const { db, config } = deps;
  const invitation = await findInvitation(db, await hashToken(token), admissionNow(deps));
  if (config.signUp === "off" && !invitation?.workspaceId) throw await signUpError(deps);
  if (!invitation) throw appError("invalid_token");
  if (!invitation.admits && !(await findUserByEmail(db, invitation.email))) throw appError("invalid_token");
  return invitation;
}

const admissionNow = ({ config, clock }: Dependencies) => ({
  now: clock.now().toISOString(),
  admission: admissionOf(config),
});

/**
 * Mails a link to create an account to an address whose domain comes by itself: only the mail proves the address. One that
 * has an account gets a link to choose a password, one that an administrator has invited has its link.
 * @throws AppError `invitation_required`, `sign_up_closed`, `setup_required`, `rate_limited`
 */
export async function requestInvitation(
  deps: Dependencies,
  { email, language }: { email: string; language: Language },
  address: string,
): Promise<void> {
  const { db, config, clock, rateLimiter } = deps;
  if ((await currentSignUp(deps)) !== "domains" || !comesByDomain(config, email))
    throw await signUpError(deps);
  if (await findUserByEmail(db, email)) return forgotPassword(deps, email, address);
  requireAllowed(await rateLimiter.hit(RATE_RULES.mailsToAddress, mailboxOf(email)));
  const now = clock.now();
  const createdAt = now.toISOString();
  const { token, fields } = await newInvitation(now);
  await runBatch(db, [
    deleteRequestedInvitation(db, email, createdAt),
    insertInvitation(db, { ...fields, email, createdAt, isRequested: true }),
    queueAccountMail(db, "account_invitation", {
      userId: null,
      to: email,
      createdAt,
      payload: { token, language, inviter: null },
    }),
  ]).catch((error: unknown) => {
    if (!isInvitationRejected(error)) throw error;
  });
  deliverSoon(deps);
}

/** What the page of the link shows. @throws AppError like `requireInvitation` */
export async function readInvitation(deps: Dependencies, token: string) {
  const { id, email, expiresAt, workspaceId, role } = await requireInvitation(deps, token);
  if (workspaceId === null || role === null) return { email, expiresAt };
  const found = await required(findWorkspaceInvitation(deps.db, id), "invalid_token");
  const { workspace, ...invitedBy } = found;
  const account = await findUserByEmail(deps.db, email);
  return {
    ...{ email, expiresAt, role, invitedBy },
    workspace: { name: workspace },
    hasAccount: account !== undefined,
  };
}

/**
 * Creates the account of an invitation, as a member of its workspace, if it has one. Its address is verified, because
 * the link was mailed to it.
 * @throws AppError `invalid_token`, `sign_up_closed`, `email_taken`
 */
export async function acceptInvitation(
  deps: Dependencies,
  input: { token: string; password: string; languagePreference?: Language | undefined },
  address: string,
): Promise<User> {
  const { db, clock, passwordHasher } = deps;
  const invitation = await requireInvitation(deps, input.token);
  const { email, tokenHash } = invitation;
  const names = { workspace: await nameOfWorkspace(deps, invitation), person: email };
  if (await findUserByEmail(db, email)) throw appError("email_taken");
  const password = await passwordHasher.inTurn(["new", address, email], () =>
    passwordHasher.hash(input.password),
  );
  const createdAt = clock.now().toISOString();
  const { workspaceId, isRequested, invitedBy } = invitation;
  const way = isRequested ? "domain" : workspaceId === null ? "invitation" : "workspace_invitation";
  const inviter = invitedBy === null ? undefined : await findUserById(db, invitedBy);
  const statements = newAccount(
    deps,
    { email, password, languagePreference: input.languagePreference, createdAt, way, ...VERIFIED },
    (userId) => [
      ...(isRequested ? joinByDomain(deps, userId, { email, now: createdAt }) : []),
      ...joining(deps, invitation, names, userId),
    ],
    {
      actor: { kind: "newcomer", address },
      detail: inviter ? { invitedBy: inviter.email, workspaceId } : {},
      condition: isInvited(db, { email, tokenHash }, admissionNow(deps)),
    },
  );
  await runBatch(db, statements).catch((error: unknown) => {
    throw isSignUpRejected(error) || isInvitationVoid(error)
      ? appError("invalid_token")
      : throwIfEmailTaken(error);
  });
  deliverSoon(deps);
  const user = await findUserByEmail(db, email);
  if (user?.password !== password) throw appError("email_taken");
  return user;
}

/**
 * Makes the caller a member of the invitation's workspace. Their address counts as verified from then on, if it is still
 * the invited one when that is written.
 * @throws AppError `invalid_token`, `other_account`
 */
export async function joinWorkspace(
  deps: Dependencies,
  user: User,
  sid: string,
  token: string,
): Promise<Workspace> {
  const { db } = deps;
  const invitation = await requireInvitation(deps, token);
  const { workspaceId, email } = invitation;
  if (workspaceId === null) throw appError("invalid_token");
  if (email !== user.email) throw appError("other_account");
  const names = { workspace: await nameOfWorkspace(deps, invitation), person: personName(user) };
  const statements = [
    ...joining(deps, invitation, names, user.id, isUnchanged(db, user.id, { email, sid })),
    verifyInvited(db, { userId: user.id, email }),
  ];
  const member = { userId: user.id, role: "viewer" } as const;
  const query = selectOwnWorkspace(db, member, workspaceId);
  const [joined] = await runBatchAndRead(db, statements, query)
    .catch(rejectedAs(isJoinerChanged, "other_account"))
    .catch(rejectedAs(isInvitationVoid, "invalid_token"));
  deliverSoon(deps);
  if (!joined) throw appError("invalid_token");
  return joined;
}

const nameOfWorkspace = async ({ db }: Dependencies, { id }: Invitation) =>
  (await findWorkspaceInvitation(db, id))?.workspace ?? "";

/**
 * The statements that use up an invitation: one to a workspace adds the member and notifies the inviter. They fail unless
 * `unchanged` is true.
 */
function joining(
  { db, clock }: Dependencies,
  { email, tokenHash, workspaceId, invitedBy }: Invitation,
  { workspace, person }: { workspace: string; person: string },
  userId: number | CreatedUserId,
  unchanged?: Condition,
): Statement[] {
  if (workspaceId === null) return deleteInvitation(db, email);
  const now = clock.now().toISOString();
  return [
    ...insertInvitedMember(db, { userId, email, workspaceId }, { tokenHash, now, unchanged }),
    selectJoinedWorkspace(db, { userId, workspaceId }),
    insertActivity(
      db,
      { userId },
      {
        workspaceId,
        type: "member.joined",
        target: personTarget(userId),
        now,
      },
    ),
    ...(invitedBy === null
      ? []
      : [
          queueMemberNotice(db, "member_joined", invitedBy, {
            workspaceId,
            workspace,
            name: person,
            createdAt: now,
          }),
        ]),
    ...deleteWorkspaceInvitation(db, { workspaceId, email }),
  ];
}
