import { DialogPanel, Dialog as HeadlessDialog } from "@headlessui/react";
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button";
import { RestoreFocus } from "../../../components/ui/restore-focus";
import { addToastContainer } from "../../../components/ui/toast-store";
import { useEnvelopeTitle } from "../envelope";
import { AskAgainDialog } from "./ask-again-dialog";
import { undecidedAnswers } from "./review-items";
import { ReviewList } from "./review-list";
import { ReviewPanel } from "./review-panel";
import { ReviewToolbar } from "./review-toolbar";
import { SendReturns } from "./send-returns";
import { type ReviewModeProps, useReviewMode } from "./use-review-mode";
import { FileViewer } from "./viewer/file-viewer";
import { isViewable } from "./viewer/view";

/** Goes through all files of an envelope: the file at the left, the documents and decisions at the right. */
export default function ReviewDialog(props: ReviewModeProps) {
  const { envelope, review, item, onClose } = props;
  const { t } = useTranslation(["review", "envelopes"]);
  const title = useEnvelopeTitle()(envelope);
  const mode = useReviewMode(props);
  const { viewer, items, position, state, zoom, page, commands, setReturning } = mode;
  const { name, document } = item.answer;

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
        <ReviewHeader name={name} title={title} onClose={onClose} />
        <p aria-live="polite" className="sr-only">
          {name}, {state && state !== "uploaded" && t(`states.${state}`)},{" "}
          {t("mode.position", { position, count: items.length })}
        </p>
        <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
          <div className="relative flex min-h-0 min-w-0 flex-1 flex-col max-lg:not-short:min-h-44 short:min-h-80">
            <ReviewToolbar
              commands={commands}
              zoom={zoom}
              position={position}
              count={items.length}
              viewable={isViewable(item.file)}
              downloadable={item.file.url !== null}
              page={page}
            />
            <FileViewer
              file={item.file}
              zoom={zoom}
              rotation={mode.rotation}
              viewer={viewer}
              onPage={mode.setPage}
            />
            <div
              ref={addToastContainer}
              className="pointer-events-none absolute right-0 bottom-0 z-10 w-full sm:w-92"
            />
          </div>
          <div className="flex not-short:min-h-0 flex-col border-line max-lg:border-t lg:w-80 lg:border-l">
            <ReviewList items={items} current={item} review={review} onChoose={mode.show} />
            <ReviewPanel
              item={item}
              review={{ ...review, accept: commands.accept }}
              waiting={envelope.status === "pending"}
              undecided={undecidedAnswers(envelope, review)}
              onAskAgain={() => setReturning(true)}
              onDecided={mode.focusViewer}
            />
            {review.mayDecide && review.pendingReturns.size > 0 && (
              <div className="shrink-0 p-3 pt-0">
                <SendReturns review={review} onSent={onClose} onDiscarded={mode.focusViewer} />
              </div>
            )}
          </div>
        </div>
        {props.question}
        {mode.returning && document && (
          <AskAgainDialog
            document={document}
            review={review}
            onAdded={mode.showNextUndecided}
            onClose={() => setReturning(false)}
          />
        )}
      </DialogPanel>
    </HeadlessDialog>
  );
}

type ReviewHeaderProps = { name: string; title: string; onClose: () => void };

function ReviewHeader({ name, title, onClose }: ReviewHeaderProps) {
  const { t } = useTranslation("review");
  return (
    <div className="flex items-center gap-3 border-line border-b px-3 py-2">
      <div className="min-w-0 flex-1">
        <h2 className="break-words text-base">{name}</h2>
        <p className="break-words text-ink-soft text-xs max-sm:hidden">{title}</p>
      </div>
      <IconButton label={t("mode.back")} icon={X} side="bottom" onClick={onClose} />
    </div>
  );
}
