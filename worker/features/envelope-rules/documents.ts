import { documentKey } from "../../contract/document-names";
import type { DocumentEntry, DocumentReview, DocumentState } from "../../contract/documents";
import type { Answer, Condition } from "../../contract/questions";
import { visibleEntries } from "../../contract/visible-entries";
import { isOfEarlierRecipient } from "./envelope-dates";

type ReviewedDocument = { id: number; skipped: boolean; hidden: boolean; review: DocumentReview | null };
type SubmittedFile = { requestDocumentId: number | null; superseded: boolean };
type GivenAnswer = { requestDocumentId: number; superseded: boolean; submittedAt: string | null };
type StoredAnswer = GivenAnswer & { sealed: boolean; value: Answer | null };
/** What was submitted for an envelope, and the answers that are kept until then. */
type Handed<A extends GivenAnswer = GivenAnswer> = {
  submissions: readonly SubmittedFile[];
  answers: readonly A[];
};
type UploadedFile = { envelopeDocumentId: number; completedAt: string | null };

/** The state of a document for the requestor, who sees nothing before submission. */
export function submittedState(
  { id, skipped, hidden, review }: ReviewedDocument,
  { submissions, answers }: Handed,
): DocumentState {
  if (review) return review;
  if (skipped) return "skipped";
  const isIts = ({ requestDocumentId, superseded }: SubmittedFile) => requestDocumentId === id && !superseded;
  if (submissions.some(isIts) || answers.some((answer) => answer.submittedAt !== null && isIts(answer)))
    return "received";
  return hidden ? "hidden" : "open";
}

/** The state of a document for its recipient. */
export function recipientState(
  document: ReviewedDocument,
  handed: Handed & { uploads: readonly UploadedFile[] },
): DocumentState {
  const state = submittedState(document, handed);
  if (!IS_OPEN[state]) return state;
  const uploaded = handed.uploads.some(
    ({ envelopeDocumentId, completedAt }) => envelopeDocumentId === document.id && completedAt !== null,
  );
  // The page itself decides what to show, by the answers that are typed.
  const asked = state === "hidden" ? "open" : state;
  return uploaded ? "uploaded" : asked;
}

/** Whether the recipient can answer a document in this state. */
const IS_OPEN: Record<DocumentState, boolean> = {
  open: true,
  uploaded: true,
  skipped: true,
  returned: true,
  hidden: true,
  received: false,
  accepted: false,
};

/** Whether it was asked and handed in. */
const IS_HANDED_IN: Record<DocumentState, boolean> = {
  open: false,
  uploaded: false,
  skipped: false,
  hidden: false,
  returned: true,
  received: true,
  accepted: true,
};

/** Whether the recipient can answer the document: not yet received, or returned. */
export const isOpenDocument = (document: ReviewedDocument, handed: Handed): boolean =>
  IS_OPEN[submittedState(document, handed)];

type Asked = ReviewedDocument & { name: string; showIf: Condition | null };
type Answered<Document> = Handed<StoredAnswer> & { documents: readonly Document[] };

/** The conditions of all documents; none of what was handed in if the answer that it asks for is deleted since then. */
export function conditionsOf<Document extends Asked>(
  envelope: Answered<Document>,
): Map<Document, Condition | null> {
  // The first one of each name, as there may be two in older envelopes. Made if it is needed: keys of names take long.
  let named: Map<string, Document> | undefined;
  const find = (name: string) => {
    named ??= new Map(envelope.documents.toReversed().map((one) => [documentKey(one.name), one]));
    return named.get(documentKey(name));
  };
  const conditionOf = (document: Document) => {
    const { showIf } = document;
    if (!showIf || !IS_HANDED_IN[submittedState(document, envelope)]) return showIf;
    const gate = find(showIf.name);
    const isDeleted =
      gate &&
      !isOpenDocument(gate, envelope) &&
      envelope.answers.some(
        ({ requestDocumentId, submittedAt, superseded, value }) =>
          requestDocumentId === gate.id && submittedAt !== null && !superseded && value === null,
      );
    return isDeleted ? null : showIf;
  };
  return new Map(envelope.documents.map((document) => [document, conditionOf(document)]));
}

/**
 * Which documents are asked of the recipient: those whose condition is met by what is submitted and, of open questions, by
 * what is given.
 * @param given by the ids of documents
 */
export function askedDocuments<Document extends Asked>(
  envelope: Answered<Document>,
  given: ReadonlyMap<number, Answer>,
): Set<Document> {
  const submitted = new Map(submittedValues(envelope).map(({ id, value }) => [id, value]));
  const entries = [...conditionsOf(envelope)].map(([document, showIf]) => ({
    ...{ document, name: document.name, showIf },
  }));
  const visible = visibleEntries(entries, ({ document }) => {
    const answers = isOpenDocument(document, envelope) ? given : submitted;
    return answers.get(document.id) ?? null;
  });
  return new Set([...visible].map(({ document }) => document));
}

const submittedValues = ({ answers }: { answers: readonly StoredAnswer[] }) =>
  answers.flatMap(({ requestDocumentId: id, submittedAt, superseded, sealed, value }) =>
    submittedAt === null || superseded || sealed || value === null ? [] : { id, submittedAt, value },
  );

/**
 * The given answers and, of questions that were returned and are left out, this recipient's earlier ones, which stay.
 * @param withdrawn the questions that have no answer any more
 */
export function withEarlierAnswers(
  envelope: { answers: readonly StoredAnswer[]; recipientSince: string | null },
  given: ReadonlyMap<number, Answer>,
  withdrawn: readonly number[] = [],
): Map<number, Answer> {
  const earlier = submittedValues(envelope).filter(
    ({ id, submittedAt }) => !withdrawn.includes(id) && !isOfEarlierRecipient(envelope, submittedAt),
  );
  return new Map([...earlier.map(({ id, value }) => [id, value] as const), ...given]);
}

/** The fields of a document that the requestor entered: those of `documentEntry`, without other stored columns. */
export function entryOf(document: DocumentEntry): DocumentEntry {
  // Each by its name: a loop over the names takes three times as long, for each document of each link.
  return {
    name: document.name,
    description: document.description,
    required: document.required,
    allowedFileTypes: document.allowedFileTypes,
    multiple: document.multiple,
    reasonAllowed: document.reasonAllowed,
    kind: document.kind,
    options: document.options,
    min: document.min,
    max: document.max,
    decimals: document.decimals,
    format: document.format,
    confidential: document.confidential,
    showIf: document.showIf,
    asksValidUntil: document.asksValidUntil,
    renewDays: document.renewDays,
    attachments: document.attachments,
  };
}
