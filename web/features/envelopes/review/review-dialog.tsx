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
import { ReviewList } from "./review-list";
import { ReviewPanel } from "./review-panel";
import { nextUndecided, type ReviewStop, stopsOf } from "./review-stops";
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
  stop: ReviewStop;
  onFile: (id: number) => void;
  onClose: () => void;
};

/** Goes through all files of an envelope: the file at the left, the documents and decisions at the right. */
export default function ReviewDialog({ envelope, review, stop, onFile, onClose }: ReviewDialogProps) {
  const { t } = useTranslation(["review", "envelopes"]);
  const title = useEnvelopeTitle()(envelope);
  const viewer = useRef<HTMLElement>(null);
  const download = useDownload();
  const [asking, setAsking] = useState(false);
  const [page, setPage] = useState("");
  const view = useZoom(stop.file.id);
  const stops = stopsOf(envelope);
  const index = stops.findIndex(({ file }) => file.id === stop.file.id);
  const { document } = stop.answer;
  const state = document && shownState(document, review);
  const readable = stop.answer.files.some(({ url }) => url);
  const done =
    review.open &&
    !stops.some(({ answer }) => answer.document && shownState(answer.document, review) === "received");

  const show = (next: ReviewStop | undefined) => {
    viewer.current?.focus({ preventScroll: true });
    if (!next || next.file.id === stop.file.id) return;
    viewer.current?.scrollTo(0, 0);
    setPage("");
    onFile(next.file.id);
  };
  const showNextUndecided = () => show(nextUndecided(stops, index, review));
  const commands = {
    previous: () => show(stops[(index + stops.length - 1) % stops.length]),
    next: () => show(stops[(index + 1) % stops.length]),
    accept() {
      if (!document || !review.open || !readable || (state !== "received" && state !== "toReturn")) return;
      review.accept(document);
      showNextUndecided();
    },
    askAgain() {
      if (review.open && (state === "received" || state === "toReturn")) setAsking(true);
    },
    send() {
      if (review.pendingReturns.size > 0 && !review.expired && !review.sending)
        review.send({ onSent: onClose });
    },
    download() {
      if (stop.file.url) download.file(stop.file);
    },
    ...view.commands,
  };
  useReviewKeys(commands, !asking);

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
            <h2 className="break-words text-base">{stop.answer.name}</h2>
            <p className="break-words text-ink-soft text-xs max-sm:hidden">{title}</p>
          </div>
          <IconButton label={t("mode.back")} icon={X} side="bottom" onClick={onClose} />
        </div>
        <p aria-live="polite" className="sr-only">
          {stop.answer.name}, {state && state !== "uploaded" && t(`states.${state}`)},{" "}
          {t("mode.position", { position: index + 1, count: stops.length })}
        </p>
        <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
          <div className="flex min-h-0 min-w-0 flex-1 flex-col short:min-h-80">
            <ReviewToolbar
              commands={commands}
              zoom={view.zoom}
              position={index + 1}
              count={stops.length}
              viewable={isViewable(stop.file)}
              downloadable={stop.file.url !== null}
              page={page}
            />
            <FileViewer
              file={stop.file}
              zoom={view.zoom}
              rotation={view.rotation}
              viewer={viewer}
              onPage={setPage}
            />
          </div>
          <div className="flex flex-col border-line max-lg:border-t lg:w-80 lg:border-l">
            <ReviewList stops={stops} current={stop} review={review} onChoose={show} />
            <ReviewPanel
              stop={stop}
              review={{ ...review, accept: commands.accept }}
              waiting={envelope.status === "pending"}
              done={done}
              onAskAgain={() => setAsking(true)}
              onDecided={() => viewer.current?.focus({ preventScroll: true })}
              onSent={onClose}
            />
          </div>
        </div>
        {asking && document && (
          <AskAgainDialog
            document={document}
            review={review}
            onAdded={showNextUndecided}
            onClose={() => setAsking(false)}
          />
        )}
      </DialogPanel>
    </HeadlessDialog>
  );
}
