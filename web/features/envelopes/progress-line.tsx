import { useTranslation } from "react-i18next";
import { useFormat } from "../../lib/use-format";
import { receivedCount } from "./envelope-display";
import type { Envelope } from "./envelopes.queries";

/** "2 of 3 documents · due 3 Dec": the progress, and the last or next event. */
export function ProgressLine({ envelope }: { envelope: Envelope }) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const count = envelope.documents.length;
  const { status, progress, expirationDate, completedAt, sentAt, createdAt } = envelope;
  const amount =
    status === "draft"
      ? t("progress.asked", { count })
      : progress && progress.uploaded > 0
        ? t("progress.uploading", progress)
        : t("progress.received", { count, received: receivedCount(envelope) });
  const last = () => {
    if (status === "draft") return t("progress.notSent");
    if (status === "completed")
      return t("progress.completed", { when: format.when(completedAt ?? createdAt) });
    if (!expirationDate) return t("progress.sent", { when: format.when(sentAt ?? createdAt) });
    return t(status === "expired" ? "progress.expired" : "progress.due", {
      date: format.lastDay({ ...envelope, expirationDate }),
    });
  };
  return (
    <span>
      {amount} <span className="inline-block">· {last()}</span>
    </span>
  );
}
