import { useTranslation } from "react-i18next";
import { DEFAULT_DESCRIPTION, TITLE_PREFIX } from "../../../worker/contract/product";
import type { Envelope } from "./envelope";

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

/** How many of the requested documents were submitted. */
export function receivedCount({
  documents,
  submissions,
}: Pick<Envelope, "documents" | "submissions">): number {
  const answered = new Set(submissions.map(({ documentName }) => documentName));
  return documents.filter(({ name }) => answered.has(name)).length;
}

/** The recipient's link on this site. */
export function submissionLink(token: string): string {
  return `${location.origin}/submit/${token}`;
}
