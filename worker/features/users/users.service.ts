import { runBatch, type Statement } from "../../../db/client";
import { isUnchanged } from "../../../db/queries/account-guards";
import { listPossibleAdministrators } from "../../../db/queries/accounts";
import { gatherSubmissions } from "../../../db/queries/digests";
import { insertAvatarDeletion } from "../../../db/queries/file-deletions";
import { deleteProvider, hasSpareProvider, listProviders } from "../../../db/queries/identities";
import { isMemberKept } from "../../../db/queries/membership";
import { accountEmail, isAccountMissing } from "../../../db/queries/notifications";
import { updateEmail } from "../../../db/queries/pending-emails";
import { lookAgainAtAll } from "../../../db/queries/scheduled-envelopes";
import { lookAgainAtSeries } from "../../../db/queries/series";
import { deleteSessions } from "../../../db/queries/sessions";
import {
  completeUserOnboarding,
  deletePasswordResets,
  findUserByEmail,
  findUserById,
  NO_PENDING_EMAIL,
  type User,
  type UserChanges,
  updateUser,
} from "../../../db/queries/users";
import { DOCUMENT_TYPES, SIGN_IN_PROVIDERS, type SignInProvider, USAGE_TYPES } from "../../contract/options";
import type { OnboardingInput, ProfileInput } from "../../contract/users";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs, required } from "../../errors";
import { newEmailRevert, newVerification } from "../auth/mailed-links";
import { throwIfEmailTaken } from "../auth/sign-up";
import { deletePendingFiles, tryDeletePendingFiles } from "../files/file-deletions";
import type { UploadBody } from "../files/incoming-files";
import { finishImage, receiveImage, withIncomingImage } from "../files/incoming-image";
import { deliverSoon, providerPayload, queueAccountMail, unprovedMark } from "../notifications/outbox";
import {
  limitChanges,
  limitFailures,
  mailboxOf,
  ownMailbox,
  RATE_RULES,
  requireAllowed,
} from "../rate-limits/rate-rules";
import { enabledSignIn, isAdministrator } from "../sign-in-policy/sign-in-policy";
import { accountDeletion } from "../workspaces/deletion-in-parts";

/** Updates the given fields. A new address must be confirmed. @throws AppError `email_taken` */
export async function updateProfile(
  deps: Dependencies,
  user: User,
  sid: string,
  input: ProfileInput,
): Promise<User> {
  if (input.timeZone !== undefined && input.timeZone !== user.timeZone)
    requireAllowed(await deps.rateLimiter.hit(RATE_RULES.timeZones, String(user.id)));
  const changed = await changeProfile(deps, user, sid, input);
  if (changed.timeZone !== user.timeZone) {
    await lookAgainAtAll(deps.db, user.id, deps.takeTurn);
    await runBatch(deps.db, [lookAgainAtSeries(deps.db, user.id, deps.clock.now().toISOString())]);
  }
  if (changed.submissionMails !== user.submissionMails || changed.digestHour !== user.digestHour) {
    await runBatch(deps.db, gatherSubmissions(deps.db, user.id, { now: deps.clock.now().toISOString() }));
    deliverSoon(deps);
  }
  return changed;
}

function changeProfile(deps: Dependencies, user: User, sid: string, input: ProfileInput): Promise<User> {
  const { email, ...changes } = input;
  if (!email || email === (user.pendingEmail ?? user.email)) return save(deps, user, changes);
  if (email === user.email) return save(deps, user, { ...changes, ...NO_PENDING_EMAIL });
  return changeEmail(deps, user, sid, { ...changes, email });
}

/**
 * Changes the address: once the new one is confirmed or, if the old one was never verified, at once. Voids the links
 * mailed to the old one, and mails it a link to undo the change. Without that mail, for example beyond its rate limit,
 * nothing is changed.
 * @throws AppError `rate_limited`, `email_taken`, `account_changed`
 */
async function changeEmail(
  deps: Dependencies,
  user: User,
  sid: string,
  { email, ...changes }: UserChanges & { email: string },
): Promise<User> {
  const { db, clock, rateLimiter } = deps;
  // Counted before: the response tells who has an account.
  requireAllowed(await rateLimiter.hit(RATE_RULES.emailChangesOfAccount, String(user.id)));
  if (await findUserByEmail(db, email)) throw appError("email_taken");
  await requireAdministratorRemains(deps, user, email);
  requireAllowed(await rateLimiter.hit(RATE_RULES.emailChanges, ownMailbox(user)));
  const now = clock.now();
  const createdAt = now.toISOString();
  const [verification, revert, { allowed }] = await Promise.all([
    newVerification(now),
    newEmailRevert(deps, user, email),
    rateLimiter.hit(RATE_RULES.mailsToAddress, mailboxOf(email)),
  ]);
  const mail = { userId: user.id, to: email, createdAt, payload: { token: verification.token } };
  const { pendingEmail } = user;
  const keepsProved = deps.mailer.localOnly !== true;
  const state = { email: user.email, pendingEmail, sid, freeEmail: email };
  await runBatch(db, [
    queueAccountMail(db, "email_changed", {
      userId: user.id,
      unchanged: isUnchanged(db, user.id, state),
      createdAt,
      payload: {
        token: revert.token,
        ...((user.isVerified || (keepsProved && user.verifiedByOwner)) && { pending: 1 }),
        ...unprovedMark(user),
      },
    }),
    ...revert.statements,
    updateEmail(db, user.id, { ...changes, email }, verification.fields, { keepsProved }),
    deletePasswordResets(db, user.id),
    ...(allowed ? [queueAccountMail(db, "verification", mail)] : []),
  ]).catch(async (error: unknown) => {
    if (!isAccountMissing(error)) throwIfEmailTaken(error);
    throw appError((await findUserByEmail(db, email)) ? "email_taken" : "account_changed");
  });
  deliverSoon(deps);
  return required(findUserById(db, user.id), "account_changed");
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
  return required(completeUserOnboarding(db, user.id, answers, defaults), "unauthenticated");
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
  const counted = [{ rule: RATE_RULES.wrongPasswords, subject: `${user.id} ${sid}` }];
  await limitChanges(rateLimiter, user, async () => {
    const password = await passwordHasher.inTurn(["known", user.email], () =>
      limitFailures(rateLimiter, counted, async () =>
        (await passwordHasher.verify(input.currentPassword, user.password))
          ? passwordHasher.hash(input.newPassword)
          : null,
      ),
    );
    if (!password) throw appError("wrong_password");
    const unchanged = isUnchanged(db, user.id, { password: user.password, sid });
    const createdAt = clock.now().toISOString();
    const { endGivenAccess } = await import("../../../db/queries/given-access");
    const planned = { now: createdAt, takeTurn: deps.takeTurn };
    const statements = (ended: Statement[]) => [
      queueAccountMail(db, "password_changed", { userId: user.id, unchanged, createdAt, payload: {} }),
      updateUser(db, user.id, { password }),
      deleteSessions(db, user.id, sid),
      deletePasswordResets(db, user.id),
      ...ended,
    ];
    const changed = input.revokeTokens
      ? endGivenAccess(db, user.id, planned, statements)
      : runBatch(db, statements([]));
    // Otherwise the checked password is no longer the current one, or the session has ended.
    await changed.catch(rejectedAs(isAccountMissing, "wrong_password"));
  });
  deliverSoon(deps);
}

/**
 * Deletes the account, its rows and its files, and notifies its address.
 * @throws AppError `unauthenticated` if the session has ended meanwhile, `last_owner` with the workspaces that need
 *   another owner first
 */
export async function deleteAccount(deps: Dependencies, user: User, sid: string): Promise<void> {
  const { db, clock } = deps;
  const createdAt = clock.now().toISOString();
  await runBatch(db, [
    queueAccountMail(db, "account_deleted", {
      userId: null,
      to: accountEmail(user.id),
      unchanged: isUnchanged(db, user.id, { sid }),
      createdAt,
      payload: { language: user.languagePreference, ...unprovedMark(user) },
    }),
    ...(await accountDeletion(deps, user.id)),
  ]).catch(async (error: unknown) => {
    if (isMemberKept(error)) {
      const { lastOwner } = await import("../workspaces/members.service");
      throw await lastOwner(deps, user.id);
    }
    throw isAccountMissing(error) ? appError("unauthenticated") : error;
  });
  deliverSoon(deps);
  await tryDeletePendingFiles(deps);
}

async function save({ db }: Dependencies, user: User, changes: UserChanges): Promise<User> {
  if (Object.values(changes).every((value) => value === undefined)) return user;
  const [row] = await updateUser(db, user.id, changes);
  if (!row) throw appError("unauthenticated");
  return row;
}

/**
 * Unlinks a sign-in provider, and notifies the account.
 * @returns the provider
 * @throws AppError `not_found`, `rate_limited`, `last_sign_in` if it is the only way to sign in
 */
export async function unlinkProvider(
  deps: Dependencies,
  { user, sid }: { user: User; sid: string },
  name: string,
): Promise<SignInProvider> {
  const { db, config, clock, rateLimiter } = deps;
  const provider = SIGN_IN_PROVIDERS.find((known) => known === name);
  if (!provider) throw appError("not_found");
  const ways = enabledSignIn(config);
  const isSpare = hasSpareProvider(db, user.id, { provider, ways });
  const configured = config.signInProviders.find((known) => known.name === provider);
  await limitChanges(rateLimiter, user, () =>
    runBatch(db, [
      queueAccountMail(db, "provider_unlinked", {
        userId: user.id,
        unchanged: isUnchanged(db, user.id, { sid }, isSpare),
        createdAt: clock.now().toISOString(),
        payload: providerPayload(configured ?? { name: provider }),
      }),
      deleteProvider(db, user.id, provider),
    ]).catch(async (error: unknown) => {
      if (!isAccountMissing(error)) throw error;
      const linked = await listProviders(db, user.id, ways);
      throw appError(linked.some((entry) => entry.provider === provider) ? "last_sign_in" : "not_found");
    }),
  );
  deliverSoon(deps);
  return provider;
}

/** Replaces the user's picture with the one in the multipart body and deletes the old one. */
export async function changeAvatar(deps: Dependencies, user: User, upload: UploadBody): Promise<User> {
  const { db, clock, background } = deps;
  const changed = await withIncomingImage(deps, "avatar", user.id, async (incoming) => {
    await receiveImage(incoming, "avatar", upload);
    const { key, mimeType, size } = await finishImage(incoming, "avatar");
    await incoming.record([
      insertAvatarDeletion(db, user.id, clock.now().toISOString()),
      updateUser(db, user.id, { avatarUrl: `/uploads/${key}`, avatarMimeType: mimeType, avatarSize: size }),
    ]);
    return required(findUserById(db, user.id), "unauthenticated");
  });
  background.run("old avatar", () => deletePendingFiles(deps));
  return changed;
}
