import * as z from "zod/mini";
import { entity, id, text, time } from "./fields";
import { LIMITS, SERVER_LIMITS } from "./limits";
import { MESSAGES } from "./messages";

const base64url = (max: number) => z.string().check(z.maxLength(max, { abort: true }), z.regex(/^[\w-]+$/));

/** What a browser's credential is as `toJSON()`; unknown fields are dropped. */
const credential = {
  id: base64url(SERVER_LIMITS.credentialId),
  rawId: base64url(SERVER_LIMITS.credentialId),
  type: z.literal("public-key"),
};

/** The response of `navigator.credentials.get()`. */
export const passkeyUse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(SERVER_LIMITS.passkeyPart),
    authenticatorData: base64url(SERVER_LIMITS.passkeyPart),
    signature: base64url(SERVER_LIMITS.passkeyPart),
  }),
});
export type PasskeyUse = z.output<typeof passkeyUse>;

/** The response of `navigator.credentials.create()`. */
const passkeyCreation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(SERVER_LIMITS.passkeyPart),
    attestationObject: base64url(SERVER_LIMITS.passkeyPart),
    transports: z.optional(
      z
        .array(z.string().check(z.maxLength(SERVER_LIMITS.transport)))
        .check(z.maxLength(SERVER_LIMITS.transports)),
    ),
  }),
});

const name = text(LIMITS.passkeyName).check(z.minLength(1, MESSAGES.nameRequired));

export const newPasskeyInput = z.object({ name, response: passkeyCreation });
export type NewPasskeyInput = z.output<typeof newPasskeyInput>;
export const renamePasskeyInput = z.object({ name });

export const passkeyResponse = entity("Passkey", {
  id,
  name: z.string(),
  createdAt: time,
  lastUsedAt: z.nullable(time),
  backedUp: z
    .boolean()
    .check(z.describe("Whether its provider keeps a copy, so that it outlives the device")),
});

const descriptor = z.object({
  id: z.string(),
  type: z.literal("public-key"),
  transports: z.array(z.string()),
});

/** `PublicKeyCredentialCreationOptionsJSON`. */
export const passkeyCreationOptions = entity("PasskeyCreationOptions", {
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.int() })),
  timeout: z.int().check(z.describe("In milliseconds")),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal("required"),
    requireResidentKey: z.literal(true),
    userVerification: z.literal("required"),
  }),
  attestation: z.literal("none"),
});
export type PasskeyCreationOptions = z.output<typeof passkeyCreationOptions>;

/** `PublicKeyCredentialRequestOptionsJSON`. */
export const passkeyRequestOptions = entity("PasskeyRequestOptions", {
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int().check(z.describe("In milliseconds")),
  userVerification: z.literal("required"),
});
