import { runBatch, type Statement } from "../../../db/client";
import { isUnchanged } from "../../../db/queries/account-guards";
import {
  type Account,
  findAccount,
  findWorkspaceUse,
  setWorkspaceQuota,
  type WorkspaceUse,
} from "../../../db/queries/accounts";
import { listApiTokens } from "../../../db/queries/api-tokens";
import {
  type Actor,
  insertAuditEntry,
  isActorRejected,
  isSubjectMissing,
} from "../../../db/queries/audit-log";
import { resetDeletionNotices, resetSomeNotices } from "../../../db/queries/deletion-notices";
import { closeUser } from "../../../db/queries/deletions";
import { deleteInvitationsBy } from "../../../db/queries/handovers";
import { listProviders } from "../../../db/queries/identities";
import { deleteInvitation } from "../../../db/queries/invitations";
import { accountRemoval, isMemberKept, readAccountRemoval } from "../../../db/queries/membership";
import { accountEmail } from "../../../db/queries/notifications";
import { deleteSecondFactors, findSecondFactors, hasSecondFactor } from "../../../db/queries/second-factors";
import { deleteSessions } from "../../../db/queries/sessions";
import {
  findUserById,
  insertPasswordReset,
  isLinkRejected,
  isResetRejected,
  replaceSignInLink,
  updateUser,
} from "../../../db/queries/users";
import type { AppConfig } from "../../config";
import type { Language } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs, required } from "../../errors";
import { MINUTE_MS } from "../../lib/durations";
import type { LogFields } from "../../ports/logger";
import { mailedPasswordReset, newInvitation, newLink } from "../auth/mailed-links";
import { newAccount, throwIfEmailTaken } from "../auth/sign-up";
import { queueAccountMail, unprovedMark } from "../notifications/outbox";
import { enabledSignIn, isAdministrator, requirePasswordSignIn } from "../sign-in-policy/sign-in-policy";
import { accountDeletion } from "../workspaces/deletion-in-parts";
import { lastOwner } from "../workspaces/members.service";

/** The dependencies of administrators' and operators' actions. The server sends their mail and removes their files. */
export type Administration = Pick<Dependencies, "db" | "config" | "clock" | "log">;

const SIGN_IN_LINK_MS = 10 * MINUTE_MS;

/** An account as administrators see it: its usage, without its contents. */
export function accountView(config: AppConfig, account: Account) {
  const { pendingEmail: _pendingEmail, deletedAt: _deletedAt, verifiedByOwner: _proved, ...shown } = account;
  return {
    ...shown,
    isAdministrator: isAdministrator(config, account),
    /** Maximum bytes of all its files; null for no limit. */
    storageLimit: storageLimit(config, account.storageQuota),
  };
}

function storageLimit({ quotas }: AppConfig, own: number | null): number | null {
  const limit = own ?? quotas.accountBytes;
  return limit === null || limit < 0 ? null : limit;
}

/** @throws AppError `not_found` */
export const requireAccount = ({ db }: Administration, userId: number): Promise<Account> =>
  required(findAccount(db, userId), "not_found");

/** Without its usage, for which all its envelopes are counted. @throws AppError `not_found` */
const requireUser = ({ db }: Administration, userId: number) =>
  required(findUserById(db, userId), "not_found");

/** What administrators see of one account. @throws AppError `not_found` */
export async function readAccountDetail(
  deps: Administration & Pick<Dependencies, "takeTurn">,
  userId: number,
) {
  const { db, config, clock, takeTurn } = deps;
  const account = await requireAccount(deps, userId);
  // Both count all envelopes.
  await takeTurn?.();
  const { totp, passkeys, recoveryCodesLeft } = await findSecondFactors(
    db,
    userId,
    clock.now().toISOString(),
  );
  return {
    ...accountView(config, account),
    removal: await readAccountRemoval(db, userId),
    secondFactors: { totp, passkeys, recoveryCodesLeft },
  };
}

/**
 * Creates an account and, where passwords sign in, mails its address a link to choose one.
 * @returns the token, so that an operator can pass it on without mail
 * @throws AppError `email_taken`
 */
export async function createAccount(
  deps: Administration,
  actor: Actor,
  account: { email: string; languagePreference: Language; isAdministrator?: true },
): Promise<string> {
  const { db, clock, config } = deps;
  const { email } = account;
  const now = clock.now();
  const createdAt = now.toISOString();
  const { token, fields } = await newInvitation(now);
  await runBatch(db, [
    ...newAccount(
      deps,
      { ...account, password: "", createdAt, verifiedByOwner: true, way: "administration" },
      (userId) => [
        ...deleteInvitation(db, email),
        insertPasswordReset(db, { ...fields, userId }),
        ...(config.allowsPasswords
          ? [queueAccountMail(db, "account_created", { userId, to: email, createdAt, payload: { token } })]
          : []),
      ],
      { actor },
    ),
  ]).catch(throwIfEmailTaken);
  deps.log.info("administration", { action: "account_created", by: actorName(actor) });
  return token;
}

/** Gives the account the role of an administrator, or takes it away with its invitations. @throws AppError `not_found` */
export function changeRole(
  deps: Administration,
  actor: Actor,
  userId: number,
  role: { isAdministrator: boolean },
): Promise<void> {
  const action = role.isAdministrator ? "account_promoted" : "account_demoted";
  return act(deps, actor, { action, userId }, [
    updateUser(deps.db, userId, role),
    ...(role.isAdministrator ? [] : deleteInvitationsBy(deps.db, userId, null)),
  ]);
}

/**
 * Ends every way to sign in, and keeps all data. Sessions, API tokens and reset links are deleted, queued messages are
 * cancelled, and recipients' links do not work until the account is enabled again.
 * @throws AppError `own_account`, `not_found`, `last_owner`
 */
export function disableAccount(deps: Administration, actor: Actor, userId: number): Promise<void> {
  const { db, clock } = deps;
  requireOther(actor, userId);
  const closed = closeUser(db, userId, { disabledAt: clock.now().toISOString() });
  return act(deps, actor, { action: "account_disabled", userId }, closed);
}

/** Lets the account sign in again; it is notified again before files are deleted. @throws AppError `not_found` */
export async function enableAccount(
  deps: Administration & Pick<Dependencies, "takeTurn">,
  actor: Actor,
  userId: number,
): Promise<void> {
  const { db, takeTurn } = deps;
  const owner = { userId, role: "owner" } as const;
  while (takeTurn && (await resetSomeNotices(db, owner))) await takeTurn();
  await act(deps, actor, { action: "account_enabled", userId }, [
    updateUser(db, userId, { disabledAt: null }),
    resetDeletionNotices(db, owner),
  ]);
}

/** Gives the account its own storage limit, or resets it to the instance's with null. @throws AppError `not_found` */
export function changeQuota(
  deps: Administration,
  actor: Actor,
  userId: number,
  bytes: number | null,
): Promise<void> {
  return act(deps, actor, { action: "quota_changed", userId, detail: { bytes } }, [
    updateUser(deps.db, userId, { storageQuota: bytes }),
  ]);
}

/** @throws AppError `workspace_not_found` */
export const requireWorkspaceUse = ({ db }: Administration, id: number): Promise<WorkspaceUse> =>
  required(findWorkspaceUse(db, id), "workspace_not_found");

/** Limits what is stored in a workspace, whoever it belongs to; null for no limit. @throws AppError `workspace_not_found` */
export async function changeWorkspaceQuota(
  deps: Administration,
  actor: Actor,
  workspaceId: number,
  bytes: number | null,
): Promise<void> {
  const { name, owner } = await requireWorkspaceUse(deps, workspaceId);
  const detail = { workspaceId, workspace: name, bytes };
  const entry = { action: "workspace_quota_changed", subject: { email: owner }, detail } as const;
  await record(deps, actor, entry, [setWorkspaceQuota(deps.db, workspaceId, bytes)], { workspaceId });
}

/**
 * Deletes the account, see `accountDeletion`, and notifies its address.
 * @throws AppError `own_account`, `not_found`, `last_owner`
 */
export async function removeAccount(deps: Administration, actor: Actor, userId: number): Promise<void> {
  const { db, clock } = deps;
  requireOther(actor, userId);
  const user = await requireUser(deps, userId);
  const createdAt = clock.now().toISOString();
  await act(deps, actor, { action: "account_deleted", userId, detail: accountRemoval(userId) }, [
    queueAccountMail(db, "account_deleted", {
      userId: null,
      to: accountEmail(userId),
      createdAt,
      payload: { language: user.languagePreference, ...unprovedMark(user) },
    }),
    ...(await accountDeletion(deps, userId)),
  ]);
}

/**
 * Mails the account a link to choose a new password.
 * @returns the token, so that an operator can pass it on without mail
 * @throws AppError `not_found`, `disabled_account`, `password_sign_in_off`
 */
export async function sendPasswordReset(deps: Administration, actor: Actor, userId: number): Promise<string> {
  const { db, clock, config } = deps;
  requirePasswordSignIn(config);
  const { email, disabledAt } = await requireUser(deps, userId);
  if (disabledAt !== null) throw appError("disabled_account");
  const { token, statements } = await mailedPasswordReset(db, { id: userId, email }, clock.now());
  await act(deps, actor, { action: "password_reset_sent", userId }, statements).catch(
    rejectedAs(isResetRejected, "account_changed"),
  );
  return token;
}

/**
 * Ends the account's sessions, makes a link that signs it in once, and tells its owner. A second factor of the account is asked for as always.
 * @returns the token of the link
 * @throws AppError `not_found`, `disabled_account`, `account_changed`
 */
export async function makeSignInLink(deps: Administration, actor: Actor, userId: number) {
  const { db, clock } = deps;
  const { email, disabledAt } = await requireUser(deps, userId);
  if (disabledAt !== null) throw appError("disabled_account");
  const now = clock.now();
  const createdAt = now.toISOString();
  const { token, fields } = await newLink(now, SIGN_IN_LINK_MS);
  const link = { ...fields, userId, createdAt };
  await act(deps, actor, { action: "sign_in_link_made", userId }, [
    deleteSessions(db, userId),
    ...replaceSignInLink(db, link, isUnchanged(db, userId, { email })),
    queueAccountMail(db, "sign_in_link_made", { userId, to: email, createdAt, payload: {} }),
  ]).catch(rejectedAs(isLinkRejected, "account_changed"));
  return { token, expiresAt: fields.expiresAt };
}

/**
 * Removes every second factor and passkey of the account, for somebody who has lost them, ends its sessions, and tells its
 * owner.
 * @throws AppError `not_found`, `no_second_factor`
 */
export async function resetTwoFactor(deps: Administration, actor: Actor, userId: number): Promise<void> {
  const { db, clock } = deps;
  const { email } = await requireUser(deps, userId);
  if (!(await hasSecondFactor(db, userId))) throw appError("no_second_factor");
  const createdAt = clock.now().toISOString();
  await act(deps, actor, { action: "two_factor_reset", userId }, [
    ...deleteSecondFactors(db, userId),
    deleteSessions(db, userId),
    queueAccountMail(db, "two_factor_reset", { userId, to: email, createdAt, payload: {} }),
  ]);
}

/** What still gives access to the account once its sessions have ended: the names of its API tokens and linked providers. */
export async function readRemainingAccess({ db, config }: Administration, userId: number) {
  const tokens = await listApiTokens(db, userId);
  const providers = await listProviders(db, userId, enabledSignIn(config));
  return { apiTokens: tokens.map(({ name }) => name), providers: providers.map(({ provider }) => provider) };
}

/** Administrators cannot do this to themselves, so that one always remains. @throws AppError `own_account` */
function requireOther(actor: Actor, userId: number): void {
  if (actor.kind === "administrator" && actor.user.id === userId) throw appError("own_account");
}

type Entry = Omit<Parameters<typeof insertAuditEntry>[2], "createdAt"> & { createdAt?: string };

/** Runs the statements and records the action in one batch. @throws AppError `administrators_only`, `not_found` */
export async function record(
  { db, clock, log }: Administration,
  actor: Actor,
  { createdAt = clock.now().toISOString(), ...entry }: Entry,
  statements: Statement[],
  logged: LogFields = {},
): Promise<void> {
  const recorded = insertAuditEntry(db, actor, { ...entry, createdAt });
  await runBatch(db, [recorded, ...statements]).catch(throwIfRejected);
  log.info("administration", { action: entry.action, ...logged, by: actorName(actor) });
}

/** The same of an account. @throws AppError also `last_owner` */
export function act(
  deps: Administration,
  actor: Actor,
  { userId, ...entry }: Pick<Entry, "action" | "detail"> & { userId: number },
  statements: Statement[],
): Promise<void> {
  const subject = { userId };
  return record(deps, actor, { ...entry, subject }, statements, subject).catch(async (error: unknown) => {
    throw isMemberKept(error) ? await lastOwner(deps, userId) : error;
  });
}

/** The actor for the log: an account id, or that it was a command. */
const actorName = (actor: Actor) => (actor.kind === "command" ? actor.kind : actor.user.id);

/** Reports an actor who lost the role, and an account that was deleted; rethrows anything else. */
function throwIfRejected(error: unknown): never {
  if (isActorRejected(error)) throw appError("administrators_only");
  if (isSubjectMissing(error)) throw appError("not_found");
  throw error;
}
