import { useTranslation } from "react-i18next";
import { ApiError } from "../../../lib/api";
import { errorText } from "../../../lib/error-text";
import { useEnvelopeTitle } from "../envelope-display";
import type { BulkAction, BulkResult } from "./bulk-actions";

const NAMED_FAILURES = 20;

type BulkOutcomeProps = { action: BulkAction; result: BulkResult };

/** Says what was done, what was not begun, and why the rest failed. */
export function BulkOutcome({ action, result: { done, stopped, failures } }: BulkOutcomeProps) {
  const { t, i18n } = useTranslation(["envelopes", "errors", "validation"]);
  const titleOf = useEnvelopeTitle();
  const reasonOf = (error: unknown) =>
    error instanceof ApiError && error.code === "rate_limited" && action === "remind"
      ? t("remind.tooSoon")
      : errorText(error, i18n.t);
  return (
    <div role="status" className="flex flex-col gap-3">
      {done > 0 && <p>{t(`bulk.${action}.done`, { count: done })}</p>}
      {stopped > 0 && <p>{t("bulk.stopped", { count: stopped })}</p>}
      {failures.length > 0 && (
        <ul className="flex flex-col gap-2">
          {failures.slice(0, NAMED_FAILURES).map(({ envelope, error }) => (
            <li key={envelope.id} className="break-words">
              {action !== "download" && (
                <span className="block font-medium">{envelope.subject || titleOf(envelope)}</span>
              )}
              <span className="text-bad">{reasonOf(error)}</span>
            </li>
          ))}
          {failures.length > NAMED_FAILURES && (
            <li>{t("bulk.more", { count: failures.length - NAMED_FAILURES })}</li>
          )}
        </ul>
      )}
    </div>
  );
}
