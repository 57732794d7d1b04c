import { type MetadataJson, parsePhoneNumberFromString } from "libphonenumber-js/core";
import { LIMITS } from "./limits";
import type { COUNTRY_CODES } from "./options";
import { PHONE_PATTERN, plainPhone } from "./patterns";
import stored from "./phone-metadata.json";

/**
 * Of the countries whose codes are offered: that of all would be a tenth of a Worker's script. Numbers of other countries
 * are written with their plus.
 */
export const PHONE_METADATA = stored as unknown as MetadataJson;

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

/** Mobile numbers with each offered country code; those of +1 cannot be told apart. */
const MOBILE = {
  "+1": /^\+1[2-9]\d{9}$/,
  "+44": /^\+447\d{9}$/,
  "+61": /^\+614\d{8}$/,
  "+33": /^\+33[67]\d{8}$/,
  "+49": /^\+491[5-7]\d{8,9}$/,
  "+81": /^\+81[789]0\d{8}$/,
  "+86": /^\+861[3-9]\d{9}$/,
  "+91": /^\+91[6-9]\d{9}$/,
} as const satisfies Record<keyof typeof COUNTRIES, RegExp>;

const isOffered = (code: string): code is keyof typeof COUNTRIES => Object.hasOwn(COUNTRIES, code);

/**
 * The number in E.164, "+4915123456789". Without a plus or a leading "00", it is a national number of the country, with
 * or without trunk prefix, spaces and brackets, unless it begins with the country code and only makes sense with it.
 * @returns null for an impossible national number, too short or too long for its country, for one with an extension,
 *   which a text message cannot reach, and for one that may or may not begin with the country code
 */
export function toE164(typed: string, countryCode: string): string | null {
  if (typed.length > LIMITS.phone) return null;
  const text = withPlus(plainPhone(typed), countryCode);
  // Written with its plus, the specified pattern alone decides.
  if (text.startsWith("+")) return possible(text) ?? (PHONE_PATTERN.test(text) ? text : null);
  const national = isOffered(countryCode)
    ? possible(text, COUNTRIES[countryCode])
    : possible(`${countryCode}${text}`);
  const hasCode = `+${text.replace(/\D/g, "")}`.startsWith(countryCode);
  const international = hasCode ? possible(`+${text}`) : null;
  if (!national || !international || national === international) return national ?? international;
  // National numbers of other countries are hardly ever longer.
  if (!isOffered(countryCode)) return text.replace(/\D/g, "").length > 10 ? international : national;
  const mobile = MOBILE[countryCode];
  return [international, national].find((number) => mobile.test(number)) ?? null;
}

/** The number in E.164 if one of this length exists in its country. */
function possible(text: string, defaultCountry?: (typeof COUNTRIES)[keyof typeof COUNTRIES]): string | null {
  const number = parsePhoneNumberFromString(text, { defaultCountry, extract: false }, PHONE_METADATA);
  if (!number) return defaultCountry ? null : ofOtherCountry(text);
  if (number.ext || !number.isPossible()) return null;
  return PHONE_PATTERN.test(number.number) ? number.number : null;
}

/** A number with the code of another country, without separators and the zero that is dialled within the country. */
function ofOtherCountry(text: string): string | null {
  const number = text.replace(/\(0\)/, "").replace(/[\s()./-]/g, "");
  return otherCodeOf(number) && PHONE_PATTERN.test(number) ? number : null;
}

/** No code is the beginning of another one. */
const otherCodeOf = (number: string) => stored.otherCodes.find((code) => number.startsWith(`+${code}`));

/** The country code of a number in E.164, with its plus; null if it is none. */
export function countryCodeOf(number: string): string | null {
  const offered = Object.keys(COUNTRIES).find((code) => number.startsWith(code));
  const other = otherCodeOf(number);
  return offered ?? (other ? `+${other}` : null);
}

/** "00" is the international prefix in most of the world. Australia's 0011 is handled by the library. */
export function withPlus(text: string, countryCode: string): string {
  if (countryCode === "+61" && text.startsWith("0011")) return text;
  return text.replace(/^00\s*(?=[1-9])/, "+");
}
