import type { EnvelopeStatus } from "../../contract/options";
import { DAY_MS } from "../../lib/durations";

type Dated = { status: EnvelopeStatus; expiresAt: string | null };

/** Whether the link has expired. */
export function isExpired({ status, expiresAt }: Dated, now: Date): boolean {
  if (status === "expired") return true;
  return status === "pending" && expiresAt !== null && expiresAt < now.toISOString();
}

/** Whether the envelope is still pending after the end of its due date. */
export function isOverdue(envelope: Dated & { endOfDueDay: string | null }, now: Date): boolean {
  const { status, endOfDueDay } = envelope;
  if (status !== "pending" || isExpired(envelope, now)) return false;
  return endOfDueDay !== null && endOfDueDay < now.toISOString();
}

/** The minimum notice before files are deleted. */
export const NOTICE_DAYS = 7;

/** Without a mail server, a notice that the interface has not shown for so long counts as given. */
export const UNSEEN_NOTICE_DAYS = 30;

type Retained = {
  status: EnvelopeStatus;
  completedAt: string | null;
  filesDeletedAt: string | null;
  deletionAnnouncedAt: string | null;
  deletionNoticedAt: string | null;
  retentionDays: number | null;
};

/**
 * When the files of a completed envelope are deleted; null if they stay or are already deleted. Never before the
 * notice period ends, which begins when the notice is sent or shown.
 */
export function deletionTime(envelope: Retained, now: Date): string | null {
  const { status, completedAt, filesDeletedAt, deletionAnnouncedAt, deletionNoticedAt, retentionDays } =
    envelope;
  if (status !== "completed" || !completedAt || !retentionDays || filesDeletedAt) return null;
  const noticed = deletionAnnouncedAt && deletionNoticedAt ? Date.parse(deletionNoticedAt) : now.getTime();
  const ends = Date.parse(completedAt) + retentionDays * DAY_MS;
  return new Date(Math.max(ends, noticed + NOTICE_DAYS * DAY_MS)).toISOString();
}

/** Whether it happened while the envelope went to somebody else, whom alone it concerns. */
export const isOfEarlierRecipient = (
  { recipientSince }: { recipientSince: string | null },
  at: string | null,
): boolean => recipientSince !== null && at !== null && at <= recipientSince;
