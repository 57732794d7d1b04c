import { useTranslation } from "react-i18next";
import { useFormat } from "../../lib/use-format";
import type { BulkSend } from "./bulk-sends.queries";

/** How many are reviewed, or have nothing to review. */
export const doneOf = ({ completed, toReview }: Pick<BulkSend, "completed" | "toReview">) =>
  completed - toReview;

/** "Tax return 2025: 31 of 40 done", or how many are sent so far; the day tells those of a series apart. */
export function useGroupText() {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  return ({ series, finished, created, total, failed, ...group }: Omit<BulkSend, "workspaceId">) => {
    const done = finished ? doneOf(group) : created + failed.length;
    const subject = series ? `${series.name} · ${format.day(series.day)}` : group.subject;
    const counts = { subject, done: format.number(done), total: format.number(total) };
    return t(finished ? "groups.done" : "groups.sending", counts);
  };
}
