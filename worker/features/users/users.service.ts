import { runBatch } from "../../../db/client";
import { unchangedAccount } from "../../../db/queries/account-guards";
import { listPossibleAdministrators } from "../../../db/queries/accounts";
import { isAccountMissing } from "../../../db/queries/notifications";
import { deleteSessions } from "../../../db/queries/sessions";
import { endProgramAccess } from "../../../db/queries/sign-in-methods";
import {
  completeUserOnboarding,
  deletePasswordResets,
  deleteUser,
  findUserByEmail,
  type User,
  type UserChanges,
  updateUser,
} from "../../../db/queries/users";
import { DOCUMENT_TYPES, USAGE_TYPES } from "../../contract/options";
import type { OnboardingInput, ProfileInput } from "../../contract/users";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { isAdministrator } from "../../lib/administrators";
import { limitFailures } from "../../lib/limit-failures";
import { RATE_RULES, requireAllowed } from "../../lib/rate-rules";
import { newVerification, throwIfEmailTaken } from "../auth/auth.service";
import { newEmailRevert } from "../auth/email-revert.service";
import { tryDeletePendingFiles } from "../files/file-deletions";
import {
  deliverSoon,
  queueAccountDeleted,
  queueEmailChanged,
  queuePasswordChanged,
  queueVerification,
} from "../notifications/outbox";

/** Updates the given fields. A new address must be verified again. @throws AppError `email_taken` */
export async function updateProfile(
  deps: Dependencies,
  user: User,
  sid: string,
  input: ProfileInput,
): Promise<User> {
  const { email, themePreference, languagePreference, ...rest } = input;
  const changes: UserChanges = { ...rest };
  if (themePreference) changes.themePreference = themePreference;
  if (languagePreference) changes.languagePreference = languagePreference;
  if (!email || email === user.email) return save(deps, user, changes);

  return changeEmail(deps, user, sid, { ...changes, email });
}

/**
 * Replaces the address, voids the links that were mailed to the old one, and mails the old one a link to undo the
 * change. Without that mail, for example beyond its rate limit, the address is not changed.
 * @throws AppError `rate_limited`, `email_taken`, `account_changed`
 */
async function changeEmail(
  deps: Dependencies,
  user: User,
  sid: string,
  changes: UserChanges & { email: string },
): Promise<User> {
  const { db, clock, rateLimiter } = deps;
  const { email } = changes;
  await requireAdministratorRemains(deps, user, email);
  requireAllowed(await rateLimiter.hit(RATE_RULES.emailChangesOfAccount, String(user.id)));
  requireAllowed(await rateLimiter.hit(RATE_RULES.emailChanges, user.email));
  const now = clock.now();
  const createdAt = now.toISOString();
  const [verification, revert, { allowed }] = await Promise.all([
    newVerification(now),
    newEmailRevert(deps, user, email),
    rateLimiter.hit(RATE_RULES.mailsToAddress, email),
  ]);
  const mail = { userId: user.id, email, token: verification.token, createdAt };
  await runBatch(db, [
    queueEmailChanged(db, unchangedAccount(db, user.id, { email: user.email, sid }), {
      createdAt,
      token: revert.token,
    }),
    ...revert.statements,
    updateUser(db, user.id, { ...changes, ...verification.fields }),
    deletePasswordResets(db, user.id),
    ...(allowed ? [queueVerification(db, mail)] : []),
  ]).catch((error: unknown) => {
    throw isAccountMissing(error) ? appError("account_changed") : throwIfEmailTaken(error);
  });
  deliverSoon(deps);
  const changed = await findUserByEmail(db, email);
  if (!changed) throw appError("account_changed");
  return changed;
}

/** @throws AppError `last_administrator` if the instance would have no administrator with the new address */
async function requireAdministratorRemains(
  { db, config }: Dependencies,
  user: User,
  email: string,
): Promise<void> {
  const { adminEmails } = config;
  if (adminEmails.length === 0 || adminEmails.includes(email) || !isAdministrator(config, user)) return;
  const possible = await listPossibleAdministrators(db, adminEmails);
  if (!possible.some((other) => other.id !== user.id && isAdministrator(config, other)))
    throw appError("last_administrator");
}

/** Saves the answers and marks onboarding as completed. Missing answers get the default, which is the first option. */
export async function completeOnboarding(
  { db }: Dependencies,
  user: User,
  input: OnboardingInput,
): Promise<User> {
  const answers = { usageType: input.usageType ?? null, documentType: input.documentType ?? null };
  const defaults = { usageType: USAGE_TYPES[0], documentType: DOCUMENT_TYPES[0] };
  const row = await completeUserOnboarding(db, user.id, answers, defaults);
  if (!row) throw appError("unauthenticated");
  return row;
}

/**
 * Changes the password and ends all other sessions. Ten wrong attempts are allowed, in case somebody else uses an
 * unlocked device.
 * @throws AppError `rate_limited`, `wrong_password`
 */
export async function changePassword(
  deps: Dependencies,
  user: User,
  sid: string,
  input: { currentPassword: string; newPassword: string; revokeTokens: boolean },
): Promise<void> {
  const { db, clock, passwordHasher, rateLimiter } = deps;
  const counted = [[RATE_RULES.wrongPasswords, String(user.id)]] as const;
  const password = await passwordHasher.inTurn(() =>
    limitFailures(rateLimiter, counted, async () =>
      (await passwordHasher.verify(input.currentPassword, user.password))
        ? passwordHasher.hash(input.newPassword)
        : null,
    ),
  );
  if (!password) throw appError("wrong_password");
  const unchanged = unchangedAccount(db, user.id, { password: user.password, sid });
  await runBatch(db, [
    queuePasswordChanged(db, unchanged, clock.now().toISOString()),
    updateUser(db, user.id, { password }),
    deleteSessions(db, user.id, sid),
    deletePasswordResets(db, user.id),
    ...(input.revokeTokens ? endProgramAccess(db, user.id) : []),
  ]).catch((error: unknown) => {
    // Either the checked password is no longer the current one, or the session has ended.
    throw isAccountMissing(error) ? appError("wrong_password") : error;
  });
  deliverSoon(deps);
}

/**
 * Deletes the account, its rows and its files, and notifies its address.
 * @throws AppError `unauthenticated` if the session has ended meanwhile
 */
export async function deleteAccount(deps: Dependencies, user: User, sid: string): Promise<void> {
  const { db, clock } = deps;
  const createdAt = clock.now().toISOString();
  const mail = { language: user.languagePreference, createdAt };
  await runBatch(db, [
    queueAccountDeleted(db, unchangedAccount(db, user.id, { sid }), mail),
    ...deleteUser(db, user.id, createdAt),
  ]).catch((error: unknown) => {
    throw isAccountMissing(error) ? appError("unauthenticated") : error;
  });
  deliverSoon(deps);
  await tryDeletePendingFiles(deps);
}

async function save({ db }: Dependencies, user: User, changes: UserChanges): Promise<User> {
  if (Object.keys(changes).length === 0) return user;
  const [row] = await updateUser(db, user.id, changes);
  if (!row) throw appError("unauthenticated");
  return row;
}
