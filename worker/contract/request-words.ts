import type { EnvelopeRow } from "./envelopes";
import { isUnsent } from "./options";

type Reviewed = Pick<EnvelopeRow, "status" | "toReview">;

/** Whether something was submitted that is not reviewed yet. */
export const hasToReview = ({ status, toReview }: Reviewed): boolean =>
  status === "completed" && toReview > 0;

/** Whether everything was submitted, and accepted or nothing is left to review. */
export const isDone = ({ status, toReview }: Reviewed): boolean => status === "completed" && toReview === 0;

/** What tabs, bulk sends and the board count. Each request counts in all that hold: what is done was sent, too. */
export const COUNTED = {
  sent: ({ status }) => !isUnsent(status),
  opened: ({ status, opened }) => opened || status === "completed",
  submitted: ({ status }) => status === "completed",
  toReview: hasToReview,
  done: isDone,
} satisfies Record<string, (row: Reviewed & Pick<EnvelopeRow, "opened">) => boolean>;
export type CountedWord = keyof typeof COUNTED;

/** Until then, a message that waits is on its way. */
export const SENDING_MS = 10 * 60_000;

/** What is known of an envelope; a whole request does not say what is optional. */
type Marked = Reviewed &
  Pick<EnvelopeRow, "returned" | "overdue" | "delivery"> &
  Partial<Pick<EnvelopeRow, "opened" | "queuedSince">> & {
    /** The documents to ask for again, of which the recipient is not told yet: known to the browser alone. */
    unsent?: number;
  };

/** Whether a recipient who is still expected to answer did not get the last message. */
export function isUndelivered({ status, delivery, queuedSince }: Marked, now: Date): boolean {
  if (isUnsent(status) || status === "completed") return false;
  const waits = delivery === "pending" && now.getTime() - Date.parse(queuedSince ?? "") >= SENDING_MS;
  return waits || delivery === "failed";
}

/** What is said of an envelope beside its status, by weight. */
const MARKS = {
  toReview: hasToReview,
  unsent: ({ unsent = 0 }) => unsent > 0,
  askedAgain: ({ status, returned }) => status === "pending" && returned > 0,
  overdue: ({ overdue }) => overdue,
  notOpened: ({ status, opened, returned }) =>
    (status === "pending" || status === "expired") && opened === false && returned === 0,
  notDelivered: isUndelivered,
} satisfies Record<string, (row: Marked, now: Date) => boolean>;
export type Mark = keyof typeof MARKS;

/** The marks of an envelope, at most two, the weightiest first. */
export const marksOf = (row: Marked, now: Date): Mark[] =>
  (Object.keys(MARKS) as Mark[]).filter((mark) => MARKS[mark](row, now)).slice(0, 2);
