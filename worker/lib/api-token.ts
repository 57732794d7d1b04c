const PREFIX = "dlp_";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 30 digits of base 62 hold 178 random bits. */
const RANDOM_DIGITS = 30;
const CHECKSUM_DIGITS = 6;
const FORM = new RegExp(`^${PREFIX}[${DIGITS}]{${RANDOM_DIGITS + CHECKSUM_DIGITS}}$`);
/** The length of the prefix that identifies a token in a list. */
const SHOWN_LENGTH = PREFIX.length + 4;

/**
 * A new API token. Its last digits are a checksum, so that typing errors and false positives of secret scanners are
 * detected without a lookup.
 */
export async function createApiToken(): Promise<string> {
  const random = randomDigits(RANDOM_DIGITS);
  return `${PREFIX}${random}${await checksum(random)}`;
}

/** Whether the text may be a token of `createApiToken`. */
export async function isApiToken(text: string): Promise<boolean> {
  if (!FORM.test(text)) return false;
  const random = text.slice(PREFIX.length, -CHECKSUM_DIGITS);
  return text.endsWith(await checksum(random));
}

/** The beginning of a token, by which its owner recognises it. */
export const shownPart = (token: string) => token.slice(0, SHOWN_LENGTH);

function randomDigits(count: number): string {
  let digits = "";
  while (digits.length < count) {
    for (const byte of crypto.getRandomValues(new Uint8Array(count))) {
      // 248 is the largest multiple of 62 in a byte; larger values would make some digits more likely.
      if (byte < 248 && digits.length < count) digits += DIGITS[byte % DIGITS.length];
    }
  }
  return digits;
}

async function checksum(random: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(random));
  let rest = new DataView(hash).getUint32(0);
  let digits = "";
  for (let count = 0; count < CHECKSUM_DIGITS; count += 1) {
    digits = `${DIGITS[rest % DIGITS.length]}${digits}`;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
