import type { Database, Statement } from "../../../db/client";
import { findInstanceId } from "../../../db/queries/instance";
import { isInvited, isInvitedOrFirst } from "../../../db/queries/invitations";
import { FIRST_WORKSPACE } from "../../../db/queries/membership";
import { releasePendingEmail } from "../../../db/queries/pending-emails";
import {
  type CreatedUserId,
  createdUserId,
  hasUsers,
  insertUser,
  isEmailTaken,
  isFirstAccount,
  isFurtherAccount,
  isNoAccount,
} from "../../../db/queries/users";
import { insertFirstWorkspace } from "../../../db/queries/workspaces";
import type { AppConfig } from "../../config";
import type { SignUpState } from "../../contract/auth";
import type { Dependencies } from "../../dependencies";
import { type AppError, appError, rejectedAs } from "../../errors";
import { hashToken } from "../../lib/tokens";

/** Who may create an account now; while there is none, anybody, or whoever has the setup link. */
export async function currentSignUp({ db, config }: Dependencies): Promise<SignUpState> {
  const { signUp, protectsFirstAccount } = config;
  if ((signUp === "open" && !protectsFirstAccount) || (await hasUsers(db))) return signUp;
  return protectsFirstAccount ? "setup" : "open";
}

/** Why somebody without an invitation or the setup link cannot create an account. */
export async function signUpError(deps: Dependencies): Promise<AppError> {
  const signUp = await currentSignUp(deps);
  if (signUp === "setup" || deps.config.signUp === "open") return appError("setup_required");
  return appError(deps.config.signUp === "invite" ? "invitation_required" : "sign_up_closed");
}

/**
 * The condition under which the account of a registration is created.
 * @throws AppError `sign_up_closed`, `invitation_required`, `setup_required` if it cannot be created
 */
export async function requireSignUp(
  deps: Dependencies,
  { email, setupToken }: { email: string; setupToken?: string | null | undefined },
): Promise<Parameters<typeof insertUser>[2]> {
  const signUp = await currentSignUp(deps);
  const isSetUp = signUp === "setup" && setupToken && (await isSetupToken(deps, setupToken));
  if (signUp !== "open" && !isSetUp) throw await signUpError(deps);
  return isSetUp ? isFirstAccount : signUpCondition(deps, { email, isVerified: false });
}

/**
 * The condition under which `insertUser` creates the account. An invitation only counts for its own address, so it is
 * only checked if the visitor has proved to own the address.
 */
export function signUpCondition(
  { db, config, clock }: Dependencies,
  { email, isVerified }: { email: string; isVerified: boolean },
): Parameters<typeof insertUser>[2] {
  const { signUp, protectsFirstAccount } = config;
  if (signUp === "open") return protectsFirstAccount ? isFurtherAccount : undefined;
  if (signUp === "off" || !isVerified) return protectsFirstAccount ? isNoAccount : isFirstAccount;
  const now = clock.now().toISOString();
  return protectsFirstAccount ? isInvited(db, email, now) : isInvitedOrFirst(db, email, now);
}

/**
 * The link that creates the first account, from the server's log and `doctor`; null where it is not needed. It is
 * derived from the secret that database and file store share, so that all servers and commands know the same one.
 */
export async function findSetupLink({
  db,
  config,
}: Pick<Dependencies, "db"> & { config: Pick<AppConfig, "publicUrl" | "protectsFirstAccount"> }): Promise<
  string | null
> {
  if (!config.protectsFirstAccount || (await hasUsers(db))) return null;
  const token = await setupToken(db);
  return token && `${config.publicUrl}/setup/${token}`;
}

/** Logs the setup link while it is needed, once for each process. */
export async function logSetupLink(deps: Dependencies): Promise<void> {
  if (deps.memory.setupLinkLogged) return;
  const link = await findSetupLink(deps);
  if (!link) return;
  deps.memory.setupLinkLogged = true;
  deps.log.warn("no account yet", { reason: `Create the first one at ${link}` });
}

async function setupToken(db: Database): Promise<string | null> {
  const secret = await findInstanceId(db);
  return secret && hashToken(`setup ${secret}`);
}

/** Compares hashes, so that the time says nothing about the token. */
async function isSetupToken({ db }: Dependencies, given: string): Promise<boolean> {
  const token = await setupToken(db);
  return token !== null && (await hashToken(given)) === (await hashToken(token));
}

/**
 * Statements that create an account with its first workspace, under the condition of `insertUser`, and what belongs to it.
 * If another account waits for the confirmation of the address, it is removed there.
 * @param belongings statements after these, which address the account by its id
 */
export function newAccount(
  { db, config }: Pick<Dependencies, "db" | "config">,
  user: Parameters<typeof insertUser>[1],
  belongings: (userId: CreatedUserId) => Statement[],
  condition?: Parameters<typeof insertUser>[2],
): Statement[] {
  const { email, createdAt } = user;
  const userId = createdUserId(email);
  // With ADMIN_EMAILS anybody may create the first account, unless it needs the setup link.
  const isStranger = config.adminEmails.length > 0 && !config.protectsFirstAccount;
  return [
    ...releasePendingEmail(db, email, createdAt),
    insertUser(db, { ...(isStranger && { verifiedByOwner: false }), ...user }, condition),
    ...insertFirstWorkspace(db, userId, { name: FIRST_WORKSPACE, createdAt, updatedAt: createdAt }),
    ...belongings(userId),
  ];
}

/** Reports a duplicate address as `email_taken`; rethrows anything else. */
export const throwIfEmailTaken = rejectedAs(isEmailTaken, "email_taken");
