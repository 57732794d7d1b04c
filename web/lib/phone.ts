import { COUNTRY_CODES, DEFAULT_COUNTRY_CODE } from "../../worker/contract/options";

/** The most digits that can be typed; a contact's number may have more. */
export const LOCAL_DIGITS = 10;

/** The digits of what was typed or pasted, at most ten. */
export function phoneDigits(typed: string, max = LOCAL_DIGITS): string {
  return typed.replace(/\D/g, "").slice(0, max);
}

/** Digits in the shape (###) ###-####, as far as they go; longer numbers as they are. */
export function formatPhone(digits: string): string {
  if (digits.length === 0 || digits.length > LOCAL_DIGITS) return digits;
  if (digits.length <= 3) return `(${digits}`;
  if (digits.length <= 6) return `(${digits.slice(0, 3)}) ${digits.slice(3)}`;
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
}

/**
 * Country code and local number as the server wants them, "+15551234567"; "" where no number was typed.
 * The zero that people write before the number at home is no part of it abroad.
 */
export function toInternational(countryCode: string, digits: string): string {
  const local = countryCode === "+1" ? digits : digits.replace(/^0/, "");
  return local && `${countryCode}${local}`;
}

/** Takes a stored number apart: the offered country code it begins with, and the rest. */
export function fromInternational(stored: string): { countryCode: string; digits: string } {
  const compact = stored.replace(/[^\d+]/g, "");
  const longestFirst = [...COUNTRY_CODES].sort((one, other) => other.length - one.length);
  const countryCode = longestFirst.find((offered) => compact.startsWith(offered));
  const rest = countryCode ? compact.slice(countryCode.length) : compact;
  return { countryCode: countryCode ?? DEFAULT_COUNTRY_CODE, digits: phoneDigits(rest, 15) };
}
