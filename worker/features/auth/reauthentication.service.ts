import { runBatch } from "../../../db/client";
import { isUnchanged } from "../../../db/queries/account-guards";
import {
  claimConfirmationCode,
  countConfirmationTry,
  insertConfirmationCode,
} from "../../../db/queries/confirmation-codes";
import { isAccountMissing } from "../../../db/queries/notifications";
import { findSecondFactors } from "../../../db/queries/second-factors";
import { updateAuthentication } from "../../../db/queries/sessions";
import type { User } from "../../../db/queries/users";
import type { UsedSession } from "../../app-env";
import type { ReauthenticateInput } from "../../contract/auth";
import { type ConfirmationMethod, RECENT_MINUTES } from "../../contract/options";
import type { PasskeyUse } from "../../contract/passkeys";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs } from "../../errors";
import { MINUTE_MS } from "../../lib/durations";
import { hashToken, randomDigits } from "../../lib/tokens";
import { deliverSoon, queueAccountMail } from "../notifications/outbox";
import { limitFailures, RATE_RULES, requireAllowed } from "../rate-limits/rate-rules";
import { requirePasswordSignIn } from "../sign-in-policy/sign-in-policy";
import { availableFactors, requireCode } from "../two-factor/two-factor.service";
import { verifyPasskey } from "./passkeys.service";

const RECENT_MS = RECENT_MINUTES * MINUTE_MS;
const CODE_DIGITS = 6;
const CODE_TRIES = 5;

/** Who confirms that it is them: the session and its secret. */
type Confirming = { sid: string; token: string };

/**
 * Requires that the session's user signed in, or confirmed that it is them, recently.
 * @param graceMs how long ago the call may have begun that this one finishes
 * @throws AppError `reauthentication_required` with the methods that confirm it
 */
export async function requireRecent(
  deps: Dependencies,
  session: UsedSession & { user: User },
  graceMs = 0,
): Promise<void> {
  // In the future, if the clock was ahead then.
  const age = Math.abs(deps.clock.now().getTime() - Date.parse(session.authenticatedAt));
  if (age < RECENT_MS + graceMs) return;
  throw appError("reauthentication_required", { methods: await confirmationMethods(deps, session.user) });
}

/** How the user can confirm that it is them. */
async function confirmationMethods(
  { db, clock, config }: Dependencies,
  user: User,
): Promise<ConfirmationMethod[]> {
  const factors = await findSecondFactors(db, user.id, clock.now().toISOString());
  const methods: ConfirmationMethod[] = availableFactors(factors);
  if (user.password !== "" && config.allowsPasswords) methods.push("password");
  return methods.length > 0 ? methods : ["mail"];
}

/**
 * Confirms, for the next ten minutes of this session, that it is still the account's owner who uses it.
 * @throws AppError `wrong_password`, `invalid_code`, `challenge_ended`, `rate_limited`
 */
export async function reauthenticate(
  deps: Dependencies,
  user: User,
  confirming: Confirming,
  { password, passkey, code, recoveryCode }: ReauthenticateInput,
): Promise<void> {
  if (passkey != null) await requirePasskey(deps, user, passkey);
  else if (password != null) await requirePassword(deps, user, confirming, password);
  else if (recoveryCode != null || (await hasTotp(deps, user)))
    await requireCode(deps, user, { code, recoveryCode });
  else await requireMailedCode(deps, user, confirming, code ?? "");
  const unchanged = isUnchanged(deps.db, user.id, { password: user.password, email: user.email });
  const confirmed = { userId: user.id, sid: confirming.sid, at: deps.clock.now().toISOString() };
  if (!(await updateAuthentication(deps.db, confirmed, unchanged))) throw appError("unauthenticated");
}

/** Whether a code is one of an authenticator app. */
async function hasTotp(deps: Dependencies, user: User): Promise<boolean> {
  return (await confirmationMethods(deps, user)).includes("totp");
}

async function requirePasskey(deps: Dependencies, { id }: User, response: PasskeyUse): Promise<void> {
  const { user } = await verifyPasskey(deps, response);
  if (user.id !== id) throw appError("invalid_passkey");
}

async function requirePassword(
  { config, passwordHasher, rateLimiter }: Dependencies,
  user: User,
  { sid }: Confirming,
  password: string,
): Promise<void> {
  requirePasswordSignIn(config);
  const counted = [{ rule: RATE_RULES.wrongPasswords, subject: `${user.id} ${sid}` }];
  const matches = await passwordHasher.inTurn(["known", user.email], () =>
    limitFailures(rateLimiter, counted, async () =>
      (await passwordHasher.verify(password, user.password)) ? true : null,
    ),
  );
  if (!matches) throw appError("wrong_password");
}

/**
 * Mails a code to who has no other way to confirm that it is them. The hash of the session's secret makes the stored
 * hash of the code worthless without the cookie: there are only a million codes.
 * @throws AppError `other_method`, `rate_limited`
 */
export async function mailConfirmationCode(
  deps: Dependencies,
  user: User,
  { sid, token }: Confirming,
): Promise<void> {
  const { db, clock, rateLimiter } = deps;
  const methods = await confirmationMethods(deps, user);
  if (!methods.includes("mail")) throw appError("other_method");
  requireAllowed(await rateLimiter.hit(RATE_RULES.confirmationMails, String(user.id)));
  const now = clock.now();
  const createdAt = now.toISOString();
  const code = randomDigits(CODE_DIGITS);
  const userId = user.id;
  const unchanged = isUnchanged(db, userId, { password: user.password, email: user.email, sid });
  await runBatch(db, [
    queueAccountMail(db, "confirmation_code", { userId, unchanged, createdAt, payload: { code } }),
    insertConfirmationCode(db, {
      userId,
      sid,
      createdAt,
      tokenHash: await challengeHash(token),
      codeHash: await codeHash(token, code),
      expiresAt: new Date(now.getTime() + RECENT_MS).toISOString(),
    }),
  ]).catch(rejectedAs(isAccountMissing, "unauthenticated"));
  deliverSoon(deps);
}

async function requireMailedCode(
  { db, clock }: Dependencies,
  user: User,
  { token }: Confirming,
  code: string,
): Promise<void> {
  const tokenHash = await challengeHash(token);
  const tries = { now: clock.now().toISOString(), max: CODE_TRIES };
  const expected = await countConfirmationTry(db, user.id, tokenHash, tries);
  if (expected === undefined) throw appError("challenge_ended");
  if ((await codeHash(token, code.replace(/\s/g, ""))) !== expected) throw appError("invalid_code");
  if (!(await claimConfirmationCode(db, user.id, tokenHash, expected))) throw appError("challenge_ended");
}

const challengeHash = (token: string) => hashToken(`confirmation ${token}`);
const codeHash = (token: string, code: string) => hashToken(`confirmation ${token} ${code}`);
