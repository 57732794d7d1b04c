import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decodeAttestationObject, isoBase64URL, isoCBOR } from "@simplewebauthn/server/helpers";
import { PASSKEY_ALGORITHMS } from "../contract/options";

/** A challenge that was issued, and the site that it was issued for. */
type Expected = { challenge: string; origin: string; rpId: string };

/** A stored passkey; the key is COSE in base64url. */
type StoredKey = { credentialId: string; publicKey: string; counter: number };

const expectationsOf = ({ challenge, origin, rpId }: Expected) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: rpId,
  requireUserVerification: true,
});

/**
 * The response without its attestation, which nothing asks for: its certificates name addresses that the library would fetch
 * and read, whatever they are.
 */
function withoutAttestation(created: RegistrationResponseJSON): RegistrationResponseJSON {
  const sent = isoBase64URL.toBuffer(created.response.attestationObject);
  const none = new Map<string, string | Uint8Array | Map<string, string>>([
    ["fmt", "none"],
    ["attStmt", new Map<string, string>()],
    ["authData", decodeAttestationObject(sent).get("authData")],
  ]);
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(none));
  return { ...created, response: { ...created.response, attestationObject } };
}

/** @returns what to store of a new passkey; undefined if the response is not valid */
export async function verifyCreation(
  response: unknown,
  expected: Expected,
): Promise<(StoredKey & { backedUp: boolean }) | undefined> {
  try {
    const { registrationInfo, verified } = await verifyRegistrationResponse({
      response: withoutAttestation(response as RegistrationResponseJSON),
      ...expectationsOf(expected),
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    });
    if (!verified) return undefined;
    const { credential, credentialBackedUp } = registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: credential.publicKey.toBase64({ alphabet: "base64url", omitPadding: true }),
      counter: credential.counter,
      backedUp: credentialBackedUp,
    };
  } catch {
    return undefined;
  }
}

/**
 * @returns the new counter, and whether the passkey is backed up; undefined if the response is not valid. The counter is
 *   compared by the statement that stores it.
 */
export async function verifyUse(
  response: unknown,
  key: StoredKey,
  expected: Expected,
): Promise<{ counter: number; backedUp: boolean } | undefined> {
  try {
    const { authenticationInfo, verified } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      ...expectationsOf(expected),
      credential: {
        id: key.credentialId,
        publicKey: Uint8Array.fromBase64(key.publicKey, { alphabet: "base64url" }),
        counter: 0,
      },
    });
    if (!verified) return undefined;
    return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp };
  } catch {
    return undefined;
  }
}
