import {
  claimProof,
  countStepTry,
  deleteChallenge,
  findSecondStep,
  ownerByProof,
  ownerBySecondStep,
} from "../../db/queries/second-factors";
import type { User } from "../../db/queries/users";
import type { SecondFactorInput } from "../contract/two-factor";
import { AppError, appError } from "../errors";
import { recordFailedSignIn } from "../features/auth/auth.service";
import { deliverSoon, queueFactorChanged } from "../features/notifications/outbox";
import { checkCode, countCodeFailures } from "../features/two-factor/check-code";
import { hashToken } from "../lib/tokens";
import { type AppContext, endCurrentSession } from "./session";
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
  const step = await findSecondStep(db, tokenHash, now);
  if (!step) throw appError("challenge_ended");
  const { user, method } = step;
  await countCodeFailures(deps, user.id, async () => {
    if (!(await countStepTry(db, tokenHash, now))) throw appError("challenge_ended");
    const { factor, proof } = await checkCode(deps, user.id, input);
    const usedCode = { kind: "recovery_code_used", factor, createdAt: now } as const;
    await startSession(c, {
      user,
      userId: ownerByProof(user.id, proof, ownerBySecondStep(db, tokenHash, now)),
      // Somebody else has used the code or the challenge since, or the account has changed.
      errorCode: "challenge_ended",
      method,
      secondFactor: { factor, remember: input.remember ?? false },
      statements: [
        ...(await endCurrentSession(c)),
        ...(factor === "recovery_code" ? [queueFactorChanged(db, user.id, usedCode)] : []),
        claimProof(db, user.id, proof, now),
        deleteChallenge(db, tokenHash),
      ],
    });
    if (factor === "recovery_code") deliverSoon(deps);
  }).catch((error: unknown) => {
    const isWrong = error instanceof AppError && error.code === "invalid_code";
    const secondFactor = input.recoveryCode == null ? "totp" : "recovery_code";
    if (isWrong) recordFailedSignIn(deps, user.id, { method, secondFactor }, signInClient(c));
    throw error;
  });
  return user;
}
