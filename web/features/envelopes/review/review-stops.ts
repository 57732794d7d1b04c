import type { Envelope, Submission } from "../envelopes.queries";
import { answersOf, type DocumentAnswer } from "./document-answers";
import type { Review } from "./use-review";

/** A file in the order in which a review goes through them, with the answer that it is part of. */
export type ReviewStop = { file: Submission; answer: DocumentAnswer };

export function stopsOf(envelope: Envelope): ReviewStop[] {
  return answersOf(envelope).flatMap((answer) => answer.files.map((file) => ({ file, answer })));
}

/** The next file, after this index and then from the start, whose document is not decided. */
export function nextUndecided(
  stops: readonly ReviewStop[],
  index: number,
  review: Pick<Review, "pendingReturns">,
): ReviewStop | undefined {
  const decided = stops[index]?.answer.document;
  const rest = [...stops.slice(index + 1), ...stops.slice(0, Math.max(0, index))];
  return rest.find(
    ({ answer: { document } }) =>
      document?.state === "received" &&
      document.id !== decided?.id &&
      !review.pendingReturns.has(document.id),
  );
}

/** Where a review begins: at the first document that is not decided. */
export function firstStop(
  envelope: Envelope,
  review: Pick<Review, "pendingReturns">,
): ReviewStop | undefined {
  const stops = stopsOf(envelope);
  return nextUndecided(stops, -1, review) ?? stops[0];
}

/** Whether the review mode goes through this file, which it does unless a newer one replaced it. */
export const isReviewed = (envelope: Envelope, { id }: Submission) =>
  stopsOf(envelope).some(({ file }) => file.id === id);

/** The file with this id, or the first one if there is no such file any more. */
export function stopAt(envelope: Envelope, fileId: number): ReviewStop | undefined {
  const stops = stopsOf(envelope);
  return stops.find(({ file }) => file.id === fileId) ?? stops[0];
}
