import type { DocumentState } from "../contract/documents";

type AskedDocument = { id: number; skipped: boolean };
type SubmittedFile = { requestDocumentId: number | null };
type UploadedFile = { requestDocumentId: number; completedAt: string | null };

/** The state of a document for the requestor, who sees nothing before submission. */
export function submittedState(
  { id, skipped }: AskedDocument,
  files: readonly SubmittedFile[],
): DocumentState {
  if (skipped) return "skipped";
  return files.some(({ requestDocumentId }) => requestDocumentId === id) ? "received" : "open";
}

/** The state of a document for its recipient. */
export function recipientState(
  { id, skipped }: AskedDocument,
  files: readonly UploadedFile[],
): DocumentState {
  const uploaded = files.some((file) => file.requestDocumentId === id && file.completedAt !== null);
  if (uploaded) return "uploaded";
  return skipped ? "skipped" : "open";
}
