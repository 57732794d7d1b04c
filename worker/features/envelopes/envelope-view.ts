import type { FullRequest } from "../../../db/queries/envelopes";
import type { EnvelopeStatus } from "../../contract/options";
import { isExpired } from "../../lib/expiration";

type Dated = { status: EnvelopeStatus; expirationDate: string | null };

/** The status as of now: the schedule that marks envelopes as expired may not have come by yet. */
export function currentStatus(envelope: Dated, now: Date): EnvelopeStatus {
  return isExpired(envelope, now) ? "expired" : envelope.status;
}

/** The envelope as its owner sees it. */
export function envelopeView(row: FullRequest, now: Date) {
  const { documents, submissions, nextReminderAt: _internal, ...request } = row;
  return {
    ...request,
    status: currentStatus(request, now),
    recipientEmail: request.customerEmail || null,
    documents: documents.map(({ name, description, required, allowedFileTypes }) => ({
      name,
      description,
      required,
      allowedFileTypes,
    })),
    submissions: submissions.map(
      ({ id, documentName, fileName, fileSize, mimeType, filePath, createdAt }) => ({
        id,
        documentName,
        fileName,
        fileSize,
        mimeType,
        url: `/uploads/${filePath}`,
        createdAt,
      }),
    ),
  };
}

export type EnvelopeView = ReturnType<typeof envelopeView>;
