import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { FileName } from "../../../components/ui/file-name";
import { cx } from "../../../lib/cx";
import { DocumentStateBadge, shownState } from "./document-state";
import type { ReviewItem } from "./review-items";
import type { Review } from "./use-review";

type ReviewListProps = {
  items: readonly ReviewItem[];
  current: ReviewItem;
  review: Review;
  onChoose: (item: ReviewItem) => void;
};

/**
 * Every file with its document and state. On a narrow screen each takes one line; if it is low as well, only the tool
 * bar goes through them.
 */
export function ReviewList({ items, current, review, onChoose }: ReviewListProps) {
  const { t } = useTranslation("review");
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const shown = list.current?.querySelector(`[data-file="${current.file.id}"]`);
    shown?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current.file.id]);
  return (
    <nav
      aria-label={t("mode.documents")}
      className="overflow-y-auto max-lg:max-h-30 max-lg:shrink-0 max-lg:low:hidden lg:min-h-24 lg:flex-1"
    >
      <ol ref={list} className="flex flex-col gap-1.5 p-3 max-lg:py-2">
        {items.map((item) => (
          <li key={item.file.id}>
            <button
              type="button"
              data-file={item.file.id}
              aria-current={item.file.id === current.file.id || undefined}
              onClick={() => onChoose(item)}
              className={cx(
                "flex w-full gap-x-2 gap-y-1 rounded-control border px-3 py-1.5 text-left max-lg:items-center lg:flex-col lg:py-2",
                item.file.id === current.file.id
                  ? "border-accent bg-accent-soft"
                  : "border-line bg-surface hover:bg-hover",
              )}
            >
              <span className="min-w-0 flex-1 font-medium break-words">{item.answer.name}</span>
              <span className="w-full text-ink-soft text-xs max-lg:hidden">
                <FileName name={item.file.fileName} truncated />
              </span>
              {item.answer.document && (
                <span
                  className={cx(
                    "shrink-0",
                    // The badge of a received document has the ground of the current row.
                    item.file.id === current.file.id && "[&>.bg-accent-soft]:bg-surface",
                  )}
                >
                  <DocumentStateBadge state={shownState(item.answer.document, review)} />
                </span>
              )}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
