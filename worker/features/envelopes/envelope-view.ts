import type { FullEnvelope } from "../../../db/queries/envelopes";
import type { DocumentState } from "../../contract/documents";
import type { EnvelopeStatus } from "../../contract/options";
import { entryOf } from "../../lib/document-entry";
import { submittedState } from "../../lib/document-state";
import { isExpired } from "../../lib/expiration";
import { deletionMoment } from "../../lib/retention";
import { withheldReason } from "../../lib/withheld";

type Dated = { status: EnvelopeStatus; expiresAt: string | null };

/** The current status: the scheduled job that expires envelopes may not have run yet. */
function currentStatus(envelope: Dated, now: Date): EnvelopeStatus {
  return isExpired(envelope, now) ? "expired" : envelope.status;
}

/** The envelope as its owner sees it. */
export function envelopeView(row: FullEnvelope, now: Date) {
  const {
    documents,
    submissions,
    nextReminderAt: _due,
    endOfLastDay: _end,
    deletionNoticedAt,
    ...rest
  } = row;
  const { retentionDays, uploadedDocuments, ...envelope } = rest;
  const status = currentStatus(envelope, now);
  const documentViews = documents.map((document) => {
    const state = submittedState(document, submissions);
    return {
      id: document.id,
      ...entryOf(document),
      state,
      /** Why the recipient skipped it; otherwise why it is or was returned. */
      reason: state === "skipped" ? document.skipReason : document.reviewReason,
    };
  });
  const countIn = (counted: DocumentState) => documentViews.filter(({ state }) => state === counted).length;
  return {
    ...envelope,
    status,
    isNew: envelope.isNew && status === "completed",
    recipientEmail: envelope.customerEmail || null,
    /** When the workspace's retention deletes the files; null if it never does. */
    filesDeletionAt: deletionMoment({ ...envelope, deletionNoticedAt, retentionDays }, now),
    /** Of the documents that the recipient can still answer, how many have an uploaded file. */
    progress:
      status === "pending"
        ? {
            uploaded: uploadedDocuments ?? 0,
            total: countIn("open") + countIn("skipped") + countIn("returned"),
          }
        : null,
    documents: documentViews,
    /** How many submitted documents are not reviewed yet, accepted and returned. */
    review: {
      toReview: countIn("received"),
      accepted: countIn("accepted"),
      returned: countIn("returned"),
    },
    submissions: submissions.map(({ filePath, scanDueAt, virus, deletedAt, ...file }) => {
      const withheld = withheldReason({ scanDueAt, virus, deletedAt });
      return { ...file, withheld, url: withheld ? null : `/uploads/${filePath}` };
    }),
  };
}

export type EnvelopeView = ReturnType<typeof envelopeView>;
