import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { Envelope } from "../../../worker/contract/envelopes";
import { LIMITS } from "../../../worker/contract/limits";
import { DEFAULT_DESCRIPTION, TITLE_PREFIX } from "../../../worker/contract/product";
import { toast } from "../../components/ui/toast-store";
import { api, type ListPage, listPage } from "../../lib/api";

/** Reads a page of a workspace's envelopes, or of those that a search finds. */
export const readEnvelopePage = (
  workspaceId: number,
  { cursor, search }: { cursor: string | undefined; search?: string },
) =>
  listPage(
    api.requests.$get({
      query: {
        ...{ workspaceId: String(workspaceId), limit: String(LIMITS.pageMax) },
        ...(cursor && { cursor }),
        ...(search && { search }),
      },
    }),
  ) as Promise<ListPage<Envelope>>;

export type { Envelope };
export type Submission = Envelope["submissions"][number];

/** Whether a reminder can be sent to the recipient now. */
export const canRemind = ({ status, unsubscribedAt, notificationPreference }: Envelope): boolean =>
  status === "pending" && (unsubscribedAt === null || notificationPreference !== "email");

/** The recipient as the list shows it: the title without its prefix; "" if there is none. */
export function recipientOf({ title }: Pick<Envelope, "title">): string {
  const padded = `${title.trim()} `;
  return padded.startsWith(TITLE_PREFIX) ? padded.slice(TITLE_PREFIX.length).trim() : title;
}

/** Name and addresses of the recipient, "Rita Recipient, rita@example.com"; "" if there is none. */
export function recipientLine(
  envelope: Pick<Envelope, "title" | "customerEmail" | "recipientPhone" | "notificationPreference">,
): string {
  const { customerEmail, recipientPhone, notificationPreference } = envelope;
  const reached = [
    notificationPreference !== "sms" && customerEmail,
    notificationPreference !== "email" && recipientPhone,
  ];
  return [recipientOf(envelope), ...reached].filter(Boolean).join(", ");
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
  const answered = new Set(submissions.map(({ documentName }) => documentName));
  return documents.filter(({ name, state }) => answered.has(name) && state !== "returned").length;
}

/** The recipient's link on this site. */
export function submissionLink(token: string): string {
  return `${location.origin}/submit/${token}`;
}

/** Before that, a waiting message is a normal one. */
const SENDING_MS = 5 * 60_000;

export type Undelivered = "failed" | "pending";

/** Whether the last message to a recipient who is still expected to answer failed or waits for a retry. */
export function undeliveredState(
  { status, delivery, sentAt }: Pick<Envelope, "status" | "delivery" | "sentAt">,
  now: Date,
): Undelivered | null {
  if (status === "draft" || status === "completed" || delivery === "ok") return null;
  const isSending = delivery === "pending" && now.getTime() - Date.parse(sentAt ?? "") < SENDING_MS;
  return isSending ? null : delivery;
}

/** Copies the recipient's link and shows a toast. @returns whether it was copied */
export function useCopyLink(): (token: string) => Promise<boolean> {
  const { t } = useTranslation("envelopes");
  return useCallback(
    async (token) => {
      try {
        await navigator.clipboard.writeText(submissionLink(token));
        toast({ title: t("detail.copied"), text: t("detail.copiedText") });
        return true;
      } catch {
        toast({ title: t("detail.copyFailed"), text: t("detail.copyFailedText"), destructive: true });
        return false;
      }
    },
    [t],
  );
}
