import type { EnvelopeStatus } from "../contract/options";

type Dated = { status: EnvelopeStatus; expirationDate: string | null };

/** Whether the last day of the link is over, in UTC. */
export function isExpired({ status, expirationDate }: Dated, now: Date): boolean {
  if (status === "expired") return true;
  return status === "pending" && expirationDate !== null && expirationDate < now.toISOString().slice(0, 10);
}
