import { awaitsReview } from "../../../../worker/contract/awaits-review";
import type { Envelope, Submission } from "../envelopes.queries";
import { answersOf, type DocumentAnswer } from "./document-answers";
import type { Review } from "./use-review";

/** One file of a review, with the answer that it is part of; or the answer to a question, which has no file. */
export type ReviewItem = { file: Submission | undefined; answer: DocumentAnswer };

/** All files and answered questions of an envelope, in the order of their review. */
export function reviewItems(envelope: Envelope): ReviewItem[] {
  return answersOf(envelope).flatMap((answer): ReviewItem[] =>
    isAnsweredQuestion(answer)
      ? [{ file: undefined, answer }]
      : answer.files.map((file) => ({ file, answer })),
  );
}

const isAnsweredQuestion = ({ document }: DocumentAnswer) =>
  document !== undefined && document.kind !== "file" && document.answered;

/** What distinguishes it from the other ones of its envelope. */
export const keyOfItem = ({ file, answer }: ReviewItem) => (file ? file.id : `answer ${answer.document?.id}`);

/** The address of an item in the URL. */
export const placeOf = ({ file, answer }: ReviewItem): OverDetails =>
  file ? { review: file.id } : { document: answer.document?.id };

/** Whether it is only a reason that was given instead of files or an answer. */
export const isReason = (answer: DocumentAnswer) => answer.files.length === 0 && !isAnsweredQuestion(answer);

/** The next item, after this index and then from the start, whose document is not decided. */
export function nextUndecided(
  items: readonly ReviewItem[],
  index: number,
  review: Pick<Review, "pendingReturns">,
): ReviewItem | undefined {
  const decided = items[index]?.answer.document;
  const rest = [...items.slice(index + 1), ...items.slice(0, Math.max(0, index))];
  return rest.find(
    ({ answer: { document } }) =>
      document?.state === "received" &&
      document.id !== decided?.id &&
      !review.pendingReturns.has(document.id),
  );
}

/**
 * The answers of a submitted envelope that have no decision: files, answered questions, and reasons given instead. Null
 * if nothing is to be decided, because the envelope is not submitted.
 */
export function undecidedAnswers(
  envelope: Pick<Envelope, "documents" | "submissions">,
  { open, pendingReturns }: Pick<Review, "open" | "pendingReturns">,
): DocumentAnswer[] | null {
  if (!open) return null;
  return answersOf(envelope).filter(
    ({ document }) => document && awaitsReview(document) && !pendingReturns.has(document.id),
  );
}

/** The item at which a review begins: that of the first document that is not decided. */
function firstItem(envelope: Envelope, review: Pick<Review, "pendingReturns">): ReviewItem | undefined {
  const items = reviewItems(envelope);
  return nextUndecided(items, -1, review) ?? items[0];
}

/** Whether the review mode shows this file: all files except replaced ones. */
export const isReviewed = (envelope: Envelope, { id }: Submission) =>
  reviewItems(envelope).some(({ file }) => file?.id === id);

/** What the URL opens over the list beside the envelope. */
export type OverDetails = {
  /** The submitted file whose details are open. */
  file?: number | undefined;
  /** The file that the review mode shows, or `next` for the first one that is not decided. */
  review?: number | "next" | undefined;
  /** The requested document whose file or answer the review mode shows. */
  document?: number | undefined;
  /** Where the review mode was opened, if not from the details. It leads back there. */
  from?: "list" | "board" | undefined;
};

/** What the review mode shows; undefined if it is not open. */
export function shownItem(
  envelope: Envelope,
  { review: fileId, document: documentId }: OverDetails,
  review: Pick<Review, "pendingReturns">,
): ReviewItem | undefined {
  const items = reviewItems(envelope);
  if (documentId !== undefined) return items.find(({ answer }) => answer.document?.id === documentId);
  if (fileId === undefined) return undefined;
  // The file may not exist any more.
  return items.find(({ file }) => file?.id === fileId) ?? firstItem(envelope, review);
}
