import { findUsage } from "../../../db/queries/quotas";
import { insertEnvelopeLease } from "../../../db/queries/upload-leases";
import { bytesLeft, quotaError } from "../../contract/quotas";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";

/** The maximum size of the part headers in a multipart body, at least for as many documents as an envelope has. */
const MULTIPART_OVERHEAD = 64 * 1024;

/** The length that a Content-Length header announces; undefined without one. */
export function announcedLength(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/**
 * Takes a lease for an upload to the envelope behind the link, and reserves the announced length.
 * @returns the number of bytes that may be stored under it; null if the envelope is no longer open
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
  const code = usage && quotaError(quotas, usage, bytes);
  if (code) throw appError(code);
  return null;
}

/** @throws AppError `storage_full` if stored and running uploads exceed the quotas */
export async function requireWithinQuotas(
  { db, config: { quotas } }: Dependencies,
  token: string,
): Promise<void> {
  const usage = await findUsage(db, token, quotas);
  if (usage && bytesLeft(quotas, usage) < 0) throw appError("storage_full");
}
