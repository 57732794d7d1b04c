import { DAY_MS } from "./durations";

const LIFETIME_MS = 7 * DAY_MS;

/** Uploads whose last byte arrived before this time have expired. */
export const aliveSince = (now: Date): string => new Date(now.getTime() - LIFETIME_MS).toISOString();

/** When an upload expires, in the format of a header. */
export const expiryHeader = (lastByteAt: string): string =>
  new Date(Date.parse(lastByteAt) + LIFETIME_MS).toUTCString();
