/** How much may be stored. */
export type Quotas = {
  /** Bytes of all files of one envelope, submitted or not. */
  envelopeBytes: number;
  /** Bytes of all files of one account; null where there is no limit. */
  accountBytes: number | null;
  /** Uploads under way for one envelope. */
  uploadsPerEnvelope: number;
};

/** What counts towards the quotas, uploads under way included. `accountBytes` is null where it has no limit. */
export type Usage = { envelopeBytes: number; accountBytes: number | null; uploads: number };

/** Why an upload of so many bytes cannot begin beside what is there; null where it can. */
export function quotaRefusal(
  quotas: Quotas,
  usage: Usage,
  bytes: number,
): "too_many_uploads" | "storage_full" | null {
  if (usage.uploads >= quotas.uploadsPerEnvelope) return "too_many_uploads";
  return bytes > bytesLeft(quotas, usage) ? "storage_full" : null;
}

/** The bytes that the quotas still leave; negative where more is there already. */
export function bytesLeft(quotas: Quotas, usage: Usage): number {
  const inEnvelope = quotas.envelopeBytes - usage.envelopeBytes;
  return quotas.accountBytes === null
    ? inEnvelope
    : Math.min(inEnvelope, quotas.accountBytes - (usage.accountBytes ?? 0));
}
