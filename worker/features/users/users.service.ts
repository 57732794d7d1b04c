import { runBatch } from "../../../db/client";
import { deleteApiTokens } from "../../../db/queries/api-tokens";
import {
  deletePasswordResets,
  deleteSessions,
  deleteUser,
  type User,
  type UserChanges,
  updateUser,
} from "../../../db/queries/users";
import { DOCUMENT_TYPES, USAGE_TYPES } from "../../contract/options";
import type { OnboardingInput, ProfileInput } from "../../contract/users";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { limitFailures } from "../../lib/limit-failures";
import { RATE_RULES } from "../../lib/rate-rules";
import { newVerification, throwIfEmailTaken } from "../auth/auth.service";
import { tryDeletePendingFiles } from "../files/file-deletions";
import {
  deliverSoon,
  queueEmailChanged,
  queuePasswordChanged,
  queueVerification,
} from "../notifications/outbox";

/** Changes what is given. A new address has to be verified again. @throws AppError `email_taken` */
export async function updateProfile(deps: Dependencies, user: User, input: ProfileInput): Promise<User> {
  const { db, clock, rateLimiter } = deps;
  const { email, themePreference, languagePreference, ...rest } = input;
  const changes: UserChanges = { ...rest };
  if (themePreference) changes.themePreference = themePreference;
  if (languagePreference) changes.languagePreference = languagePreference;
  if (!email || email === user.email) return save(deps, user, changes);

  const now = clock.now();
  const { token, fields } = await newVerification(now);
  const { allowed } = await rateLimiter.hit(RATE_RULES.mailsToAddress, email);
  const mail = { userId: user.id, email, token, createdAt: now.toISOString() };
  await runBatch(db, [
    updateUser(db, user.id, { ...changes, ...fields, email }),
    ...(allowed ? [queueVerification(db, mail)] : []),
    queueEmailChanged(db, user, mail.createdAt),
  ]).catch(throwIfEmailTaken);
  deliverSoon(deps);
  return { ...user, ...changes, ...fields, email };
}

/** Keeps the answers and marks onboarding as done; what was never answered takes its default, the first choice. */
export async function completeOnboarding(
  deps: Dependencies,
  user: User,
  input: OnboardingInput,
): Promise<User> {
  return save(deps, user, {
    onboardingCompleted: true,
    usageType: input.usageType ?? user.usageType ?? USAGE_TYPES[0],
    documentType: input.documentType ?? user.documentType ?? DOCUMENT_TYPES[0],
  });
}

/**
 * Ends every session but the one it was asked from. Who sits at a foreign screen has ten guesses.
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
  await runBatch(db, [
    updateUser(db, user.id, { password }),
    deleteSessions(db, user.id, sid),
    deletePasswordResets(db, user.id),
    ...(input.revokeTokens ? [deleteApiTokens(db, user.id)] : []),
    queuePasswordChanged(db, user.id, clock.now().toISOString()),
  ]);
  deliverSoon(deps);
}

/** Removes the account, its rows and its files. */
export async function deleteAccount(deps: Dependencies, user: User): Promise<void> {
  await runBatch(deps.db, deleteUser(deps.db, user.id, deps.clock.now().toISOString()));
  await tryDeletePendingFiles(deps);
}

async function save({ db }: Dependencies, user: User, changes: UserChanges): Promise<User> {
  if (Object.keys(changes).length === 0) return user;
  const [row] = await updateUser(db, user.id, changes);
  if (!row) throw appError("unauthenticated");
  return row;
}
