import { TITLE_PREFIX } from "../../../worker/contract/product";
import type { Envelope } from "./envelopes.queries";

/** Who an envelope is for, as the list shows it: its title without the prefix; "" while nobody is named. */
export function recipientOf({ title }: Pick<Envelope, "title">): string {
  const padded = `${title.trim()} `;
  return padded.startsWith(TITLE_PREFIX) ? padded.slice(TITLE_PREFIX.length).trim() : title;
}

/** How many of the requested documents have come. */
export function receivedCount({
  documents,
  submissions,
}: Pick<Envelope, "documents" | "submissions">): number {
  const answered = new Set(submissions.map(({ documentName }) => documentName));
  return documents.filter(({ name }) => answered.has(name)).length;
}

/** The link the recipient opens, on this site. */
export function submissionLink(token: string): string {
  return `${location.origin}/submit/${token}`;
}
