import { DAY_MS } from "../../lib/durations";

/** How long an upload without a byte exists after its creation, and one with bytes after its last one. */
const EMPTY_MS = DAY_MS;
const CONTINUED_MS = 7 * DAY_MS;

/** Uploads without a byte, and those with bytes, whose `lastByteAt` is earlier have expired. */
export const aliveSince = (now: Date) => ({
  empty: new Date(now.getTime() - EMPTY_MS).toISOString(),
  continued: new Date(now.getTime() - CONTINUED_MS).toISOString(),
});

/** When an upload expires, in the format of a header. */
export const expiryHeader = ({ offset, lastByteAt }: { offset: number; lastByteAt: string }): string =>
  new Date(Date.parse(lastByteAt) + (offset === 0 ? EMPTY_MS : CONTINUED_MS)).toUTCString();
