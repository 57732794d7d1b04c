/** A URL-safe random token of 256 bits. */
export function randomToken(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** A random number to type, with this many digits. */
export function randomDigits(digits: number): string {
  const numbers = 10 ** digits;
  // The values above the largest multiple are rejected: otherwise small numbers would be more likely.
  const limit = 2 ** 32 - (2 ** 32 % numbers);
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return random < limit ? String(random % numbers).padStart(digits, "0") : randomDigits(digits);
}

/** The form in which tokens are stored: SHA-256 in hex. */
export async function hashToken(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return new Uint8Array(digest).toHex();
}

function toBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}
