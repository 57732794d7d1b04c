import type { EnvelopeStatus } from "../contract/options";

type Dated = { status: EnvelopeStatus; expirationDate: string | null };

/** Whether the last day of the link is over, in UTC. */
export function isExpired({ status, expirationDate }: Dated, now: Date): boolean {
  if (status === "expired") return true;
  return status === "pending" && expirationDate !== null && expirationDate < dayOf(now);
}

/** The day in UTC, `YYYY-MM-DD`. */
export const dayOf = (now: Date): string => now.toISOString().slice(0, "2026-03-14".length);
