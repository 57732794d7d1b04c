import { useId } from "react";
import { LIMITS } from "../../../../worker/contract/limits";
import type { RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import type { SkipAnswer } from "./document-files";

type SkipFieldProps = SkipAnswer & {
  document: RequestedDocument;
  /** The id of the document's name. */
  describedBy: string;
  /** The id of the message about a missing reason. */
  problemId: string | null;
  onChange: (answer: SkipAnswer) => void;
};

/** "I don't have this", with a reason, which is needed for a required document. */
export function SkipField({
  document,
  describedBy,
  skipped,
  skipReason,
  problemId,
  onChange,
}: SkipFieldProps) {
  const { t } = useTexts();
  const id = useId();
  return (
    <div className="mt-3">
      <label className="flex w-fit cursor-pointer items-center gap-2.5 py-1">
        <input
          type="checkbox"
          checked={skipped}
          aria-describedby={describedBy}
          onChange={(event) => onChange({ skipped: event.currentTarget.checked, skipReason })}
          className="size-5 shrink-0"
        />
        <span>{t("skip.label")}</span>
      </label>
      {skipped && (
        <div className="mt-2 flex flex-col gap-1.5">
          <label htmlFor={id} className="text-ink-soft text-sm">
            {t(document.required ? "skip.reasonNeeded" : "skip.reason")}
          </label>
          <textarea
            id={id}
            rows={2}
            value={skipReason}
            maxLength={LIMITS.reason}
            onChange={(event) => onChange({ skipped, skipReason: event.currentTarget.value })}
            aria-required={document.required || undefined}
            aria-invalid={problemId ? true : undefined}
            aria-describedby={[describedBy, problemId].filter(Boolean).join(" ")}
            className={TEXTAREA}
          />
        </div>
      )}
    </div>
  );
}

/** The look of a field of several lines. */
export const TEXTAREA =
  "field-sizing-content max-h-60 min-h-16 w-full min-w-0 rounded-control border border-line-strong bg-surface px-3 py-2 text-ink transition-colors duration-150 hover:border-ink-soft focus-visible:outline-offset-1 aria-invalid:border-bad";

/** That the recipient does not have a document, and why. */
export const skipText = (t: ReturnType<typeof useTexts>["t"], reason: string): string =>
  reason ? t("skip.because", { reason }) : t("skip.label");
