import { expect } from "bun:test";
import { TEST_START } from "../runtime/runtime";
import type { Api, ApiResponse, Client } from "./client";

/** A passkey in software: ES256, made by WebCrypto. It does what it is told, also what a browser would not do. */
export type SoftwarePasskey = {
  credentialId: string;
  /** The response of `navigator.credentials.create()`, as `toJSON()` gives it. */
  created: object;
  /** That of `navigator.credentials.get()`. */
  use(challenge: string, how?: Use): Promise<object>;
};

type Use = {
  origin?: string;
  rpId?: string;
  type?: string;
  counter?: number;
  /** Whether the user was verified, not only present. */
  verified?: boolean;
  credentialId?: string;
  userHandle?: string;
  /** Whether it attests its model, with a certificate that is none. */
  attested?: boolean;
};

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

const base64url = (bytes: Uint8Array) => bytes.toBase64({ alphabet: "base64url", omitPadding: true });
const utf8 = (text: string) => new TextEncoder().encode(text);
const sha256 = async (bytes: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
const concat = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

function number(value: number, bytes: number): Uint8Array {
  const view = Buffer.alloc(bytes);
  view.writeUIntBE(value, 0, bytes);
  return new Uint8Array(view);
}

/** CBOR: what a key and an attestation need. */
const cborText = (text: string) => concat(number(0x60 + text.length, 1), utf8(text));
const cborBytes = (bytes: Uint8Array) =>
  concat(
    bytes.length < 256
      ? concat(number(0x58, 1), number(bytes.length, 1))
      : concat(number(0x59, 1), number(bytes.length, 2)),
    bytes,
  );

/** {alg: -7 (ES256), sig, x5c: [certificate]} */
const ATTESTATION = concat(
  ...[new Uint8Array([0xa3]), cborText("alg"), new Uint8Array([0x26])],
  ...[cborText("sig"), cborBytes(new Uint8Array(64))],
  ...[cborText("x5c"), new Uint8Array([0x81]), cborBytes(new Uint8Array(300))],
);

/** The public key as COSE. */
function coseKey(x: Uint8Array, y: Uint8Array): Uint8Array {
  // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
  return concat(
    new Uint8Array([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(x),
    new Uint8Array([0x22]),
    cborBytes(y),
  );
}

/** WebCrypto's signature, r and s, as WebAuthn has it: in DER. */
function der(signature: Uint8Array): Uint8Array {
  const integer = (bytes: Uint8Array) => {
    let start = 0;
    while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
    const digits = bytes.slice(start);
    const padded = (digits[0] ?? 0) >= 0x80 ? concat(new Uint8Array([0]), digits) : digits;
    return concat(new Uint8Array([0x02, padded.length]), padded);
  };
  const body = concat(integer(signature.slice(0, 32)), integer(signature.slice(32)));
  return concat(new Uint8Array([0x30, body.length]), body);
}

async function clientData(type: string, challenge: string, origin: string) {
  return utf8(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

/** Creates a passkey for the site of `origin`, as an answer to the challenge. */
export async function softwarePasskey(
  challenge: string,
  origin: string,
  { verified = true, rpId = new URL(origin).hostname, type = "webauthn.create", attested = false }: Use = {},
): Promise<SoftwarePasskey> {
  const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const jwk = await crypto.subtle.exportKey("jwk", keys.publicKey);
  const coordinate = (value = "") => Uint8Array.fromBase64(value, { alphabet: "base64url" });
  const id = crypto.getRandomValues(new Uint8Array(32));
  const credentialId = base64url(id);
  const authenticatorData = concat(
    await sha256(utf8(rpId)),
    number(PRESENT + (verified ? VERIFIED : 0) + HAS_KEY, 1),
    number(0, 4),
    new Uint8Array(16),
    number(id.length, 2),
    id,
    coseKey(coordinate(jwk.x), coordinate(jwk.y)),
  );
  const attestationObject = concat(
    new Uint8Array([0xa3]),
    cborText("fmt"),
    cborText(attested ? "android-key" : "none"),
    cborText("attStmt"),
    attested ? ATTESTATION : new Uint8Array([0xa0]),
    cborText("authData"),
    cborBytes(authenticatorData),
  );
  return {
    credentialId,
    created: {
      id: credentialId,
      rawId: credentialId,
      type: "public-key",
      response: {
        clientDataJSON: base64url(await clientData(type, challenge, origin)),
        attestationObject: base64url(attestationObject),
        transports: ["internal"],
      },
      clientExtensionResults: {},
    },
    async use(asked, how = {}) {
      const data = concat(
        await sha256(utf8(how.rpId ?? rpId)),
        number(PRESENT + ((how.verified ?? true) ? VERIFIED : 0), 1),
        number(how.counter ?? 0, 4),
      );
      const client = await clientData(how.type ?? "webauthn.get", asked, how.origin ?? origin);
      const signed = concat(data, await sha256(client));
      const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, keys.privateKey, signed);
      const usedId = how.credentialId ?? credentialId;
      return {
        id: usedId,
        rawId: usedId,
        type: "public-key",
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(der(new Uint8Array(signature))),
          ...(how.userHandle && { userHandle: how.userHandle }),
        },
        clientExtensionResults: {},
      };
    },
  };
}

/** Adds a passkey to the account of the client, and keeps it. */
export async function addPasskey(
  client: Client,
  origin: string,
  name = "Phone",
): Promise<SoftwarePasskey & { id: number }> {
  const { challenge } = (await client.post("/api/passkeys/options")).body;
  const passkey = await softwarePasskey(challenge, origin);
  const { status, body } = await client.post("/api/passkeys", { name, response: passkey.created });
  expect(status).toBe(201);
  return { ...passkey, id: body.id };
}

/** The response of the passkey to a new challenge. */
export async function passkeyResponse(
  client: Client,
  passkey: SoftwarePasskey,
  how?: Parameters<SoftwarePasskey["use"]>[1],
): Promise<object> {
  const { challenge } = (await client.post("/api/login/passkey/options", {})).body;
  return passkey.use(challenge, how);
}

export async function signInByPasskey(
  client: Client,
  passkey: SoftwarePasskey,
  how?: Parameters<SoftwarePasskey["use"]>[1],
): Promise<ApiResponse> {
  return client.post("/api/login/passkey", await passkeyResponse(client, passkey, how));
}

/** Adds a passkey that nothing can use, without the calls. @returns its id */
export async function storePasskey(
  api: Pick<Api, "execute" | "select" | "origin">,
  userId: number,
): Promise<number> {
  const credentialId = crypto.randomUUID();
  const columns = "user_id, credential_id, public_key, counter, name, rp_id, backed_up, created_at";
  await api.execute(
    `insert into passkeys (${columns}) values (${userId}, '${credentialId}', 'x', 0, 'Key', '${new URL(api.origin).hostname}', 0, '${TEST_START}')`,
  );
  const [row] = await api.select(`select id from passkeys where credential_id = '${credentialId}'`);
  return Number(row?.id);
}
