import { findUsage } from "../../../db/queries/quotas";
import { insertEnvelopeLease } from "../../../db/queries/upload-leases";
import { bytesLeft, quotaRefusal } from "../../contract/quotas";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";

/** What the headers of a multipart body's parts may come to, at least for as many documents as an envelope has. */
const MULTIPART_OVERHEAD = 64 * 1024;

/** The bytes that a Content-Length announces; undefined without one. */
export function announcedLength(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/**
 * Takes a lease for an upload to the envelope behind the link, with room for what its body announces.
 * @returns how many bytes may be stored under it; null where the envelope is no longer open
 * @throws AppError `too_many_uploads`, `storage_full`
 */
export async function reserveForEnvelope(
  { db, config: { quotas } }: Dependencies,
  token: string,
  leaseId: string,
  contentLength = 0,
): Promise<number | null> {
  const bytes = Math.max(0, contentLength - MULTIPART_OVERHEAD);
  const { taken, usage } = await insertEnvelopeLease(db, token, { leaseId, bytes, quotas });
  if (taken && usage) return bytesLeft(quotas, usage) + bytes;
  const refusal = usage && quotaRefusal(quotas, usage, bytes);
  if (refusal) throw appError(refusal);
  return null;
}

/** @throws AppError `storage_full` where more is stored and under way than the quotas allow */
export async function requireWithinQuotas(
  { db, config: { quotas } }: Dependencies,
  token: string,
): Promise<void> {
  const usage = await findUsage(db, token, quotas);
  if (usage && bytesLeft(quotas, usage) < 0) throw appError("storage_full");
}
