import { runBatch, type Statement } from "../../../db/client";
import { isUnchanged } from "../../../db/queries/account-guards";
import { insertAuditEntry, isActorRejected } from "../../../db/queries/audit-log";
import type { Condition } from "../../../db/queries/guard";
import { isAccountMissing } from "../../../db/queries/notifications";
import {
  claimProof,
  confirmTotp,
  deleteTotp,
  findSecondFactors,
  findTotp,
  hasTotp,
  insertPendingTotp,
  isPendingTotp,
  isSetUpOutdated,
  isUnused,
  replaceRecoveryCodes,
  type SecondFactors,
} from "../../../db/queries/second-factors";
import type { User } from "../../../db/queries/users";
import type { AuditAction } from "../../contract/audit-actions";
import { RECOVERY_CODES, SECOND_FACTORS, type SecondFactor } from "../../contract/options";
import { PRODUCT_NAME } from "../../contract/product";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs } from "../../errors";
import { HOUR_MS } from "../../lib/durations";
import { findTotpStep, newTotpSecret, totpUri } from "../../lib/totp";
import { SEALED_CONTEXTS } from "../../ports/crypto";
import { deliverSoon, queueAccountMail } from "../notifications/outbox";
import { limitChanges } from "../rate-limits/rate-rules";
import { demandsSecondFactor, isProviderDemanded } from "../sign-in-policy/sign-in-policy";
import {
  checkCode,
  countCodeFailures,
  digitsOf,
  hashRecoveryCode,
  newRecoveryCode,
  type TypedCode,
} from "./codes";

/** How long a new secret waits for its first code. */
const SET_UP_MS = HOUR_MS;

/** The second factors that the account can use. */
export function availableFactors({ totp, recoveryCodesLeft, passkeys }: SecondFactors): SecondFactor[] {
  const available = { totp, recovery_code: totp && recoveryCodesLeft > 0, passkey: passkeys > 0 };
  return SECOND_FACTORS.filter((factor) => available[factor]);
}

/**
 * The second factors of which the account's password needs one; empty if the password is enough. A passkey alone makes
 * signing in with the password no harder, unless the operator demands a second factor.
 */
export const requiredFactors = (factors: SecondFactors, isDemanded: boolean): SecondFactor[] =>
  factors.totp || isDemanded ? availableFactors(factors) : [];

/** Whether access to the mailbox of the account must not be enough to sign in: a second factor is asked for. */
export async function hasAskedFactor(deps: Dependencies, user: User): Promise<boolean> {
  const factors = await findSecondFactors(deps.db, user.id, deps.clock.now().toISOString());
  const required = requiredFactors(factors, demandsSecondFactor(deps.config, user));
  return required.length > 0 || (await isProviderDemanded(deps, user));
}

export async function readTwoFactor({ db, clock, config }: Dependencies, user: User) {
  const factors = await findSecondFactors(db, user.id, clock.now().toISOString());
  return { ...factors, required: demandsSecondFactor(config, user) };
}

/**
 * A new secret for an authenticator app, which replaces the account's once a code of it confirms that the app has it.
 * @throws AppError `unauthenticated`
 */
export async function beginTotp(deps: Dependencies, { user, sid }: Omit<FactorOwner, "address">) {
  const { db, clock, secretBox } = deps;
  const secret = newTotpSecret();
  const pendingSecret = await secretBox.seal(secret, SEALED_CONTEXTS.totp(user.id));
  const pendingExpiresAt = new Date(clock.now().getTime() + SET_UP_MS).toISOString();
  const pending = { userId: user.id, pendingSecret, pendingExpiresAt };
  await runBatch(db, [insertPendingTotp(db, pending, isUnchanged(db, user.id, { sid }))]).catch(
    rejectedAs(isSetUpOutdated, "unauthenticated"),
  );
  return { secret, uri: totpUri(secret, { issuer: PRODUCT_NAME, account: user.email }) };
}

/**
 * Activates the authenticator app by its first code, which cannot be used again.
 * @returns the account's new recovery codes
 * @throws AppError `set_up_expired`, `invalid_code`, `rate_limited`
 */
export function activateTotp(deps: Dependencies, owner: FactorOwner, typed: string): Promise<string[]> {
  const { db, clock, secretBox } = deps;
  const { user } = owner;
  return countCodeFailures(deps, user.id, async () => {
    const now = clock.now();
    const app = await findTotp(db, user.id);
    const at = now.toISOString();
    if (!app?.pendingSecret || (app.pendingExpiresAt ?? "") <= at) throw appError("set_up_expired");
    const { pendingSecret } = app;
    const secret = await secretBox.open(pendingSecret, SEALED_CONTEXTS.totp(user.id));
    const step = await findTotpStep(secret, digitsOf(typed), now);
    if (step === undefined) throw appError("invalid_code");
    const codes = await newRecoveryCodes(user.id);
    await changeFactors(deps, owner, {
      action: "factor_added",
      factor: "totp",
      unchanged: isUnchanged(
        db,
        user.id,
        { sid: owner.sid },
        isPendingTotp(user.id, { pendingSecret, now: at }),
      ),
      at,
      statements: [
        confirmTotp(db, user.id, { confirmedAt: at, lastStep: step }),
        ...replaceRecoveryCodes(db, user.id, { codeHashes: codes.hashes, createdAt: at }),
      ],
    }).catch(rejectedAs(isAccountMissing, "set_up_expired"));
    return codes.codes;
  });
}

/** Removes the authenticator app with its recovery codes. Does nothing if there is none. */
export async function removeTotp(deps: Dependencies, owner: FactorOwner): Promise<void> {
  const { db, clock } = deps;
  const { user, sid } = owner;
  await changeFactors(deps, owner, {
    action: "factor_removed",
    factor: "totp",
    unchanged: isUnchanged(db, user.id, { sid }, hasTotp(user.id)),
    at: clock.now().toISOString(),
    statements: deleteTotp(db, user.id),
  }).catch((error: unknown) => {
    if (!isAccountMissing(error)) throw error;
  });
}

/**
 * Ten new recovery codes; the earlier ones are void.
 * @throws AppError `totp_missing`
 */
export async function renewRecoveryCodes(deps: Dependencies, owner: FactorOwner): Promise<string[]> {
  const { db, clock } = deps;
  const { user, sid } = owner;
  const at = clock.now().toISOString();
  const codes = await newRecoveryCodes(user.id);
  await changeFactors(deps, owner, {
    action: "recovery_codes_renewed",
    factor: "totp",
    unchanged: isUnchanged(db, user.id, { sid }, hasTotp(user.id)),
    at,
    statements: replaceRecoveryCodes(db, user.id, { codeHashes: codes.hashes, createdAt: at }),
  }).catch(rejectedAs(isAccountMissing, "totp_missing"));
  return codes.codes;
}

/**
 * Claims a code of somebody who is signed in: it cannot be used again.
 * @throws AppError `invalid_code`, `rate_limited`
 */
export function requireCode(deps: Dependencies, user: User, typed: TypedCode): Promise<void> {
  const { db, clock } = deps;
  return countCodeFailures(deps, user.id, async () => {
    const { factor, proof } = await checkCode(deps, user.id, typed);
    const at = clock.now().toISOString();
    const claim = claimProof(db, user.id, proof, at);
    if (factor === "totp") {
      if ((await claim).length === 0) throw appError("invalid_code");
      return;
    }
    const unchanged = isUnchanged(db, user.id, {}, isUnused(user.id, proof));
    const mail = { userId: user.id, unchanged, createdAt: at, payload: { factor } };
    await runBatch(db, [queueAccountMail(db, "recovery_code_used", mail), claim]).catch(
      rejectedAs(isAccountMissing, "invalid_code"),
    );
    deliverSoon(deps);
  });
}

async function newRecoveryCodes(userId: number) {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  return { codes, hashes: await Promise.all(codes.map((code) => hashRecoveryCode(userId, code))) };
}

/** Who changes the factors: the account by one of its sessions. */
export type FactorOwner = { user: User; sid: string; address: string };

type FactorChange = {
  action: Extract<AuditAction, "factor_added" | "factor_removed" | "recovery_codes_renewed">;
  factor: Exclude<SecondFactor, "recovery_code">;
  /** Whether the account and its factors are as they were. */
  unchanged: Condition;
  at: string;
  statements: Statement[];
};

/**
 * Runs the change with its mail and its entry in the audit log, whose number for an account is limited with the changes.
 * @throws AppError `unauthenticated`, `rate_limited`
 */
export async function changeFactors(
  deps: Dependencies,
  { user, sid, address }: FactorOwner,
  { action, factor, unchanged, at, statements }: FactorChange,
): Promise<void> {
  const { db, rateLimiter } = deps;
  await limitChanges(rateLimiter, user, () =>
    runBatch(db, [
      queueAccountMail(db, action, { userId: user.id, unchanged, createdAt: at, payload: { factor } }),
      insertAuditEntry(
        db,
        { kind: "account", user, sid, address },
        { action, subject: { userId: user.id }, detail: { factor }, createdAt: at },
      ),
      ...statements,
    ]).catch(rejectedAs(isActorRejected, "unauthenticated")),
  );
  deliverSoon(deps);
}
