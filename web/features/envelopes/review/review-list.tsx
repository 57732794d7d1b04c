import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../../../lib/cx";
import { shownState } from "./document-actions";
import { DocumentStateBadge } from "./document-state-badge";
import type { ReviewStop } from "./review-stops";
import type { Review } from "./use-review";

type ReviewListProps = {
  stops: readonly ReviewStop[];
  current: ReviewStop;
  review: Review;
  onChoose: (stop: ReviewStop) => void;
};

/** Every file with its document and state. On a narrow screen it is one row that scrolls. */
export function ReviewList({ stops, current, review, onChoose }: ReviewListProps) {
  const { t } = useTranslation("review");
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const shown = list.current?.querySelector(`[data-file="${current.file.id}"]`);
    shown?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current.file.id]);
  return (
    <nav
      aria-label={t("mode.documents")}
      className="max-lg:overflow-x-auto lg:min-h-24 lg:flex-1 lg:overflow-y-auto"
    >
      <ol ref={list} className="flex gap-1.5 p-3 lg:flex-col">
        {stops.map((stop) => (
          <li key={stop.file.id} className="max-lg:max-w-52 max-lg:shrink-0">
            <button
              type="button"
              data-file={stop.file.id}
              aria-current={stop.file.id === current.file.id || undefined}
              onClick={() => onChoose(stop)}
              className={cx(
                "flex w-full flex-col items-start gap-1 rounded-control border px-3 py-2 text-left",
                stop.file.id === current.file.id
                  ? "border-accent bg-accent-soft"
                  : "border-line bg-surface hover:bg-hover",
              )}
            >
              <span className="w-full truncate font-medium lg:whitespace-normal lg:break-words">
                {stop.answer.name}
              </span>
              <span className="w-full truncate text-ink-soft text-xs">{stop.file.fileName}</span>
              {stop.answer.document && (
                <DocumentStateBadge state={shownState(stop.answer.document, review)} />
              )}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
