/** An account's own quota where it has no limit, whatever the instance's is. */
export const NO_QUOTA = -1;

/** How much may be stored. */
export type Quotas = {
  /** Bytes of all files of one envelope, submitted or not. */
  envelopeBytes: number;
  /** Bytes of all files of one account that has no limit of its own; null where there is no limit. */
  accountBytes: number | null;
  /** Uploads under way for one envelope. */
  uploadsPerEnvelope: number;
};

/**
 * What counts towards the quotas, uploads under way included, and the account's limit. Both of the account are null
 * where it has none.
 */
export type Usage = {
  envelopeBytes: number;
  accountBytes: number | null;
  accountLimit: number | null;
  uploads: number;
};

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
  return usage.accountLimit === null
    ? inEnvelope
    : Math.min(inEnvelope, usage.accountLimit - (usage.accountBytes ?? 0));
}
