/** How long before they go, at the least, the owner of files is told. */
export const NOTICE_DAYS = 7;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * When the files of an envelope go; null where they stay, or are gone. Never sooner after the notice than it
 * says, so that a time chosen today does not take what was completed long ago at once.
 */
export function deletionMoment(
  envelope: {
    completedAt: string | null;
    filesDeletedAt: string | null;
    deletionNoticedAt: string | null;
    retentionDays: number | null;
  },
  now: Date,
): string | null {
  const { completedAt, filesDeletedAt, deletionNoticedAt, retentionDays } = envelope;
  if (!completedAt || !retentionDays || filesDeletedAt) return null;
  const noticed = deletionNoticedAt ? Date.parse(deletionNoticedAt) : now.getTime();
  const kept = Date.parse(completedAt) + retentionDays * DAY_MS;
  return new Date(Math.max(kept, noticed + NOTICE_DAYS * DAY_MS)).toISOString();
}
