import type { FullEnvelope } from "../../../db/queries/envelopes";
import type { EnvelopeStatus } from "../../contract/options";
import { submittedState } from "../../lib/document-state";
import { isExpired } from "../../lib/expiration";
import { deletionMoment } from "../../lib/retention";
import { withheldReason } from "../../lib/withheld";

type Dated = { status: EnvelopeStatus; expirationDate: string | null };

/** The status as of now: the schedule that marks envelopes as expired may not have come by yet. */
export function currentStatus(envelope: Dated, now: Date): EnvelopeStatus {
  return isExpired(envelope, now) ? "expired" : envelope.status;
}

/** The envelope as its owner sees it. */
export function envelopeView(row: FullEnvelope, now: Date) {
  const { documents, submissions, nextReminderAt: _due, deletionNoticedAt, ...rest } = row;
  const { retentionDays, uploadedDocuments, ...envelope } = rest;
  const status = currentStatus(envelope, now);
  return {
    ...envelope,
    status,
    recipientEmail: envelope.customerEmail || null,
    /** When the files go, as the workspace has it; null where they stay. */
    filesDeletionAt: deletionMoment({ ...envelope, deletionNoticedAt, retentionDays }, now),
    /** How many documents have a file that the recipient has uploaded and not submitted yet. */
    progress: status === "pending" ? { uploaded: uploadedDocuments ?? 0, total: documents.length } : null,
    documents: documents.map(
      ({ id, name, description, required, allowedFileTypes, multiple, ...answer }) => ({
        id,
        name,
        description,
        required,
        allowedFileTypes,
        multiple,
        state: submittedState({ id, ...answer }, submissions),
        /** Why the recipient has skipped it. */
        reason: answer.skipReason,
      }),
    ),
    submissions: submissions.map(({ filePath, scanDueAt, virus, deletedAt, ...file }) => {
      const withheld = withheldReason({ scanDueAt, virus, deletedAt });
      return { ...file, withheld, url: withheld ? null : `/uploads/${filePath}` };
    }),
  };
}

export type EnvelopeView = ReturnType<typeof envelopeView>;
