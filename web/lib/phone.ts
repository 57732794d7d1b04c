import { AsYouType, type MetadataJson, parsePhoneNumberFromString } from "libphonenumber-js/core";
import { COUNTRY_CODES, DEFAULT_COUNTRY_CODE } from "../../worker/contract/options";
import { plainPhone } from "../../worker/contract/patterns";
import { COUNTRIES, PHONE_METADATA, toE164, withPlus } from "../../worker/contract/phone";
import formats from "./phone-formats.json";
import { deviceTimeZone } from "./time-zone";

/** With how numbers are written, which the server need not know. */
const METADATA = {
  ...PHONE_METADATA,
  countries: Object.fromEntries(
    Object.entries(PHONE_METADATA.countries).map(([country, known]) => [
      country,
      (known as unknown[]).map((part, index) =>
        index === 4 ? formats[country as keyof typeof formats] : part,
      ),
    ]),
  ),
} as unknown as MetadataJson;

/** The number of digits in the mask of +1. */
const MASK_DIGITS = 10;

type CountryCode = (typeof COUNTRY_CODES)[number];
/** A country code, and the number as it is written there; one of another country keeps its plus. */
export type TypedPhone = { countryCode: string; phone: string };

/**
 * Parses typed or pasted text. A plus or "00" sets the country code, and nothing is ever truncated: text that is too
 * long is rejected when it is validated. A single key beyond the mask of +1 is ignored.
 */
export function readPhone(keys: string, before: TypedPhone): TypedPhone {
  const typed = plainPhone(keys);
  const text = withPlus(typed.replace(/[^\d+]/g, ""), before.countryCode);
  if (text.startsWith("+")) return splitInternational(`+${text.replace(/\D/g, "")}`, before.countryCode);
  if (before.countryCode !== "+1") return { ...before, phone: typed.replace(/\D/g, "") };
  const digits = typed.replace(/\D/g, "");
  const isFull = before.phone.length === MASK_DIGITS;
  if (isFull && digits.length === MASK_DIGITS + 1 && digits.startsWith(before.phone)) return before;
  return { ...before, phone: digits.length > MASK_DIGITS ? digits.replace(/^1/, "") : digits };
}

function splitInternational(number: string, countryCode: string): TypedPhone {
  const offered = COUNTRY_CODES.find((code) => number.startsWith(code));
  return offered
    ? { countryCode: offered, phone: number.slice(offered.length) }
    : { countryCode, phone: number };
}

/** The number as it is written in its country; for +1 in the shape (###) ###-####, as far as it goes. */
export function formatPhone({ countryCode, phone }: TypedPhone): string {
  if (!/^\+?\d*$/.test(phone)) return phone;
  if (countryCode === "+1" && !phone.startsWith("+")) return masked(phone);
  if (phone.startsWith("+")) return new AsYouType(undefined, METADATA).input(phone);
  if (phone.startsWith("0"))
    return new AsYouType(COUNTRIES[countryCode as CountryCode], METADATA).input(phone);
  return new AsYouType(undefined, METADATA).input(`${countryCode}${phone}`).slice(countryCode.length).trim();
}

function masked(digits: string): string {
  if (digits.length === 0 || digits.length > MASK_DIGITS) return digits;
  if (digits.length <= 3) return `(${digits}`;
  if (digits.length <= 6) return `(${digits.slice(0, 3)}) ${digits.slice(3)}`;
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
}

const ZONES: Record<Exclude<CountryCode, typeof DEFAULT_COUNTRY_CODE>, RegExp> = {
  "+44": /^Europe\/London$/,
  "+61": /^Australia\//,
  "+33": /^Europe\/Paris$/,
  "+49": /^Europe\/(?:Berlin|Busingen)$/,
  "+81": /^Asia\/Tokyo$/,
  "+86": /^Asia\/(?:Shanghai|Urumqi)$/,
  "+91": /^Asia\/(?:Kolkata|Calcutta)$/,
};

/** The country code of the browser's region, if it is an offered one. */
export function browserCountryCode(
  language = navigator.language ?? "en",
  zone: string = deviceTimeZone() ?? "",
): CountryCode {
  const region = regionOf(language);
  // Browsers in US English are used everywhere: there, the time zone tells more.
  const isThere = (code: CountryCode) =>
    region === "US" ? code !== DEFAULT_COUNTRY_CODE && ZONES[code].test(zone) : COUNTRIES[code] === region;
  return COUNTRY_CODES.find(isThere) ?? DEFAULT_COUNTRY_CODE;
}

function regionOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language).maximize().region;
  } catch {
    // WebKit on Linux takes the language from the system, where it may be "C".
    return undefined;
  }
}

/** The number as the server expects it, "+15551234567"; an impossible number as typed, to be rejected. */
export function toInternational(countryCode: string, phone: string): string {
  return toE164(phone, countryCode) ?? phone;
}

/**
 * Splits a stored number into country code, if it is an offered one, and the rest.
 * @param countryCode of a number without one
 */
export function fromInternational(stored: string, countryCode: string = browserCountryCode()): TypedPhone {
  const text = withPlus(plainPhone(stored), countryCode);
  const number = parsePhoneNumberFromString(text, { extract: false }, METADATA);
  if (number && !number.ext) return splitInternational(number.number, countryCode);
  // With an extension, the user completes the number, which is validated later.
  return /[a-z;]/i.test(text) ? { countryCode, phone: text } : readPhone(text, { countryCode, phone: "" });
}
