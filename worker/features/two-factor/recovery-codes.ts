import { hashToken } from "../../lib/tokens";

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
