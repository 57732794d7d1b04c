import { type ReactNode, useEffect, useRef, useState } from "react";
import { useDownload } from "../download";
import type { Envelope } from "../envelopes.queries";
import { shownState } from "./document-state";
import { nextUndecided, type ReviewItem, reviewItems } from "./review-items";
import type { Review } from "./use-review";

export type ReviewModeProps = {
  envelope: Envelope;
  review: Review;
  item: ReviewItem;
  onFile: (id: number) => void;
  onClose: () => void;
  /** A dialog that asks something before it closes. */
  question: ReactNode;
};

/** What the review mode shows, and its commands by button and key. */
export function useReviewMode(props: ReviewModeProps) {
  const { envelope, review, item, onFile, onClose, question } = props;
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
  const decidable = state === "received" || state === "toReturn";

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
      if (!document || !decidable || !review.acceptable || !item.answer.files.some(({ url }) => url)) return;
      review.accept(document);
      showNextUndecided();
    },
    askAgain: () => decidable && review.open && setReturning(true),
    send() {
      if (review.mayDecide && review.pendingReturns.size > 0 && !review.expired && !review.sending)
        review.send({ onSent: onClose });
    },
    download: () => item.file.url && download.file(item.file),
    ...zoomCommands,
  };
  useReviewKeys(commands, !returning && !question);
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

const STEP = 1.25;
const LEAST = 0.25;
const MOST = 6;

/** How the file in view is shown; each file begins fitted and upright. */
function useZoom(fileId: number) {
  const [state, setState] = useState({ fileId, zoom: 1, rotation: 0 });
  const { zoom, rotation } = state.fileId === fileId ? state : { zoom: 1, rotation: 0 };
  const change = (next: { zoom?: number; rotation?: number }) =>
    setState({ fileId, zoom, rotation, ...next });
  return {
    zoom,
    rotation,
    commands: {
      zoomIn: () => change({ zoom: Math.min(MOST, zoom * STEP) }),
      zoomOut: () => change({ zoom: Math.max(LEAST, zoom / STEP) }),
      fit: () => change({ zoom: 1 }),
      rotate: () => change({ rotation: (rotation + 90) % 360 }),
    },
  };
}

/** The commands of the review mode, by key or by button. */
export type ReviewCommands = Record<
  "previous" | "next" | "accept" | "askAgain" | "send" | "download" | "zoomIn" | "zoomOut" | "fit" | "rotate",
  () => void
>;

/** In the order in which they are listed for the user. */
export const REVIEW_KEYS: readonly [command: keyof ReviewCommands, ...keys: string[]][] = [
  ["next", "ArrowRight", "j"],
  ["previous", "ArrowLeft", "k"],
  ["accept", "a"],
  ["askAgain", "r"],
  ["send", "s"],
  ["download", "d"],
  ["zoomIn", "+", "="],
  ["zoomOut", "-"],
  ["fit", "0", "f"],
  ["rotate", "t"],
];

/** Calls the command of a pressed key, unless something is being typed or another dialog is open. */
function useReviewKeys(commands: ReviewCommands, enabled: boolean): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    if (!enabled) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.target instanceof HTMLElement && event.target.matches("input, textarea, select")) return;
      const [command] = REVIEW_KEYS.find(([, ...keys]) => keys.includes(keyOf(event))) ?? [];
      if (!command) return;
      event.preventDefault();
      latest.current[command]();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [enabled]);
}

const keyOf = ({ key }: KeyboardEvent) => (key.length === 1 ? key.toLowerCase() : key);
