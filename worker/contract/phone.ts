import { parsePhoneNumberFromString } from "libphonenumber-js/min/es6";
import { LIMITS } from "./limits";
import type { COUNTRY_CODES } from "./options";
import { PHONE_PATTERN } from "./patterns";

/** The country whose national format is used for each offered country code. */
export const COUNTRIES = {
  "+1": "US",
  "+44": "GB",
  "+61": "AU",
  "+33": "FR",
  "+49": "DE",
  "+81": "JP",
  "+86": "CN",
  "+91": "IN",
} as const satisfies Record<(typeof COUNTRY_CODES)[number], string>;

/**
 * The number in E.164, "+4915123456789". Without a plus or a leading "00", it is a national number of the country, with
 * or without trunk prefix, spaces and brackets.
 * @returns null for an impossible national number, too short or too long for its country, and for one with an extension,
 *   which a text message cannot reach
 */
export function toE164(typed: string, countryCode: string): string | null {
  if (typed.length > LIMITS.phone) return null;
  const text = withPlus(typed.trim(), countryCode);
  const defaultCountry = Object.entries(COUNTRIES).find(([code]) => code === countryCode)?.[1];
  const international = text.startsWith("+") || !defaultCountry;
  const number = international
    ? parsePhoneNumberFromString(text.startsWith("+") ? text : `${countryCode}${text}`, { extract: false })
    : parsePhoneNumberFromString(text, { defaultCountry, extract: false });
  if (number && !number.ext && number.isPossible())
    return PHONE_PATTERN.test(number.number) ? number.number : null;
  // Written with its plus, the specified pattern alone decides.
  return text.startsWith("+") && PHONE_PATTERN.test(text) ? text : null;
}

/** "00" is the international prefix in most of the world. Australia's 0011 is handled by the library. */
export function withPlus(text: string, countryCode: string): string {
  if (countryCode === "+61" && text.startsWith("0011")) return text;
  return text.replace(/^00\s*(?=[1-9])/, "+");
}
