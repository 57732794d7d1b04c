import type { Database, Statement } from "../../../db/client";
import { type Actor, type AuditEntry, insertNewAccountEntry } from "../../../db/queries/audit-log";
import { findInstanceId } from "../../../db/queries/instance";
import {
  type Admission,
  insertDefaultMember,
  isInvited,
  isInvitedOrFirst,
} from "../../../db/queries/invitations";
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
  type NewUser,
} from "../../../db/queries/users";
import { insertFirstWorkspace } from "../../../db/queries/workspaces";
import type { AppConfig } from "../../config";
import type { SignUpMode } from "../../contract/administration";
import type { AccountWay } from "../../contract/audit-actions";
import type { SignUpState } from "../../contract/auth";
import type { ErrorCode } from "../../contract/errors";
import { MEMBERS_PER_WORKSPACE } from "../../contract/members";
import { FIRST_WORKSPACE } from "../../contract/product";
import type { Dependencies } from "../../dependencies";
import { type AppError, appError, rejectedAs } from "../../errors";
import { isOfDomain } from "../../lib/sign-in-providers";
import { hashToken } from "../../lib/tokens";
import { mailboxOf } from "../rate-limits/rate-rules";

/** Who may create an account now; while there is none, anybody, or whoever has the setup link. */
export async function currentSignUp({ db, config }: Dependencies): Promise<SignUpState> {
  const { signUp, protectsFirstAccount } = config;
  if ((signUp === "open" && !protectsFirstAccount) || (await hasUsers(db))) return signUp;
  return protectsFirstAccount ? "setup" : "open";
}

/** What each mode allows: who comes by themselves, and whose invitations let in people who have no account. */
const MODES = {
  open: { comes: "everybody", inviters: "everybody", error: "setup_required" },
  domains: { comes: "domains", inviters: "trusted", error: "invitation_required" },
  invite: { comes: "nobody", inviters: "trusted", error: "invitation_required" },
  administrators: { comes: "nobody", inviters: "administrators", error: "invitation_required" },
  off: { comes: "nobody", inviters: "nobody", error: "sign_up_closed" },
} as const satisfies Record<
  SignUpMode,
  { comes: "everybody" | "domains" | "nobody"; inviters: Admission["inviters"]; error: ErrorCode }
>;

type SignUpConfig = Pick<AppConfig, "signUp" | "signUpDomains" | "adminEmails">;

/** Who lets people in who have no account. */
export const admissionOf = ({ signUp, signUpDomains, adminEmails }: SignUpConfig): Admission => ({
  inviters: MODES[signUp].inviters,
  adminEmails,
  domains: MODES[signUp].comes === "domains" ? signUpDomains.domains : [],
});

/** Whether a verified address creates an account by itself because of its domain. */
export const comesByDomain = (config: SignUpConfig, email: string): boolean =>
  isOfDomain(email, admissionOf(config).domains);

/** Why somebody without an invitation or the setup link cannot create an account. */
export async function signUpError(deps: Dependencies): Promise<AppError> {
  const isFirst = (await currentSignUp(deps)) === "setup";
  return appError(isFirst ? "setup_required" : MODES[deps.config.signUp].error);
}

/**
 * The condition under which the account of a registration is created, and the way in which it comes.
 * @throws AppError `sign_up_closed`, `invitation_required`, `setup_required` if it cannot be created
 */
export async function requireSignUp(
  deps: Dependencies,
  { email, setupToken }: { email: string; setupToken?: string | null | undefined },
): Promise<{ condition: Parameters<typeof insertUser>[2]; way: AccountWay }> {
  const signUp = await currentSignUp(deps);
  const isSetUp = signUp === "setup" && setupToken && (await isSetupToken(deps, setupToken));
  if (signUp !== "open" && !isSetUp) throw await signUpError(deps);
  return isSetUp
    ? { condition: isFirstAccount, way: "setup_link" }
    : { condition: signUpCondition(deps, { email, isVerified: false }), way: "registration" };
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
  if (MODES[signUp].comes === "everybody" || (isVerified && comesByDomain(config, email)))
    return protectsFirstAccount ? isFurtherAccount : undefined;
  if (!isVerified) return protectsFirstAccount ? isNoAccount : isFirstAccount;
  const isAdmitted = protectsFirstAccount ? isInvited : isInvitedOrFirst;
  return isAdmitted(db, { email }, { now: clock.now().toISOString(), admission: admissionOf(config) });
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

/** Statements that make a new account a member of the workspace of its domain, if there is one. */
export function joinByDomain(
  { db, config }: Dependencies,
  userId: CreatedUserId,
  { email, now }: { email: string; now: string },
): Statement[] {
  const { workspaceId, role } = config.signUpDomains;
  const more = { now, max: MEMBERS_PER_WORKSPACE, mailbox: mailboxOf(email) };
  return workspaceId === null ? [] : insertDefaultMember(db, userId, { workspaceId, role, ...more });
}

type How = {
  /** Who creates the account: somebody else, or at this client address whoever gets it. */
  actor: Actor | { kind: "newcomer"; address: string };
  /** What else the audit log says of it. */
  detail?: AuditEntry["detail"];
  condition?: Parameters<typeof insertUser>[2];
};

/**
 * Statements that create an account with its first workspace, under the condition of `insertUser`, what belongs to it, and
 * the record of how it came. If another account waits for the confirmation of the address, it is removed there.
 * @param belongings statements after these, which address the account by its id
 */
export function newAccount(
  { db, config }: Pick<Dependencies, "db" | "config">,
  user: NewUser & Required<Pick<NewUser, "way">>,
  belongings: (userId: CreatedUserId) => Statement[],
  { condition, actor, detail }: How,
): Statement[] {
  const { email, createdAt } = user;
  const userId = createdUserId(email);
  // With ADMIN_EMAILS anybody may create the first account, unless it needs the setup link.
  const isStranger = config.adminEmails.length > 0 && !config.protectsFirstAccount;
  return [
    ...releasePendingEmail(db, email, createdAt),
    insertUser(db, { ...(isStranger && { verifiedByOwner: false }), ...user }, condition),
    insertNewAccountEntry(
      db,
      { email, createdAt, userId },
      {
        actor:
          actor.kind === "newcomer"
            ? { kind: "participant", user: { id: userId, email }, address: actor.address }
            : actor,
        ...(detail && { detail }),
      },
    ),
    ...insertFirstWorkspace(db, userId, { name: FIRST_WORKSPACE, createdAt, updatedAt: createdAt }),
    ...belongings(userId),
  ];
}

/** Reports a duplicate address as `email_taken`; rethrows anything else. */
export const throwIfEmailTaken = rejectedAs(isEmailTaken, "email_taken");
