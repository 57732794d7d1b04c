import { useTranslation } from "react-i18next";
import type { DocumentAnswer } from "./document-answers";
import { DocumentActions, DocumentReason, DocumentStateBadge, shownState } from "./document-state";
import type { ReviewItem } from "./review-items";
import type { Review } from "./use-review";
import { REVIEW_KEYS } from "./use-review-mode";

type ReviewPanelProps = {
  item: ReviewItem;
  review: Review;
  /** The envelope is waiting for a new answer. */
  waiting: boolean;
  /** The answers without a decision; null if there is nothing to decide. */
  undecided: readonly DocumentAnswer[] | null;
  onAskAgain: () => void;
  /** Called when the pressed button is about to be removed. */
  onDecided: () => void;
};

/** The document in view with its actions. */
export function ReviewPanel(props: ReviewPanelProps) {
  const { item, review, waiting, undecided, onAskAgain, onDecided } = props;
  const { t } = useTranslation("review");
  const { name, document, files } = item.answer;
  return (
    <div className="space-y-3 border-line border-t p-3 min-h-0 not-short:overflow-y-auto max-lg:not-short:max-h-[40dvh]">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="min-w-0 break-words font-medium">{name}</p>
        {document && <DocumentStateBadge state={shownState(document, review)} />}
      </div>
      {document && (
        <>
          <DocumentReason document={document} review={review} />
          <div className="flex flex-wrap gap-2 empty:hidden">
            <DocumentActions
              document={document}
              review={review}
              // While a return waits, the one primary action is to send it.
              prominent={review.pendingReturns.size === 0}
              waiting={waiting}
              files={files}
              onAskAgain={onAskAgain}
              onDecided={onDecided}
            />
          </div>
        </>
      )}
      {undecided?.length === 0 && <p className="text-good">{t("mode.done")}</p>}
      {/* Only the details show a reason that was given instead of a file. */}
      {undecided && undecided.length > 0 && undecided.every(({ files }) => files.length === 0) && (
        <p className="break-words text-warn">
          {t("mode.left", { names: undecided.map(({ name }) => name).join(", ") })}
        </p>
      )}
      <Keys />
    </div>
  );
}

const SYMBOLS: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→", "-": "−" };

/** The keys and what they do. Touch screens have none. */
function Keys() {
  const { t } = useTranslation(["review", "envelopes"]);
  const labels = {
    next: t("mode.next"),
    previous: t("mode.previous"),
    accept: t("accept"),
    askAgain: t("again"),
    send: t("send.submit"),
    download: t("envelopes:detail.download"),
    zoomIn: t("mode.zoomIn"),
    zoomOut: t("mode.zoomOut"),
    fit: t("mode.fit"),
    rotate: t("mode.rotate"),
  };
  return (
    <details className="touch:hidden max-lg:hidden">
      <summary className="w-fit cursor-pointer rounded-sm text-ink-soft text-xs">{t("mode.keys")}</summary>
      <dl className="mt-2 grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1 text-xs">
        {REVIEW_KEYS.map(([command, ...keys]) => (
          <div key={command} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-5 rounded-sm border border-line-strong px-1 text-center font-sans"
                >
                  {SYMBOLS[key] ?? key.toUpperCase()}
                </kbd>
              ))}
            </dt>
            <dd className="text-ink-soft">{labels[command]}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
