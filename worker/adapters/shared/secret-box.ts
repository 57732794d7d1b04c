import { type SecretBox, SecretKeyMissingError } from "../../ports/crypto";

/** A version, the key's id, and the initialization vector with the ciphertext, separated by full stops. */
const SEALED = /^v1\.([\da-f]{8})\.([\w-]+)$/;
const IV_BYTES = 12;
const BASE64 = { alphabet: "base64url", omitPadding: true } as const;

type Key = { id: string; key: CryptoKey };

/**
 * Seals with AES-GCM. `readKeys` returns the keys as texts: the first one seals, the others only open. It is called for
 * each `seal` and for each unknown key, so that a running server notices a rotation.
 */
export function createSecretBox(readKeys: () => Promise<readonly string[]>): SecretBox {
  const derived = new Map<string, Promise<Key>>();
  const derive = (text: string) => {
    const known = derived.get(text) ?? deriveKey(text);
    derived.set(text, known);
    return known;
  };
  const currentKey = async () => {
    const [text] = await readKeys();
    if (text === undefined) throw new SecretKeyMissingError("There is no secret key");
    return derive(text);
  };
  const keyWith = async (id: string) => {
    const find = async () => (await Promise.all(derived.values())).find((known) => known.id === id);
    const known = await find();
    if (known) return known;
    await Promise.all((await readKeys()).map(derive));
    const added = await find();
    if (!added) throw new SecretKeyMissingError(`The secret key ${id} is unknown`);
    return added;
  };
  return {
    async seal(text, context) {
      const { id, key } = await currentKey();
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const encrypted = await crypto.subtle.encrypt(
        { name: "AES-GCM", iv, additionalData: utf8(context) },
        key,
        utf8(text),
      );
      const bytes = new Uint8Array(IV_BYTES + encrypted.byteLength);
      bytes.set(iv);
      bytes.set(new Uint8Array(encrypted), IV_BYTES);
      return `v1.${id}.${bytes.toBase64(BASE64)}`;
    },
    async open(sealed, context) {
      const { id, bytes } = parse(sealed);
      const { key } = await keyWith(id);
      const decrypted = await crypto.subtle.decrypt(
        { name: "AES-GCM", iv: bytes.subarray(0, IV_BYTES), additionalData: utf8(context) },
        key,
        bytes.subarray(IV_BYTES),
      );
      return new TextDecoder().decode(decrypted);
    },
    isCurrent: async (sealed) => parse(sealed).id === (await currentKey()).id,
  };
}

function parse(sealed: string): { id: string; bytes: Uint8Array<ArrayBuffer> } {
  const [, id, payload] = SEALED.exec(sealed) ?? [];
  if (!id || !payload) throw new Error("The text is not sealed");
  return { id, bytes: Uint8Array.fromBase64(payload, { alphabet: "base64url" }) };
}

/** Keys are texts of any form, so what encrypts is derived from them, and the id too: it says nothing about the key. */
async function deriveKey(text: string): Promise<Key> {
  const material = await crypto.subtle.importKey("raw", utf8(text), "HKDF", false, [
    "deriveBits",
    "deriveKey",
  ]);
  const derivation = (info: string) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: utf8(`doculopes ${info}`),
  });
  const id = await crypto.subtle.deriveBits(derivation("key id"), material, 32);
  const aes = { name: "AES-GCM", length: 256 };
  const key = await crypto.subtle.deriveKey(derivation("secret box"), material, aes, false, [
    "encrypt",
    "decrypt",
  ]);
  return { id: new Uint8Array(id).toHex(), key };
}

const utf8 = (text: string) => new TextEncoder().encode(text);
