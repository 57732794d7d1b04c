import { isUnchanged } from "../../../db/queries/account-guards";
import { isAccountMissing } from "../../../db/queries/notifications";
import {
  arePasskeysFull,
  claimPasskeyChallenge,
  deletePasskey,
  findPasskey,
  hasSparePasskey,
  insertPasskey,
  insertPasskeyChallenge,
  isPasskeyKnown,
  listPasskeys,
  type Passkey,
  renamePasskey,
  requirePasskeyHandle,
  updatePasskeyUse,
} from "../../../db/queries/passkeys";
import type { User } from "../../../db/queries/users";
import { fieldsOf } from "../../contract/fields";
import { LIMITS } from "../../contract/limits";
import { PASSKEY_ALGORITHMS } from "../../contract/options";
import {
  type NewPasskeyInput,
  type PasskeyCreationOptions,
  type PasskeyUse,
  passkeyResponse,
} from "../../contract/passkeys";
import { PRODUCT_NAME } from "../../contract/product";
import type { Dependencies } from "../../dependencies";
import { appError, required } from "../../errors";
import { MINUTE_MS } from "../../lib/durations";
import { hashToken, randomToken } from "../../lib/tokens";
import { enabledSignIn } from "../sign-in-policy/sign-in-policy";
import { changeFactors, type FactorOwner } from "../two-factor/two-factor.service";

const CHALLENGE_MS = 5 * MINUTE_MS;

/** The site that passkeys are for. A new host makes them void. */
function site({ config }: Dependencies) {
  const { origin, hostname } = new URL(config.publicUrl);
  return { origin, rpId: hostname };
}

/** Loaded when it is needed, because few calls need it. */
const loadWebAuthn = () => import("../../lib/webauthn");

/** A passkey as its owner sees it. */
export const passkeyView = (passkey: Passkey) => fieldsOf(passkeyResponse, passkey);

/** Stores a new challenge, as a hash. @returns it */
async function newChallenge(
  { db, clock }: Dependencies,
  creator?: { userId: number; sid: string },
): Promise<string> {
  const now = clock.now();
  const challenge = randomToken();
  await insertPasskeyChallenge(db, {
    tokenHash: await hashToken(challenge),
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + CHALLENGE_MS).toISOString(),
    ...(creator && { creator }),
  });
  return challenge;
}

/**
 * Claims the challenge that the response signs: whatever the response is worth, it cannot be used again.
 * @throws AppError `challenge_ended`
 */
async function claimChallenge(
  { db, clock }: Dependencies,
  clientDataJSON: string,
  creator?: { userId: number; sid: string },
): Promise<string> {
  const challenge = challengeOf(clientDataJSON);
  const now = clock.now().toISOString();
  if (!challenge || !(await claimPasskeyChallenge(db, await hashToken(challenge), now, creator)))
    throw appError("challenge_ended");
  return challenge;
}

function challengeOf(clientDataJSON: string): string | undefined {
  try {
    const bytes = Uint8Array.fromBase64(clientDataJSON, { alphabet: "base64url" });
    const { challenge } = JSON.parse(new TextDecoder().decode(bytes));
    return typeof challenge === "string" ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/** What a browser needs to use a passkey. It names no account: the passkey does. */
export async function beginPasskeyUse(deps: Dependencies) {
  return {
    challenge: await newChallenge(deps),
    rpId: site(deps).rpId,
    timeout: CHALLENGE_MS,
    userVerification: "required" as const,
  };
}

/** What a browser needs to create a passkey. The account's other passkeys are excluded. */
export async function beginPasskeyCreation(
  deps: Dependencies,
  { user, sid }: FactorOwner,
): Promise<PasskeyCreationOptions> {
  const { db } = deps;
  const { id: userId, email, firstName, lastName } = user;
  const [handle, existing] = await Promise.all([
    requirePasskeyHandle(db, userId, randomToken()),
    listPasskeys(db, userId),
  ]);
  if (existing.length >= LIMITS.passkeysPerAccount) throw tooManyPasskeys();
  return {
    rp: { id: site(deps).rpId, name: PRODUCT_NAME },
    user: {
      id: handle,
      name: email,
      displayName: [firstName, lastName].filter(Boolean).join(" ") || email,
    },
    challenge: await newChallenge(deps, { userId, sid }),
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: CHALLENGE_MS,
    excludeCredentials: existing.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: "public-key",
      transports,
    })),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    attestation: "none",
  };
}

/**
 * Stores the passkey that a browser has created.
 * @throws AppError `challenge_ended`, `invalid_passkey`, `passkey_exists`, `account_full`, `unauthenticated`
 */
export async function createPasskey(
  deps: Dependencies,
  creator: FactorOwner,
  { name, response }: NewPasskeyInput,
): Promise<Passkey> {
  const { db, clock } = deps;
  const { user, sid } = creator;
  const { clientDataJSON, transports = [] } = response.response;
  const challenge = await claimChallenge(deps, clientDataJSON, { userId: user.id, sid });
  const { verifyCreation } = await loadWebAuthn();
  const created = await required(verifyCreation(response, { challenge, ...site(deps) }), "invalid_passkey");
  const createdAt = clock.now().toISOString();
  const row = { ...created, transports, name, rpId: site(deps).rpId, createdAt, lastUsedAt: null };
  await changeFactors(deps, creator, {
    action: "factor_added",
    factor: "passkey",
    unchanged: isUnchanged(db, user.id, { sid }),
    at: createdAt,
    statements: [insertPasskey(db, { ...row, userId: user.id })],
  }).catch((error: unknown) => {
    if (isPasskeyKnown(error)) throw appError("passkey_exists");
    if (isAccountMissing(error)) throw appError("unauthenticated");
    throw arePasskeysFull(error) ? tooManyPasskeys() : error;
  });
  const stored = await findPasskey(db, created.credentialId);
  if (stored?.user.id !== user.id) throw appError("unauthenticated");
  return stored.passkey;
}

const tooManyPasskeys = () => appError("account_full", { params: { max: LIMITS.passkeysPerAccount } });

/** @throws AppError `not_found` */
export const changePasskeyName = ({ db }: Dependencies, userId: number, id: number, name: string) =>
  required(renamePasskey(db, userId, id, name), "not_found");

/** A passkey that was found valid: its account, and the credential. */
export type UsedPasskey = { user: User; credentialId: string };

/**
 * Verifies the use of a passkey, and claims its challenge. The account is that of the credential, never the one that the
 * unsigned user handle names. A counter that has gone back may be that of a copied key: it is refused.
 * @param onRejected what to do for the account whose passkey was rejected, such as recording it
 * @throws AppError `challenge_ended`, `invalid_passkey`
 */
export async function verifyPasskey(
  deps: Dependencies,
  response: PasskeyUse,
  onRejected: (user: User) => void = () => undefined,
): Promise<UsedPasskey> {
  const { db, clock, log } = deps;
  const challenge = await claimChallenge(deps, response.response.clientDataJSON);
  const found = await required(findPasskey(db, response.id), "invalid_passkey");
  const { passkey, user } = found;
  const { verifyUse } = await loadWebAuthn();
  const { origin, rpId } = site(deps);
  const used = await verifyUse(response, passkey, { challenge, origin, rpId });
  const at = clock.now().toISOString();
  if (!used || !(await updatePasskeyUse(db, user.id, passkey.id, { ...used, at }))) {
    if (used) log.warn("passkey refused: its counter went back", { userId: user.id, passkeyId: passkey.id });
    onRejected(user);
    throw appError("invalid_passkey");
  }
  return { user, credentialId: passkey.credentialId };
}

/**
 * Removes a passkey.
 * @throws AppError `not_found`, `last_sign_in` if it is the only way to sign in, `unauthenticated`
 */
export async function removePasskey(deps: Dependencies, owner: FactorOwner, id: number): Promise<void> {
  const { db, clock, config } = deps;
  const { user, sid } = owner;
  const isSpare = hasSparePasskey(db, user.id, { id, ways: enabledSignIn(config) });
  await changeFactors(deps, owner, {
    action: "factor_removed",
    factor: "passkey",
    unchanged: isUnchanged(db, user.id, { sid }, isSpare),
    at: clock.now().toISOString(),
    statements: [deletePasskey(db, user.id, id)],
  }).catch(async (error: unknown) => {
    if (!isAccountMissing(error)) throw error;
    const exists = (await listPasskeys(db, user.id)).some((passkey) => passkey.id === id);
    throw appError(exists ? "last_sign_in" : "not_found");
  });
}
