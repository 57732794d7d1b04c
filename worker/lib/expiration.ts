import type { EnvelopeStatus } from "../contract/options";

type Dated = { status: EnvelopeStatus; expiresAt: string | null };

/** Whether the link has expired. */
export function isExpired({ status, expiresAt }: Dated, now: Date): boolean {
  if (status === "expired") return true;
  return status === "pending" && expiresAt !== null && expiresAt < now.toISOString();
}
