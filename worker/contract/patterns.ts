/** Rules that the server's zod schemas and the browser's valibot schemas share; their messages are in `messages.ts`. */

import { LIMITS } from "./limits";

/** One address: local part, @, and a domain with at least one dot. No display name, quotes or spaces. */
const EMAIL_PATTERN =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/;

/** Optional plus, a digit 1-9, then 1 to 14 digits. */
export const PHONE_PATTERN = /^\+?[1-9]\d{1,14}$/;

/** A plus and 1 to 4 digits. */
const COUNTRY_CODE_PATTERN = /^\+\d{1,4}$/;

/** A file extension as typed: letters and digits with an optional leading dot. */
export const FILE_TYPE_PATTERN = /^\.?[A-Za-z0-9]{1,20}$/;

/** The calendar day that is written in an ISO date (`YYYY-MM-DD`, with or without a time), or null. */
function parseDay(value: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(value)) return null;
  const date = value.slice(0, 10);
  // A date that rolls over (31 February) is invalid.
  return dayOf(date) === date && dayOf(value) ? date : null;
}

function dayOf(value: string): string | null {
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? null : time.toISOString().slice(0, 10);
}

const EARLIEST_EXPIRATION = "1900-01-01";

/** Whether the text matches. The length is checked first: matching a pattern against a megabyte of text is slow. */
const matching = (pattern: RegExp, max: number) => (text: string) => text.length <= max && pattern.test(text);

export const isEmailAddress = matching(EMAIL_PATTERN, LIMITS.email);
export const isPhoneNumber = matching(PHONE_PATTERN, LIMITS.phone);
export const isCountryCode = matching(COUNTRY_CODE_PATTERN, LIMITS.phone);

/** A colour as `#rrggbb`. */
export const isHexColor = matching(/^#[0-9a-f]{6}$/i, 7);

/** Soft hyphens, zero-width and directional characters, byte order marks: nobody sees that they were pasted. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A longer text is no address, even with a name, and no number. Matching a pattern against a megabyte is slow. */
const MAX_TYPED = 1000;

/**
 * An address as it is stored and compared: bare, in lower case, an international domain in its ASCII form. It may be
 * written as `Name <address>`, `<address>` or a `mailto:` link.
 */
export function normalizeAddress(written: string): string {
  if (written.length > MAX_TYPED) return written;
  const text = written.replace(INVISIBLE, "").trim();
  const [, bracketed = text] = /<([^<>]*)>$/.exec(text) ?? [];
  const address = bracketed.trim().replace(/^mailto:([^?]*).*$/i, "$1");
  const at = address.lastIndexOf("@") + 1;
  return address.slice(0, at).toLowerCase() + asciiDomain(address.slice(at).toLowerCase());
}

/** The domain as mail servers and DNS know it, or as it is if it cannot be one. */
export function asciiDomain(domain: string): string {
  if (/^[\x20-\x7e]*$/.test(domain) || !/^[\p{L}\p{M}\p{N}.。．｡・·-]+$/u.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain;
  }
}

/** Whether it would be an address but for letters before the @ that most mail servers do not accept. */
export function hasForeignMailbox(address: string): boolean {
  if (address.length > LIMITS.email) return false;
  const at = address.lastIndexOf("@");
  const mailbox = address.slice(0, at);
  return (
    /[^\x20-\x7e]/.test(mailbox) &&
    isEmailAddress(`${mailbox.replace(/[^\x20-\x7e]/g, "x")}${address.slice(at)}`)
  );
}

/** Zeros of the digits that phones of some languages type: Arabic, Persian, Devanagari, Bengali, full-width. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xff10];

/** A phone number with ASCII digits and plus, without what is invisible. */
export function plainPhone(typed: string): string {
  if (typed.length > MAX_TYPED) return typed;
  const digit = (character: string) =>
    String(ZEROS.map((zero) => character.charCodeAt(0) - zero).find((value) => value >= 0 && value < 10));
  return typed
    .replace(INVISIBLE, "")
    .replace(/[٠-٩۰-۹०-९০-৯０-９]/g, digit)
    .replace("＋", "+")
    .trim();
}

export type Names = { firstName: string; lastName: string };

/** First and last name of a full name: its first word and the rest. */
export function splitName(name: string): Names {
  const [firstName = "", ...rest] = name.trim().split(/\s+/);
  return { firstName, lastName: rest.join(" ") };
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether databases store the text unchanged: they truncate at NUL and replace lone surrogates. */
export const isStorable = (text: string): boolean => !text.includes("\0") && !LONE_SURROGATE.test(text);

/** Besides white space, what fonts show nothing for: zero-width characters, soft hyphens, fillers, blank Braille, controls. */
const VISIBLE = /[^\s\p{DI}\p{Cc}\u2800]/u;

/** Whether there is anything to be seen in it; of a text that is too long everywhere, nothing is looked at. */
export const isFilled = (text: string): boolean => text.length > LIMITS.text || VISIBLE.test(text);

/** The last day of a link in its stored form, or what is wrong with it. */
export function readLastDay(text: string): { day: string } | { problem: "invalidDate" | "dateTooEarly" } {
  const day = text.length <= LIMITS.timestamp ? parseDay(text) : null;
  if (day === null) return { problem: "invalidDate" };
  return day < EARLIEST_EXPIRATION ? { problem: "dateTooEarly" } : { day };
}

/** Null or blank if absent. */
type Day = string | null;

/** Whether the link ends before the due date. */
export const isDueAfterEnd = ({ dueDate, expirationDate }: { dueDate: Day; expirationDate: Day }): boolean =>
  Boolean(dueDate && expirationDate && dueDate > expirationDate);

/** Whether a date of an envelope is before the day on which it is sent. */
export const isBeforeSending = (date: Day, sendOn: Day): boolean => Boolean(date && sendOn && date < sendOn);

type TemplateDays = { dueInDays: number | null; expiresInDays: number | null };

/** Whether a template's due date is its link's last day at the latest. */
export const isDueInTime = ({ dueInDays, expiresInDays }: TemplateDays): boolean =>
  dueInDays === null || expiresInDays === null || dueInDays <= expiresInDays;

type DatedReminders = { dueDate: Day; reminderDays: readonly number[] | null };

/** Whether there are reminders around a due date, but no due date. */
export const lacksDueDate = ({ dueDate, reminderDays }: DatedReminders): boolean =>
  Boolean(reminderDays?.length) && !dueDate;
