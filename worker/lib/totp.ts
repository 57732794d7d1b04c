/** Time-based one-time passwords (RFC 6238) as every authenticator app makes them: SHA-1, six digits, 30 seconds. */
const DIGITS = 6;
const STEP_SECONDS = 30;
/** Steps before and after the current one whose codes are accepted. */
const WINDOW = 1;
/** The length of SHA-1, which RFC 4226 recommends. */
const SECRET_BYTES = 20;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new secret in Base32. */
export const newTotpSecret = (): string => toBase32(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));

/** The URI that an authenticator app reads from a QR code. */
export function totpUri(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
}

/** The time step whose code this is, of those accepted now; undefined if it is none of them. */
export async function findTotpStep(secret: string, code: string, now: Date): Promise<number | undefined> {
  const current = Math.floor(now.getTime() / 1000 / STEP_SECONDS);
  const key = await crypto.subtle.importKey(
    "raw",
    fromBase32(secret),
    { name: "HMAC", hash: "SHA-1" },
    false,
    ["sign"],
  );
  const steps = Array.from({ length: 2 * WINDOW + 1 }, (_, index) => current - WINDOW + index);
  const codes = await Promise.all(steps.map((step) => codeOf(key, step)));
  const index = codes.indexOf(code);
  return index === -1 ? undefined : steps[index];
}

async function codeOf(key: CryptoKey, step: number): Promise<string> {
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.max(step, 0)));
  const hmac = new DataView(await crypto.subtle.sign("HMAC", key, counter.buffer));
  const offset = hmac.getUint8(hmac.byteLength - 1) & 0xf;
  const number = (hmac.getUint32(offset) & 0x7fff_ffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, "0");
}

function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.replace(/.{5}/g, (five) => BASE32[Number.parseInt(five, 2)] ?? "");
}

function fromBase32(text: string): Uint8Array<ArrayBuffer> {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
