import { dayIn, parseTimeZone, showSameTime, timeZoneName } from "../../worker/contract/time-zones";

let deviceZone: string | null | undefined;

/** The zone that this device is set to; null where it has no IANA name. Cached, since each row of a list asks for it. */
export function deviceTimeZone(): string | null {
  deviceZone ??= parseTimeZone(new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "");
  return deviceZone;
}

type LastDay = { expiresAt: string | null; timeZone: string | null };

/** The name of the time zone of the link's last day; null if this device shows the same time. */
export function foreignZoneName({ expiresAt, timeZone }: LastDay, locale: string): string | null {
  const time = new Date(expiresAt ?? Date.now());
  return showSameTime(timeZone, deviceTimeZone(), time) ? null : timeZoneName(timeZone, locale);
}

/** Today where the day of a link ends: in the account's time zone. */
export function today(timeZone: string | null, now = new Date()): string {
  return dayIn(timeZone, now);
}
