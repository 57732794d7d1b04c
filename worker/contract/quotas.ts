/** The value of an account's own quota that means no limit, whatever the instance's limit is. */
export const NO_QUOTA = -1;

/**
 * What counts of the bytes that the unfinished uploads of an envelope have declared and not received: otherwise empty
 * uploads could reserve a whole quota.
 */
export const DECLARED_BYTES = 64 * 1024 * 1024;

/** The storage limits. */
export type Quotas = {
  /** Bytes of all files of one envelope, submitted or not, without those that are replaced or asked for again. */
  envelopeBytes: number;
  /** Bytes of all files and texts of one account without a limit of its own; null for no limit. */
  accountBytes: number | null;
  /** Concurrent uploads for one envelope. */
  uploadsPerEnvelope: number;
};

/** What limits the texts that an account writes. */
export type AccountQuota = Pick<Quotas, "accountBytes">;

/**
 * What counts towards the quotas, running uploads included, and the account's limit. Both account values are null if it
 * has no limit.
 */
export type Usage = {
  envelopeBytes: number;
  accountBytes: number | null;
  accountLimit: number | null;
  /** What the workspace may still have; null if it has no limit. */
  workspaceLeft: number | null;
  uploads: number;
};

/** Why an upload of this many bytes cannot begin; null if it can. */
export function quotaError(
  quotas: Quotas,
  usage: Usage,
  bytes: number,
): "too_many_uploads" | "storage_full" | null {
  if (usage.uploads >= quotas.uploadsPerEnvelope) return "too_many_uploads";
  return bytes > bytesLeft(quotas, usage) ? "storage_full" : null;
}

/** The bytes that the quotas still allow; negative if more is already stored. */
export function bytesLeft(quotas: Quotas, usage: Usage): number {
  const { envelopeBytes, accountBytes, accountLimit, workspaceLeft } = usage;
  return Math.min(
    quotas.envelopeBytes - envelopeBytes,
    accountLimit === null ? Infinity : accountLimit - (accountBytes ?? 0),
    workspaceLeft ?? Infinity,
  );
}
