import { awaitsReview } from "../../../../worker/contract/awaits-review";
import type { Envelope, Submission } from "../envelopes.queries";

export type EnvelopeDocument = Envelope["documents"][number];

/** What was submitted for a requested document. */
export type DocumentAnswer = {
  name: string;
  /** Absent for files whose document no longer exists. */
  document: EnvelopeDocument | undefined;
  /** The files of the current answer. */
  files: Submission[];
  /** Files that a newer answer has replaced. */
  earlier: Submission[];
};

/** The answers of an envelope, in the order of its documents. Documents without any answer are left out. */
export function answersOf({ documents, submissions }: Pick<Envelope, "documents" | "submissions">) {
  const answers: DocumentAnswer[] = documents.map((document) => ({
    name: document.name,
    document,
    files: [],
    earlier: [],
  }));
  for (const file of submissions) {
    const answer = answerTo(file, answers);
    (file.superseded ? answer.earlier : answer.files).push(file);
  }
  return answers.filter(
    ({ document, files, earlier }) =>
      files.length > 0 ||
      earlier.length > 0 ||
      document?.answered ||
      (document?.skipped && document.state !== "returned"),
  );
}

/** The answer that the file belongs to: by id, or by name for a file from before documents had ids. */
function answerTo(
  { requestDocumentId, documentName }: Submission,
  answers: DocumentAnswer[],
): DocumentAnswer {
  const found = answers.find(({ document, name }) =>
    requestDocumentId === null ? name === documentName : document?.id === requestDocumentId,
  );
  if (found) return found;
  const orphan: DocumentAnswer = { name: documentName, document: undefined, files: [], earlier: [] };
  answers.push(orphan);
  return orphan;
}

/** The documents that the recipient can still answer. */
export function openDocuments({ documents }: Pick<Envelope, "documents">): EnvelopeDocument[] {
  return documents.filter(({ state }) => state === "open" || state === "returned");
}

/** Whether the answer can be accepted: a file of it can be opened, or a reason was given instead. */
export function isAcceptable(document: EnvelopeDocument, files: readonly Submission[]): boolean {
  const { state, kind } = document;
  return awaitsReview(document) && (state !== "received" || kind !== "file" || files.some(({ url }) => url));
}

/** The documents that can be accepted and are not to be returned. */
export function acceptableDocuments(
  answers: readonly DocumentAnswer[],
  pendingReturns: ReadonlyMap<number, string>,
): EnvelopeDocument[] {
  return answers.flatMap(({ document, files }) =>
    document && isAcceptable(document, files) && !pendingReturns.has(document.id) ? [document] : [],
  );
}
