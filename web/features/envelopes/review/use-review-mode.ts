import { useRef, useState } from "react";
import type { Envelope } from "../envelopes.queries";
import { useDownload } from "../use-download";
import { shownState } from "./document-actions";
import { nextUndecided, type ReviewItem, reviewItems } from "./review-items";
import type { Review } from "./use-review";
import { type ReviewCommands, useReviewKeys } from "./use-review-keys";
import { useZoom } from "./use-zoom";

export type ReviewModeProps = {
  envelope: Envelope;
  review: Review;
  /** The file in view. */
  item: ReviewItem;
  onFile: (id: number) => void;
  onClose: () => void;
};

/** What the review mode shows, and its commands by button and key. */
export function useReviewMode({ envelope, review, item, onFile, onClose }: ReviewModeProps) {
  const viewer = useRef<HTMLElement>(null);
  const download = useDownload();
  const [returning, setReturning] = useState(false);
  /** The page in view, of a PDF. */
  const [page, setPage] = useState("");
  const { zoom, rotation, commands: zoomCommands } = useZoom(item.file.id);
  const items = reviewItems(envelope);
  const index = items.findIndex(({ file }) => file.id === item.file.id);
  const { document } = item.answer;
  const state = document && shownState(document, review);
  const decidable = review.open && (state === "received" || state === "toReturn");

  const focusViewer = () => viewer.current?.focus({ preventScroll: true });
  const show = (next: ReviewItem | undefined) => {
    focusViewer();
    if (!next || next.file.id === item.file.id) return;
    viewer.current?.scrollTo(0, 0);
    setPage("");
    onFile(next.file.id);
  };
  const showNextUndecided = () => show(nextUndecided(items, index, review));
  const commands: ReviewCommands = {
    previous: () => show(items[(index + items.length - 1) % items.length]),
    next: () => show(items[(index + 1) % items.length]),
    accept() {
      if (!document || !decidable || !item.answer.files.some(({ url }) => url)) return;
      review.accept(document);
      showNextUndecided();
    },
    askAgain: () => decidable && setReturning(true),
    send() {
      if (review.pendingReturns.size > 0 && !review.expired && !review.sending)
        review.send({ onSent: onClose });
    },
    download: () => item.file.url && download.file(item.file),
    ...zoomCommands,
  };
  useReviewKeys(commands, !returning);
  return {
    viewer,
    focusViewer,
    items,
    position: index + 1,
    state,
    returning,
    setReturning,
    page,
    setPage,
    zoom,
    rotation,
    show,
    showNextUndecided,
    commands,
  };
}
