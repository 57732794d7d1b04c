import { useTranslation } from "react-i18next";
import type { Envelope, EnvelopeRow } from "../../../worker/contract/envelopes";
import { DEFAULT_DESCRIPTION, TITLE_PREFIX } from "../../../worker/contract/product";

export type { Envelope };
export type Submission = Envelope["submissions"][number];

/** A row without what only the server's rows have. */
export type RowOfEnvelope = Omit<EnvelopeRow, "opened" | "queuedSince">;

/** The envelope as a list shows it. */
export function rowOf(envelope: Envelope): RowOfEnvelope {
  const { id, subject, status, createdAt, sentAt, completedAt, dueDate, expirationDate } = envelope;
  const { remindedAt, isNew, delivery, overdue, sendOn, sendHour, documents, submissions, review } = envelope;
  const { filesDeletedAt } = envelope;
  return {
    ...{ id, subject, status, createdAt, sentAt, completedAt, dueDate, expirationDate },
    ...{ remindedAt, isNew, delivery, overdue },
    recipient: recipientOf(envelope) || null,
    assigneeId: envelope.userId,
    documents: documents.filter(({ state }) => state !== "hidden").length,
    questions: documents.filter(({ kind }) => kind !== "file").length,
    received: receivedCount(envelope),
    files: submissions.filter(({ superseded }) => !superseded).length,
    toReview: filesDeletedAt ? 0 : review.toReview,
    returned: review.returned,
    ...(status === "scheduled" && sendOn && { sendOn, sendHour: sendHour ?? 0 }),
  };
}

/** Whether a reminder can be sent to the recipient now. */
export const canRemind = ({ status, unsubscribedAt, notificationPreference }: Envelope): boolean =>
  status === "pending" && (unsubscribedAt === null || notificationPreference !== "email");

/** The recipient as the list shows it: the title without its prefix; "" if there is none. */
export function recipientOf({ title }: Pick<Envelope, "title">): string {
  const padded = `${title.trim()} `;
  return padded.startsWith(TITLE_PREFIX) ? padded.slice(TITLE_PREFIX.length).trim() : title;
}

/** Gives an envelope's title, which is stored in English, in the requestor's language. */
export function useEnvelopeTitle(): (envelope: Pick<Envelope, "title">) => string {
  const { t } = useTranslation("envelopes");
  return ({ title }) =>
    title.startsWith(TITLE_PREFIX) ? t("requestTitle", { name: title.slice(TITLE_PREFIX.length) }) : title;
}

/** Gives an envelope's description; the one of an envelope without a message in the requestor's language. */
export function useEnvelopeDescription(): (envelope: Pick<Envelope, "description">) => string {
  const { t } = useTranslation("envelopes");
  return ({ description }) => (description === DEFAULT_DESCRIPTION ? t("requestDescription") : description);
}

/** How many of the requested documents were submitted, without those that are needed again. */
export function receivedCount({
  documents,
  submissions,
}: Pick<Envelope, "documents" | "submissions">): number {
  const submitted = new Set(submissions.map(({ documentName }) => documentName));
  return documents.filter(
    ({ name, state, answered }) => state !== "returned" && (answered || submitted.has(name)),
  ).length;
}

/** The recipient's link on this site. */
export function submissionLink(token: string): string {
  return `${location.origin}/submit/${token}`;
}
