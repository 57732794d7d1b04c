import { COUNTRY_CODES, DEFAULT_COUNTRY_CODE } from "../../worker/contract/options";

const LOCAL_DIGITS = 10;

/** What was typed or pasted as bare digits, at most ten. */
export function phoneDigits(typed: string): string {
  return typed.replace(/\D/g, "").slice(0, LOCAL_DIGITS);
}

/** Digits in the shape (###) ###-####, as far as they go. */
export function formatPhone(typed: string): string {
  const digits = phoneDigits(typed);
  if (digits.length === 0) return "";
  if (digits.length <= 3) return `(${digits}`;
  if (digits.length <= 6) return `(${digits.slice(0, 3)}) ${digits.slice(3)}`;
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
}

/** Country code and local number as the server wants them, "+15551234567"; "" where no number was typed. */
export function joinPhone(countryCode: string, local: string): string {
  const digits = phoneDigits(local);
  return digits ? `${countryCode}${digits}` : "";
}

/** Takes a stored number apart: the offered country code it begins with, and the rest. */
export function splitPhone(stored: string): { countryCode: string; local: string } {
  const compact = stored.replace(/[^\d+]/g, "");
  const code = [...COUNTRY_CODES]
    .sort((one, other) => other.length - one.length)
    .find((offered) => compact.startsWith(offered));
  if (code) return { countryCode: code, local: phoneDigits(compact.slice(code.length)) };
  return { countryCode: DEFAULT_COUNTRY_CODE, local: phoneDigits(compact) };
}
