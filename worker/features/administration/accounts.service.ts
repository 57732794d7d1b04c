import { runBatch, type Statement } from "../../../db/client";
import { unchangedAccount } from "../../../db/queries/account-guards";
import { type Account, findAccount } from "../../../db/queries/accounts";
import { deleteApiTokens } from "../../../db/queries/api-tokens";
import {
  type Actor,
  type AuditEntry,
  insertAuditEntry,
  isActorRejected,
  isSubjectMissing,
} from "../../../db/queries/audit-log";
import { deleteSessions } from "../../../db/queries/sessions";
import {
  deletePasswordResets,
  deleteUser,
  findUserById,
  insertPasswordReset,
  isResetRejected,
  updateUser,
} from "../../../db/queries/users";
import type { AppConfig } from "../../config";
import type { AuditAction } from "../../contract/administration";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { isAdministrator } from "../../lib/administrators";
import { newPasswordReset } from "../auth/auth.service";
import { queueAccountDeleted, queuePasswordReset } from "../notifications/outbox";

/** The dependencies of administrators' and operators' actions. The server sends their mail and removes their files. */
export type Administration = Pick<Dependencies, "db" | "config" | "clock" | "log">;

/** An account as administrators see it: its usage, without its contents. */
export function accountView(config: AppConfig, { isFirst, ...account }: Account) {
  return {
    ...account,
    isAdministrator: isAdministrator(config, { ...account, isFirst }),
    /** Maximum bytes of all its files; null for no limit. */
    storageLimit: storageLimit(config, account.storageQuota),
  };
}

function storageLimit({ quotas }: AppConfig, own: number | null): number | null {
  const limit = own ?? quotas.accountBytes;
  return limit === null || limit < 0 ? null : limit;
}

/** @throws AppError `not_found` */
export async function requireAccount({ db }: Administration, userId: number): Promise<Account> {
  const account = await findAccount(db, userId);
  if (!account) throw appError("not_found");
  return account;
}

/**
 * Ends every way to sign in, and keeps all data. Sessions, API tokens and reset links are deleted, queued messages are
 * cancelled, and recipients' links do not work until the account is enabled again.
 * @throws AppError `own_account`, `not_found`
 */
export function disableAccount(deps: Administration, actor: Actor, userId: number): Promise<void> {
  const { db, clock } = deps;
  requireOther(actor, userId);
  return act(deps, actor, { action: "account_disabled", userId }, [
    updateUser(db, userId, { disabledAt: clock.now().toISOString() }),
    deleteSessions(db, userId),
    deletePasswordResets(db, userId),
    deleteApiTokens(db, userId),
  ]);
}

/** Lets the account sign in again. @throws AppError `not_found` */
export function enableAccount(deps: Administration, actor: Actor, userId: number): Promise<void> {
  return act(deps, actor, { action: "account_enabled", userId }, [
    updateUser(deps.db, userId, { disabledAt: null }),
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

/**
 * Deletes the account with its rows, records its files for deletion, and notifies its address.
 * @throws AppError `own_account`, `not_found`
 */
export async function removeAccount(deps: Administration, actor: Actor, userId: number): Promise<void> {
  const { db, clock } = deps;
  requireOther(actor, userId);
  const user = await findUserById(db, userId);
  if (!user) throw appError("not_found");
  const { envelopes, storageBytes } = await requireAccount(deps, userId);
  const createdAt = clock.now().toISOString();
  const detail = { envelopes, storageBytes };
  await act(deps, actor, { action: "account_deleted", userId, detail }, [
    queueAccountDeleted(db, userId, { language: user.languagePreference, createdAt }),
    ...deleteUser(db, userId, createdAt),
  ]);
}

/**
 * Mails the account a link to choose a new password.
 * @returns the token, so that an operator can pass it on without mail
 * @throws AppError `not_found`, `disabled_account`
 */
export async function sendPasswordReset(deps: Administration, actor: Actor, userId: number): Promise<string> {
  const { db, clock } = deps;
  const { email, disabledAt } = await requireAccount(deps, userId);
  if (disabledAt !== null) throw appError("disabled_account");
  const now = clock.now();
  const { token, fields } = await newPasswordReset(now);
  await act(deps, actor, { action: "password_reset_sent", userId }, [
    insertPasswordReset(db, { ...fields, userId: unchangedAccount(db, userId, { email }) }),
    queuePasswordReset(db, { id: userId, email }, { token, createdAt: now.toISOString() }),
  ]).catch((error: unknown) => {
    throw isResetRejected(error) ? appError("account_changed") : error;
  });
  return token;
}

/** Administrators cannot do this to themselves, so that one always remains. @throws AppError `own_account` */
function requireOther(actor: Actor, userId: number): void {
  if (actor.kind === "administrator" && actor.user.id === userId) throw appError("own_account");
}

type Act = { action: AuditAction; userId: number; detail?: AuditEntry["detail"] };

/** Runs the statements and records the action in one batch. @throws AppError `administrators_only`, `not_found` */
async function act(
  deps: Administration,
  actor: Actor,
  { userId, ...entry }: Act,
  statements: Statement[],
): Promise<void> {
  const createdAt = deps.clock.now().toISOString();
  const recorded = insertAuditEntry(deps.db, actor, { ...entry, subject: { userId }, createdAt });
  await runBatch(deps.db, [recorded, ...statements]).catch(throwIfRejected);
  deps.log.info("administration", { action: entry.action, userId, by: actorName(actor) });
}

/** The actor for the log: an account id, or that it was a command. */
export const actorName = (actor: Actor) => (actor.kind === "command" ? actor.kind : actor.user.id);

/** Reports an actor who lost the role, and an account that was deleted; rethrows anything else. */
export function throwIfRejected(error: unknown): never {
  if (isActorRejected(error)) throw appError("administrators_only");
  if (isSubjectMissing(error)) throw appError("not_found");
  throw error;
}
