import {
  DOCUMENT_FIELDS,
  type DocumentEntry,
  type DocumentReview,
  type DocumentState,
} from "../../contract/documents";

type ReviewedDocument = { id: number; skipped: boolean; review: DocumentReview | null };
type SubmittedFile = { requestDocumentId: number | null; superseded: boolean };
type UploadedFile = { envelopeDocumentId: number; completedAt: string | null };

/** The state of a document for the requestor, who sees nothing before submission. */
export function submittedState(
  { id, skipped, review }: ReviewedDocument,
  files: readonly SubmittedFile[],
): DocumentState {
  if (review) return review;
  if (skipped) return "skipped";
  const received = files.some(({ requestDocumentId, superseded }) => requestDocumentId === id && !superseded);
  return received ? "received" : "open";
}

/** The state of a document for its recipient. */
export function recipientState(
  document: ReviewedDocument,
  answer: { uploads: readonly UploadedFile[]; submissions: readonly SubmittedFile[] },
): DocumentState {
  const state = submittedState(document, answer.submissions);
  if (!IS_OPEN[state]) return state;
  const uploaded = answer.uploads.some(
    ({ envelopeDocumentId, completedAt }) => envelopeDocumentId === document.id && completedAt !== null,
  );
  return uploaded ? "uploaded" : state;
}

/** Whether the recipient can answer a document in this state. */
const IS_OPEN: Record<DocumentState, boolean> = {
  open: true,
  uploaded: true,
  skipped: true,
  returned: true,
  received: false,
  accepted: false,
};

/** Whether the recipient can answer the document: not yet received, or returned. */
export const isOpenDocument = (document: ReviewedDocument, submissions: readonly SubmittedFile[]): boolean =>
  IS_OPEN[submittedState(document, submissions)];

/** The fields of a document that the requestor entered: those of `documentEntry`, without other stored columns. */
export function entryOf(document: DocumentEntry): DocumentEntry {
  const entry: Record<string, unknown> = {};
  for (const field of DOCUMENT_FIELDS) entry[field] = document[field];
  return entry as DocumentEntry;
}
