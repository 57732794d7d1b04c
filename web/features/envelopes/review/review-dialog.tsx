import { DialogPanel, Dialog as HeadlessDialog } from "@headlessui/react";
import { X } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button";
import { RestoreFocus } from "../../../components/ui/restore-focus";
import { useEnvelopeTitle } from "../envelope-display";
import type { Envelope } from "../envelopes.queries";
import { useDownload } from "../use-download";
import { AskAgainDialog } from "./ask-again-dialog";
import { shownState } from "./document-actions";
import { nextUndecided, type ReviewItem, reviewItems } from "./review-items";
import { ReviewList } from "./review-list";
import { ReviewPanel } from "./review-panel";
import { ReviewToolbar } from "./review-toolbar";
import type { Review } from "./use-review";
import { useReviewKeys } from "./use-review-keys";
import { useZoom } from "./use-zoom";
import { FileViewer } from "./viewer/file-viewer";
import { isViewable } from "./viewer/viewable";

type ReviewDialogProps = {
  envelope: Envelope;
  review: Review;
  /** The file in view. */
  item: ReviewItem;
  onFile: (id: number) => void;
  onClose: () => void;
};

/** Goes through all files of an envelope: the file at the left, the documents and decisions at the right. */
export default function ReviewDialog({ envelope, review, item, onFile, onClose }: ReviewDialogProps) {
  const { t } = useTranslation(["review", "envelopes"]);
  const title = useEnvelopeTitle()(envelope);
  const viewer = useRef<HTMLElement>(null);
  const download = useDownload();
  const [returning, setReturning] = useState(false);
  const [page, setPage] = useState("");
  const view = useZoom(item.file.id);
  const items = reviewItems(envelope);
  const index = items.findIndex(({ file }) => file.id === item.file.id);
  const { document } = item.answer;
  const state = document && shownState(document, review);
  const readable = item.answer.files.some(({ url }) => url);
  const done =
    review.open &&
    !items.some(({ answer }) => answer.document && shownState(answer.document, review) === "received");

  const show = (next: ReviewItem | undefined) => {
    viewer.current?.focus({ preventScroll: true });
    if (!next || next.file.id === item.file.id) return;
    viewer.current?.scrollTo(0, 0);
    setPage("");
    onFile(next.file.id);
  };
  const showNextUndecided = () => show(nextUndecided(items, index, review));
  const commands = {
    previous: () => show(items[(index + items.length - 1) % items.length]),
    next: () => show(items[(index + 1) % items.length]),
    accept() {
      if (!document || !review.open || !readable || (state !== "received" && state !== "toReturn")) return;
      review.accept(document);
      showNextUndecided();
    },
    askAgain() {
      if (review.open && (state === "received" || state === "toReturn")) setReturning(true);
    },
    send() {
      if (review.pendingReturns.size > 0 && !review.expired && !review.sending)
        review.send({ onSent: onClose });
    },
    download() {
      if (item.file.url) download.file(item.file);
    },
    ...view.commands,
  };
  useReviewKeys(commands, !returning);

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
        <div className="flex items-center gap-3 border-line border-b px-3 py-2">
          <div className="min-w-0 flex-1">
            <h2 className="break-words text-base">{item.answer.name}</h2>
            <p className="break-words text-ink-soft text-xs max-sm:hidden">{title}</p>
          </div>
          <IconButton label={t("mode.back")} icon={X} side="bottom" onClick={onClose} />
        </div>
        <p aria-live="polite" className="sr-only">
          {item.answer.name}, {state && state !== "uploaded" && t(`states.${state}`)},{" "}
          {t("mode.position", { position: index + 1, count: items.length })}
        </p>
        <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
          <div className="flex min-h-0 min-w-0 flex-1 flex-col short:min-h-80">
            <ReviewToolbar
              commands={commands}
              zoom={view.zoom}
              position={index + 1}
              count={items.length}
              viewable={isViewable(item.file)}
              downloadable={item.file.url !== null}
              page={page}
            />
            <FileViewer
              file={item.file}
              zoom={view.zoom}
              rotation={view.rotation}
              viewer={viewer}
              onPage={setPage}
            />
          </div>
          <div className="flex flex-col border-line max-lg:border-t lg:w-80 lg:border-l">
            <ReviewList items={items} current={item} review={review} onChoose={show} />
            <ReviewPanel
              item={item}
              review={{ ...review, accept: commands.accept }}
              waiting={envelope.status === "pending"}
              done={done}
              onAskAgain={() => setReturning(true)}
              onDecided={() => viewer.current?.focus({ preventScroll: true })}
              onSent={onClose}
            />
          </div>
        </div>
        {returning && document && (
          <AskAgainDialog
            document={document}
            review={review}
            onAdded={showNextUndecided}
            onClose={() => setReturning(false)}
          />
        )}
      </DialogPanel>
    </HeadlessDialog>
  );
}
