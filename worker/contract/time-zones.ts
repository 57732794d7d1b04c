/** The time zone of an account that has none. */
export const DEFAULT_TIME_ZONE = "UTC";

/** Letters first, so that an offset such as `+01:00`, which some engines accept too, is no name. */
const NAME_PATTERN = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** The IANA name in its usual spelling, or null where the runtime knows no such zone. */
export function parseTimeZone(name: string): string | null {
  if (!NAME_PATTERN.test(name)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    // Engines rename aliases, each to another name: only the spelling is taken over.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch {
    return null;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Swedish writes ISO dates. A zone that this runtime does not know counts as UTC. */
function wallFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: parseTimeZone(timeZone) ?? DEFAULT_TIME_ZONE,
    dateStyle: "short",
    timeStyle: "medium",
  });
  formats.set(timeZone, format);
  return format;
}

/** What calendar and clock show in the zone, as `YYYY-MM-DD HH:mm:ss`. */
export function wallTime(timeZone: string | null, moment: Date): string {
  return wallFormat(timeZone ?? DEFAULT_TIME_ZONE).format(moment);
}

/** The calendar day in the zone, as `YYYY-MM-DD`. */
export function dayIn(timeZone: string | null, moment: Date): string {
  return wallTime(timeZone, moment).slice(0, "2026-03-14".length);
}

/** Whether the clocks of two zones show the same at this moment. */
export function showSameTime(one: string | null, other: string | null, moment: Date): boolean {
  return wallTime(one, moment) === wallTime(other, moment);
}

/** "Central European Time" in the language of the locale. */
export function timeZoneName(timeZone: string | null, locale: string): string {
  const known = parseTimeZone(timeZone ?? DEFAULT_TIME_ZONE) ?? DEFAULT_TIME_ZONE;
  if (known === DEFAULT_TIME_ZONE) return DEFAULT_TIME_ZONE;
  const format = new Intl.DateTimeFormat(locale, { timeZone: known, timeZoneName: "longGeneric" });
  return format.formatToParts().find(({ type }) => type === "timeZoneName")?.value ?? known;
}
