import type { DocumentState } from "../contract/documents";

type AskedDocument = { id: number; skipped: boolean; review: "accepted" | "returned" | null };
type SubmittedFile = { requestDocumentId: number | null; superseded: boolean };
type UploadedFile = { requestDocumentId: number; completedAt: string | null };

/** The state of a document for the requestor, who sees nothing before submission. */
export function submittedState(
  { id, skipped, review }: AskedDocument,
  files: readonly SubmittedFile[],
): DocumentState {
  if (review) return review;
  if (skipped) return "skipped";
  const received = files.some(({ requestDocumentId, superseded }) => requestDocumentId === id && !superseded);
  return received ? "received" : "open";
}

/** The state of a document for its recipient. */
export function recipientState(
  { id, skipped }: Pick<AskedDocument, "id" | "skipped">,
  files: readonly UploadedFile[],
): DocumentState {
  const uploaded = files.some((file) => file.requestDocumentId === id && file.completedAt !== null);
  if (uploaded) return "uploaded";
  return skipped ? "skipped" : "open";
}
