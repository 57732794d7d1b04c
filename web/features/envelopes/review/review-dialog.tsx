import { DialogPanel, Dialog as HeadlessDialog } from "@headlessui/react";
import { ArrowLeft, ArrowRight, Download, RotateCw, Scan, X, ZoomIn, ZoomOut } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { FileName } from "../../../components/ui/file-name";
import { IconButton } from "../../../components/ui/icon-button";
import { RestoreFocus } from "../../../components/ui/restore-focus";
import { addToastContainer } from "../../../components/ui/toast-store";
import { cx } from "../../../lib/cx";
import { useFormat } from "../../../lib/use-format";
import { recipientOf, useEnvelopeTitle } from "../envelope";
import type { Envelope } from "../envelopes.queries";
import { AskAgainDialog } from "./ask-again-dialog";
import { DocumentStateBadge, shownState } from "./document-state";
import { QuestionAnswer } from "./question-answer";
import { keyOfItem, type ReviewItem } from "./review-items";
import { ReviewPanel } from "./review-panel";
import { SendReturns } from "./send-returns";
import type { Review } from "./use-review";
import { type ReviewCommands, type ReviewModeProps, useReviewMode } from "./use-review-mode";
import { FileViewer, FOCUSABLE } from "./viewer/file-viewer";
import { isViewable } from "./viewer/view";

/** Goes through all files and answers of an envelope: one at the left, the documents and decisions at the right. */
export default function ReviewDialog(props: ReviewModeProps) {
  const { envelope, review, item, onClose } = props;
  const { t } = useTranslation(["review", "envelopes"]);
  const title = useEnvelopeTitle()(envelope);
  const mode = useReviewMode(props);
  const { viewer, items, position, state, zoom, page, commands, setReturning } = mode;
  const { name } = item.answer;
  const recipient = recipientOf(envelope);

  return (
    <HeadlessDialog
      open
      onClose={onClose}
      initialFocus={viewer}
      aria-label={t("mode.label", { title })}
      className="fixed inset-0 z-45"
    >
      <DialogPanel className="appear flex h-dvh flex-col bg-surface text-ink short:h-auto short:max-h-dvh short:overflow-y-auto">
        <RestoreFocus nested />
        <ReviewHeader name={name} envelope={envelope} onClose={onClose} />
        {review.mayDecide && (
          <SendReturns
            review={{ ...review, send: mode.sendReturns }}
            elsewhere={review.elsewhere}
            onSent={() => mode.goOn()}
            onDiscarded={mode.focusViewer}
          />
        )}
        <p aria-live="polite" className="sr-only">
          {[
            recipient,
            name,
            state && state !== "uploaded" && t(`states.${state}`),
            t("mode.position", { position, count: items.length }),
          ]
            .filter(Boolean)
            .join(", ")}
        </p>
        <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
          <div className="relative flex min-h-0 min-w-0 flex-1 flex-col max-lg:not-short:min-h-44 short:min-h-80">
            <ReviewToolbar
              commands={commands}
              zoom={zoom}
              position={position}
              count={items.length}
              viewable={item.file !== undefined && isViewable(item.file)}
              downloadable={Boolean(item.file?.url)}
              page={page}
            />
            <FileViewer
              file={item.file}
              name={name}
              zoom={zoom}
              rotation={mode.rotation}
              viewer={viewer}
              onPage={mode.setPage}
              onShown={mode.onShown}
            >
              {item.answer.document && (
                <QuestionAnswer
                  key={item.answer.document.id}
                  envelope={envelope}
                  document={item.answer.document}
                />
              )}
            </FileViewer>
            <div
              ref={addToastContainer}
              className="pointer-events-none absolute right-0 bottom-0 z-10 w-full sm:w-92"
            />
          </div>
          <div className="flex not-short:min-h-0 flex-col border-line max-lg:border-t lg:w-80 lg:border-l">
            <ReviewList items={items} current={item} review={review} onChoose={mode.show} />
            <ReviewPanel
              item={item}
              review={review}
              mode={mode}
              envelope={envelope}
              onAskAgain={setReturning}
            />
          </div>
        </div>
        {props.question}
        {mode.returning && (
          <AskAgainDialog
            document={mode.returning}
            review={review}
            onAdded={() => mode.goOn()}
            onClose={() => setReturning(undefined)}
          />
        )}
      </DialogPanel>
    </HeadlessDialog>
  );
}

type ReviewHeaderProps = { name: string; envelope: Envelope; onClose: () => void };

/** Whose document it is, and what its recipient wrote, also on a phone. */
function ReviewHeader({ name, envelope: { title, subject, note }, onClose }: ReviewHeaderProps) {
  const { t } = useTranslation(["review", "common"]);
  return (
    <div className="border-line border-b px-3 py-2">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <p title={subject ?? undefined} className="line-clamp-2 break-words text-ink-soft">
            <span className="font-medium text-ink">{recipientOf({ title })}</span>
            {subject && <span>{` · ${subject}`}</span>}
          </p>
          <h2 className="break-words text-base">{name}</h2>
        </div>
        <IconButton label={t("common:close")} icon={X} side="bottom-end" onClick={onClose} />
      </div>
      {note && (
        <section
          aria-label={t("note")}
          {...FOCUSABLE}
          className="mt-1 max-h-16 overflow-y-auto whitespace-pre-wrap break-words rounded-control bg-sunken px-2 py-1 text-xs"
        >
          {t("common:labelled", { label: t("note"), value: note })}
        </section>
      )}
    </div>
  );
}

type ReviewToolbarProps = {
  commands: ReviewCommands;
  zoom: number;
  position: number;
  count: number;
  /** Whether the file can be enlarged and rotated. */
  viewable: boolean;
  downloadable: boolean;
  /** The page in view, of a PDF. */
  page: string;
};

function ReviewToolbar(props: ReviewToolbarProps) {
  const { commands, zoom, position, count, viewable, downloadable, page } = props;
  const { t } = useTranslation(["review", "envelopes"]);
  const format = useFormat();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-3 py-1.5 max-sm:gap-x-1 max-sm:px-2">
      <div className="flex items-center gap-0.5">
        <IconButton label={t("mode.previous")} icon={ArrowLeft} side="bottom" onClick={commands.previous} />
        <span className="whitespace-nowrap text-ink-soft text-xs tabular-nums">
          {t("mode.position", { position, count })}
        </span>
        <IconButton label={t("mode.next")} icon={ArrowRight} side="bottom" onClick={commands.next} />
      </div>
      {viewable && (
        <div className="flex items-center gap-0.5 max-sm:order-1">
          <IconButton label={t("mode.zoomOut")} icon={ZoomOut} side="bottom" onClick={commands.zoomOut} />
          <span className="w-10 text-center text-ink-soft text-xs tabular-nums">{format.percent(zoom)}</span>
          <IconButton label={t("mode.zoomIn")} icon={ZoomIn} side="bottom" onClick={commands.zoomIn} />
          <IconButton label={t("mode.fit")} icon={Scan} side="bottom" onClick={commands.fit} />
          <IconButton label={t("mode.rotate")} icon={RotateCw} side="bottom" onClick={commands.rotate} />
        </div>
      )}
      <span className="text-ink-soft text-xs tabular-nums max-sm:order-1">{page}</span>
      {downloadable && (
        <span className="ml-auto">
          <IconButton
            label={t("envelopes:detail.download")}
            icon={Download}
            side="bottom"
            onClick={commands.download}
          />
        </span>
      )}
    </div>
  );
}

type ReviewListProps = {
  items: readonly ReviewItem[];
  current: ReviewItem;
  review: Review;
  onChoose: (item: ReviewItem) => void;
};

/**
 * Every file and answer with its document and state. On a narrow screen each takes one line, with its own name if its document has
 * several; if it is low as well, only the tool bar goes through them.
 */
function ReviewList({ items, current, review, onChoose }: ReviewListProps) {
  const { t } = useTranslation("review");
  const list = useRef<HTMLOListElement>(null);
  const shown = keyOfItem(current);
  useEffect(() => {
    const row = list.current?.querySelector(`[data-item="${shown}"]`);
    row?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [shown]);
  return (
    <nav
      aria-label={t("mode.documents")}
      className="overflow-y-auto max-lg:max-h-30 max-lg:shrink-0 max-lg:low:hidden lg:min-h-24 lg:flex-1"
    >
      <ol ref={list} className="flex flex-col gap-1.5 p-3 max-lg:py-2">
        {items.map((item) => (
          <li key={keyOfItem(item)}>
            <button
              type="button"
              data-item={keyOfItem(item)}
              aria-current={keyOfItem(item) === shown || undefined}
              onClick={() => onChoose(item)}
              className={cx(
                "flex w-full gap-x-2 gap-y-1 rounded-control border px-3 py-1.5 text-left max-lg:items-center lg:flex-col lg:py-2",
                keyOfItem(item) === shown
                  ? "border-accent bg-accent-soft"
                  : "border-line bg-surface hover:bg-hover",
              )}
            >
              <span
                className={cx(
                  "min-w-0 flex-1 font-medium break-words",
                  item.answer.files.length > 1 && "max-lg:hidden",
                )}
              >
                {item.answer.name}
              </span>
              {item.file && (
                <span
                  className={cx(
                    "w-full min-w-0 text-ink-soft text-xs",
                    item.answer.files.length > 1 ? "max-lg:flex-1" : "max-lg:hidden",
                  )}
                >
                  <FileName name={item.file.fileName} truncated />
                </span>
              )}
              {item.answer.document && (
                <span
                  className={cx(
                    "shrink-0",
                    // The badge of a received document has the ground of the current row.
                    keyOfItem(item) === shown && "[&>.bg-accent-soft]:bg-surface",
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
