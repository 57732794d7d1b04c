import type { EnvelopeStatus } from "../contract/options";
import { DAY_MS } from "./durations";

/** The minimum notice before files are deleted. */
export const NOTICE_DAYS = 7;

/**
 * When the files of a completed envelope are deleted; null if they stay or are already deleted. Never before the
 * announced notice period ends, so that choosing a short retention does not delete old files at once.
 */
export function deletionMoment(
  envelope: {
    status: EnvelopeStatus;
    completedAt: string | null;
    filesDeletedAt: string | null;
    deletionNoticedAt: string | null;
    retentionDays: number | null;
  },
  now: Date,
): string | null {
  const { status, completedAt, filesDeletedAt, deletionNoticedAt, retentionDays } = envelope;
  if (status !== "completed" || !completedAt || !retentionDays || filesDeletedAt) return null;
  const noticed = deletionNoticedAt ? Date.parse(deletionNoticedAt) : now.getTime();
  const ends = Date.parse(completedAt) + retentionDays * DAY_MS;
  return new Date(Math.max(ends, noticed + NOTICE_DAYS * DAY_MS)).toISOString();
}
