import { findUsage } from "../../../db/queries/quotas";
import { findUploadLease, growEnvelopeLease, insertEnvelopeLease } from "../../../db/queries/upload-leases";
import { bytesLeft, DECLARED_BYTES, quotaError } from "../../contract/quotas";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { leaseLost, type Reservation } from "./upload-lease";

/** The maximum size of the part headers in a multipart body, at least for as many documents as an envelope has. */
const MULTIPART_OVERHEAD = 64 * 1024;
/** How many bytes beyond those received are reserved at a time, if no length was declared. */
const UNDECLARED_BYTES = 8 * 1024 * 1024;

/** The length that a Content-Length header declares; undefined without one. */
export function declaredLength(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/**
 * Takes a lease for an upload to the envelope behind the link, if the declared length is within the quotas. Reserves
 * some of it, and more as bytes arrive.
 * @returns null if the envelope is no longer open
 * @throws AppError `too_many_uploads`, `storage_full`
 */
export async function reserveForEnvelope(
  deps: Dependencies,
  token: string,
  leaseId: string,
  contentLength: number | undefined,
): Promise<Reservation | null> {
  const { db, config } = deps;
  const { quotas } = config;
  const declared = Math.max(0, (contentLength ?? 0) - MULTIPART_OVERHEAD);
  const bytes = Math.min(contentLength ?? 0, DECLARED_BYTES);
  const { taken, usage } = await insertEnvelopeLease(db, token, { leaseId, bytes, declared, quotas });
  if (taken) return growingReservation(deps, { token, leaseId, bytes, contentLength });
  const code = usage && quotaError(quotas, usage, declared);
  if (code) throw appError(code);
  return null;
}

type Growing = { token: string; leaseId: string; bytes: number; contentLength: number | undefined };

function growingReservation(
  { db, config: { quotas } }: Dependencies,
  { token, leaseId, bytes, contentLength }: Growing,
): Reservation {
  const ahead = contentLength === undefined ? UNDECLARED_BYTES : DECLARED_BYTES;
  let reserved = bytes;
  const take = async (to: number) => {
    const taken = await growEnvelopeLease(db, leaseId, { from: reserved, to, quotas });
    if (taken) reserved = to;
    return taken;
  };
  return {
    bytes,
    async grow(received) {
      const wanted = Math.max(received, Math.min(received + ahead, contentLength ?? received + ahead));
      if (await take(wanted)) return reserved;
      const lease = await findUploadLease(db, leaseId);
      if (!lease || lease.revoked) throw leaseLost();
      const usage = await findUsage(db, token, quotas);
      const left = usage ? reserved + bytesLeft(quotas, usage) : 0;
      if (left >= received && (await take(Math.min(left, wanted)))) return reserved;
      throw appError(usage ? "storage_full" : "submission_not_found");
    },
  };
}

/** @throws AppError `storage_full` if stored and running uploads exceed the quotas */
export async function requireWithinQuotas(
  { db, config: { quotas } }: Dependencies,
  token: string,
): Promise<void> {
  const usage = await findUsage(db, token, quotas);
  if (usage && bytesLeft(quotas, usage) < 0) throw appError("storage_full");
}
