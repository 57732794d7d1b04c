import { DAY_MS } from "./durations";

const LIFETIME_MS = 7 * DAY_MS;

/** Uploads whose last byte came before this moment have expired. */
export const aliveSince = (now: Date): string => new Date(now.getTime() - LIFETIME_MS).toISOString();

/** When an upload expires, as a header has it. */
export const expiryHeader = (lastByteAt: string): string =>
  new Date(Date.parse(lastByteAt) + LIFETIME_MS).toUTCString();
