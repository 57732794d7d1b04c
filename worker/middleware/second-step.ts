import type { Statement } from "../../db/client";
import { all, type Condition } from "../../db/queries/guard";
import { hasPasskey } from "../../db/queries/passkeys";
import {
  claimProof,
  countStepTry,
  deleteChallenge,
  findSecondStep,
  isOpenStep,
  isUnused,
} from "../../db/queries/second-factors";
import type { User } from "../../db/queries/users";
import type { SecondFactorInput } from "../contract/auth";
import type { SecondFactor } from "../contract/options";
import { AppError, appError, required } from "../errors";
import { recordFailedSignIn } from "../features/auth/auth.service";
import { verifyPasskey } from "../features/auth/passkeys.service";
import { deliverSoon, queueAccountMail } from "../features/notifications/outbox";
import { checkCode, countCodeFailures } from "../features/two-factor/codes";
import { hashToken } from "../lib/tokens";
import type { AppContext } from "./api-token";
import { endCurrentSession } from "./session";
import { signInClient, startSession } from "./start-session";

/**
 * The second step of a sign-in: begins the session that the first one was refused.
 * @throws AppError `challenge_ended`, `invalid_code`, `rate_limited`
 */
export async function finishSecondStep(c: AppContext, input: SecondFactorInput): Promise<User> {
  const { deps } = c.var;
  const { db, clock } = deps;
  const now = clock.now().toISOString();
  const tokenHash = await hashToken(input.challenge);
  const step = await required(findSecondStep(db, tokenHash, now), "challenge_ended");
  const { user, method } = step;
  await countCodeFailures(deps, user.id, async () => {
    if (!(await countStepTry(db, tokenHash, now))) throw appError("challenge_ended");
    const { factor, isValid, statements } = await checkFactor(c, user, input, now);
    const usedCode = { userId: user.id, createdAt: now, payload: { factor } };
    await startSession(c, {
      user,
      unchanged: all(isOpenStep(db, user.id, tokenHash, now), isValid),
      // The code or the challenge was used since, or the account has changed.
      errorCode: "challenge_ended",
      method,
      secondFactor: { factor, remember: input.remember ?? false },
      statements: [
        ...(await endCurrentSession(c)),
        ...(factor === "recovery_code" ? [queueAccountMail(db, "recovery_code_used", usedCode)] : []),
        ...statements,
        deleteChallenge(db, tokenHash),
      ],
    }).catch(async (error: unknown) => {
      const hasEnded = error instanceof AppError && error.code === "challenge_ended";
      // Otherwise only the code was used, by another sign-in.
      throw hasEnded && (await findSecondStep(db, tokenHash, now)) ? appError("invalid_code") : error;
    });
    if (factor === "recovery_code") deliverSoon(deps);
  }).catch((error: unknown) => {
    const isWrong = error instanceof AppError && error.code === "invalid_code";
    const secondFactor = usedFactor(input);
    if (isWrong) recordFailedSignIn(deps, user.id, { method, secondFactor }, signInClient(c));
    throw error;
  });
  return user;
}

const usedFactor = ({ passkey, recoveryCode }: SecondFactorInput): SecondFactor =>
  passkey != null ? "passkey" : recoveryCode != null ? "recovery_code" : "totp";

type CheckedFactor = {
  factor: SecondFactor;
  isValid: Condition;
  /** Claim the factor. */
  statements: Statement[];
};

/** @throws AppError `invalid_code`, for a passkey too; `challenge_ended` if the passkey's has */
async function checkFactor(
  c: AppContext,
  user: User,
  input: SecondFactorInput,
  now: string,
): Promise<CheckedFactor> {
  const { deps } = c.var;
  if (input.passkey == null) {
    const { factor, proof } = await checkCode(deps, user.id, input);
    return {
      factor,
      isValid: isUnused(user.id, proof),
      statements: [claimProof(deps.db, user.id, proof, now)],
    };
  }
  const used = await verifyPasskey(deps, input.passkey).catch((error: unknown) => {
    throw error instanceof AppError && error.code === "invalid_passkey" ? appError("invalid_code") : error;
  });
  if (used.user.id !== user.id) throw appError("invalid_code");
  return {
    factor: "passkey",
    isValid: hasPasskey(user.id, used.credentialId),
    statements: [],
  };
}
