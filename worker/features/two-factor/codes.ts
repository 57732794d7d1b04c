import type { Database } from "../../../db/client";
import { countRateLimit, refundRateLimits } from "../../../db/queries/rate-limits";
import { findTotp, hasRecoveryCode, type Proof } from "../../../db/queries/second-factors";
import type { SecondFactor } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { AppError, appError } from "../../errors";
import { MINUTE_MS } from "../../lib/durations";
import { hashToken } from "../../lib/tokens";
import { findTotpStep } from "../../lib/totp";
import { SEALED_CONTEXTS } from "../../ports/crypto";

/** Wrong codes of an account, whichever factor they are for. They never end a session. */
const FAILURES = { limit: 10, ms: 15 * MINUTE_MS };

/** One of them, as typed. */
export type TypedCode = { code?: string | null | undefined; recoveryCode?: string | null | undefined };
export type CheckedCode = { factor: Exclude<SecondFactor, "passkey">; proof: Proof };

/**
 * Makes an attempt with a code. It is counted before it begins, so that concurrent attempts count as well, and refunded
 * unless it fails. Counted in the database: `RATE_LIMITS=off` must not allow six digits to be guessed.
 * @throws AppError `rate_limited`
 */
export async function countCodeFailures<T>(
  { db, clock }: Pick<Dependencies, "db" | "clock">,
  userId: number,
  attempt: () => Promise<T>,
): Promise<T> {
  const now = clock.now();
  const window = { now: now.toISOString(), resetAt: new Date(now.getTime() + FAILURES.ms).toISOString() };
  const key = `second-factor:${userId}`;
  const { count, resetAt } = await countRateLimit(db, key, window);
  if (count > FAILURES.limit) {
    const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(resetAt) - now.getTime()) / 1000));
    throw appError("rate_limited", { retryAfterSeconds });
  }
  try {
    const result = await attempt();
    await refundRateLimits(db, { [key]: 1 }, window.now);
    return result;
  } catch (error) {
    const isWrong = error instanceof AppError && error.code === "invalid_code";
    if (!isWrong) await refundRateLimits(db, { [key]: 1 }, window.now);
    throw error;
  }
}

/**
 * The code as a proof that can be claimed.
 * @throws AppError `invalid_code`
 */
export async function checkCode(
  deps: Pick<Dependencies, "db" | "clock" | "secretBox">,
  userId: number,
  { code, recoveryCode }: TypedCode,
): Promise<CheckedCode> {
  const { db } = deps;
  if (recoveryCode != null) return checkRecoveryCode(db, userId, recoveryCode);
  const app = await findTotp(db, userId);
  if (!app?.sealedSecret) throw appError("invalid_code");
  const secret = await deps.secretBox.open(app.sealedSecret, SEALED_CONTEXTS.totp(userId));
  const step = await findTotpStep(secret, digitsOf(code ?? ""), deps.clock.now());
  if (step === undefined || step <= app.lastStep) throw appError("invalid_code");
  return { factor: "totp", proof: { sealedSecret: app.sealedSecret, step } };
}

async function checkRecoveryCode(db: Database, userId: number, typed: string): Promise<CheckedCode> {
  const codeHash = await hashRecoveryCode(userId, typed);
  if (!(await hasRecoveryCode(db, userId, codeHash))) throw appError("invalid_code");
  return { factor: "recovery_code", proof: { codeHash } };
}

/** Apps show the code in two groups. */
export const digitsOf = (code: string): string => code.replace(/\s/g, "");

/** Crockford's Base32: without letters that look like digits. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
/** 80 bits: too many to be guessed from the hash, so that a stolen database contains no usable code. */
const LENGTH = 16;
const GROUP = /.{4}(?=.)/g;

export function newRecoveryCode(): string {
  const letters = Array.from(
    crypto.getRandomValues(new Uint8Array(LENGTH)),
    (byte) => ALPHABET[byte % ALPHABET.length],
  );
  return letters.join("").replace(GROUP, "$&-");
}

/** The form in which an account's codes are stored. Case, spaces and look-alikes do not matter. */
export function hashRecoveryCode(userId: number, typed: string): Promise<string> {
  const code = typed
    .toLowerCase()
    .replace(/[^0-9a-z]/g, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1");
  return hashToken(`recovery code ${userId} ${code}`);
}
