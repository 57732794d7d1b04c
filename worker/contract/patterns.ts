/** Patterns that server and browser share; their messages are in `messages.ts`. */

/** One address: local part, @, and a domain with at least one dot. No display name, quotes or spaces. */
export const EMAIL_PATTERN =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/;

/** Optional plus, a digit 1-9, then 1 to 14 digits. */
export const PHONE_PATTERN = /^\+?[1-9]\d{1,14}$/;

/** A plus and 1 to 4 digits. */
export const COUNTRY_CODE_PATTERN = /^\+\d{1,4}$/;

/** A file extension as typed: letters and digits with an optional leading dot. */
export const FILE_TYPE_PATTERN = /^\.?[A-Za-z0-9]{1,20}$/;

/** The UTC calendar day of an ISO date (`YYYY-MM-DD`, with or without a time), or null. */
export function parseDay(value: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(value)) return null;
  const date = value.slice(0, 10);
  // A date that rolls over (31 February) is invalid.
  if (dayOf(date) !== date) return null;
  return dayOf(value);
}

function dayOf(value: string): string | null {
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? null : time.toISOString().slice(0, 10);
}

export const EARLIEST_EXPIRATION = "1900-01-01";
