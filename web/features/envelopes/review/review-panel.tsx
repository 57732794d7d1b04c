import { ArrowLeft, ArrowRight, Bell } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Disclosure } from "../../../components/ui/disclosure";
import { IconButton } from "../../../components/ui/icon-button";
import { useFormat } from "../../../lib/use-format";
import BulkDialog from "../bulk/bulk-dialog";
import { FileDeliveries } from "../detail/submitted-documents";
import type { Envelope } from "../envelopes.queries";
import type { EnvelopeDocument } from "./document-answers";
import { DocumentActions, DocumentReason, DocumentStateBadge, shownState } from "./document-state";
import type { ReviewItem } from "./review-items";
import type { Review } from "./use-review";
import { REVIEW_KEYS, type ReviewMode } from "./use-review-mode";
import { useOverdue } from "./use-review-queue";
import { Validity } from "./validity";

type ReviewPanelProps = {
  item: ReviewItem;
  review: Review;
  mode: ReviewMode;
  envelope: Envelope;
  onAskAgain: (document: EnvelopeDocument) => void;
};

/** The document in view with its actions, and the way to the next envelope. */
export function ReviewPanel({ item, review, mode, envelope, onAskAgain }: ReviewPanelProps) {
  const { t } = useTranslation("review");
  const { document, files } = item.answer;
  const { undecided, unseen, commands } = mode;
  const waiting = envelope.status === "pending";
  const deliveries = item.file?.deliveries ?? [];
  const isUnsent = review.pendingReturns.size > 0 || review.elsewhere.length > 0;
  return (
    <div className="space-y-3 border-line border-t p-3 min-h-0 not-short:overflow-y-auto max-lg:not-short:max-h-[40dvh]">
      {document && (
        <>
          {/* The list above has it, where there is room for it. */}
          <p className="hidden max-lg:low:block">
            <DocumentStateBadge state={shownState(document, review)} />
          </p>
          <DocumentReason document={document} review={review} />
          <Validity
            key={document.id}
            envelope={mode.envelope}
            document={document}
            mayChange={review.mayDecide}
            onEntered={() => mode.goOn()}
          />
          <div className="flex flex-wrap gap-2 empty:hidden">
            <DocumentActions
              document={document}
              review={{ ...review, accept: commands.accept }}
              // While a return waits, the one primary action is to send it.
              prominent={!isUnsent}
              loading={!mode.isShown}
              waiting={waiting}
              files={files}
              onAskAgain={() => onAskAgain(document)}
              onDecided={mode.focusViewer}
            />
          </div>
          {unseen > 0 && document.state === "received" && review.open && (
            <p className="text-ink-soft text-xs">{t("mode.unseen", { count: unseen })}</p>
          )}
        </>
      )}
      {deliveries.length > 0 && <FileDeliveries envelope={envelope} deliveries={deliveries} />}
      {undecided?.length === 0 && !mode.queue.isEmpty && !isUnsent && (
        <p className="text-good">{t("mode.done")}</p>
      )}
      {mode.reasons.map(
        (answer) =>
          answer.document && (
            <div key={answer.document.id} className="space-y-1.5 border-line border-t pt-3">
              <p className="break-words font-medium">{answer.name}</p>
              <DocumentReason document={answer.document} review={review} />
              <div className="flex flex-wrap gap-2">
                <DocumentActions
                  document={answer.document}
                  review={{ ...review, accept: () => mode.accept(answer) }}
                  waiting={waiting}
                  files={answer.files}
                  onAskAgain={() => answer.document && onAskAgain(answer.document)}
                  onDecided={mode.focusViewer}
                />
              </div>
            </div>
          ),
      )}
      <QueueLine mode={mode} done={undecided?.length === 0} isUnsent={isUnsent} />
      <Keys />
    </div>
  );
}

type QueueLineProps = { mode: ReviewMode; done: boolean; isUnsent: boolean };

/** The ways to the previous and the next envelope of the list; or that nothing is left to review in it. */
function QueueLine({ mode: { queue, commands }, done, isUnsent }: QueueLineProps) {
  const { t } = useTranslation(["review", "envelopes"]);
  const { next, goPrevious, isEmpty } = queue;
  if (done && isEmpty) return <NothingLeft list={queue.list} />;
  if (!next && !goPrevious) return null;
  return (
    <div className="flex items-center gap-2">
      {goPrevious && (
        <IconButton label={t("queue.previous")} icon={ArrowLeft} onClick={commands.previousClient} />
      )}
      {next && (
        <Button
          size="sm"
          variant={done && !isUnsent ? "primary" : "secondary"}
          loading={queue.going}
          className="ml-auto min-w-0 shrink! whitespace-normal! h-auto! min-h-8 py-1"
          onClick={commands.nextClient}
        >
          <span className="line-clamp-2 break-words text-left">
            {t("queue.next", { name: next.recipient || t("envelopes:noRecipient"), left: queue.left })}
          </span>
          {!queue.going && <ArrowRight aria-hidden />}
        </Button>
      )}
    </div>
  );
}

/** Says so, and what is overdue instead, which can be reminded. */
function NothingLeft({ list }: { list: ReviewMode["queue"]["list"] }) {
  const { t } = useTranslation(["review", "envelopes"]);
  const { rows, isMore } = useOverdue(list);
  const format = useFormat();
  const count = new Set(rows.map(({ recipient }) => recipient)).size;
  const [reminding, setReminding] = useState(false);
  return (
    <div role="status" className="space-y-2 border-line border-t pt-3">
      <p className="font-medium">{t("queue.empty")}</p>
      {rows.length > 0 && (
        <>
          <p>{t("queue.overdue", { count, number: `${format.number(count)}${isMore ? "+" : ""}` })}</p>
          <Button size="sm" onClick={() => setReminding(true)}>
            <Bell aria-hidden />
            {t("envelopes:remind.short")}
          </Button>
        </>
      )}
      {reminding && (
        <BulkDialog nested action="remind" envelopes={rows} onClose={() => setReminding(false)} />
      )}
    </div>
  );
}

const SYMBOLS: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→", "-": "−", N: "⇧ N" };

/** The keys and what they do. Touch screens have none. */
function Keys() {
  const { t } = useTranslation(["review", "envelopes"]);
  const labels = {
    next: t("mode.next"),
    previous: t("mode.previous"),
    accept: t("accept"),
    undo: t("undo"),
    askAgain: t("again"),
    send: t("send.submit"),
    nextClient: t("queue.nextClient"),
    previousClient: t("queue.previous"),
    download: t("envelopes:detail.download"),
    zoomIn: t("mode.zoomIn"),
    zoomOut: t("mode.zoomOut"),
    fit: t("mode.fit"),
    rotate: t("mode.rotate"),
  };
  return (
    <Disclosure className="touch:hidden max-lg:hidden" summary={t("mode.keys")}>
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
    </Disclosure>
  );
}
