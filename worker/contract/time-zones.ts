/** The time zone of an account that has not set one. */
export const DEFAULT_TIME_ZONE = "UTC";

/** Must begin with a letter: some engines also accept offsets such as `+01:00`, which are not names. */
const NAME_PATTERN = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** The IANA name in its canonical spelling, or null if the runtime does not know the zone. */
export function parseTimeZone(name: string): string | null {
  if (!NAME_PATTERN.test(name)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    // Engines resolve aliases differently, so only the spelling is taken from the result.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch {
    return null;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The Swedish locale formats dates as ISO 8601. A zone that this runtime does not know counts as UTC. */
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

/** Local date and time in the zone, as `YYYY-MM-DD HH:mm:ss`. */
export function wallTime(timeZone: string | null, time: Date): string {
  return wallFormat(timeZone ?? DEFAULT_TIME_ZONE).format(time);
}

/** The calendar day in the zone, as `YYYY-MM-DD`. */
export function dayIn(timeZone: string | null, time: Date): string {
  return wallTime(timeZone, time).slice(0, "2026-03-14".length);
}

/** Whether two zones have the same local time at this time. */
export function showSameTime(one: string | null, other: string | null, time: Date): boolean {
  return wallTime(one, time) === wallTime(other, time);
}

/** "Central European Time" in the language of the locale. */
export function timeZoneName(timeZone: string | null, locale: string): string {
  const known = parseTimeZone(timeZone ?? DEFAULT_TIME_ZONE) ?? DEFAULT_TIME_ZONE;
  if (known === DEFAULT_TIME_ZONE) return DEFAULT_TIME_ZONE;
  const format = new Intl.DateTimeFormat(locale, { timeZone: known, timeZoneName: "longGeneric" });
  return format.formatToParts().find(({ type }) => type === "timeZoneName")?.value ?? known;
}
