import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { dismissToast, toast } from "../../../components/ui/toast-store";
import { createStore } from "../../../lib/store";
import { useDownload } from "../download";
import { recipientOf } from "../envelope";
import type { Envelope } from "../envelopes.queries";
import { type DocumentAnswer, type EnvelopeDocument, isAcceptable } from "./document-answers";
import { shownState } from "./document-state";
import {
  isReason,
  keyOfItem,
  nextUndecided,
  type ReviewItem,
  reviewItems,
  undecidedAnswers,
} from "./review-items";
import type { Review, SendOptions } from "./use-review";
import { type QueueView, useReviewQueue } from "./use-review-queue";
import { lacksDay } from "./validity";

export type ReviewModeProps = {
  envelope: Envelope;
  review: Review;
  item: ReviewItem;
  onItem: (item: ReviewItem) => void;
  /** The list that it goes through. */
  list: QueueView;
  /** Goes to another envelope: to this item of it, or to the next one to review. */
  onEnvelope: (id: number, item?: ReviewItem) => void;
  onClose: () => void;
  /** A dialog that asks something before it closes. */
  question: ReactNode;
};

/** The files and answers, by their keys, that the review mode has shown since the page was loaded. */
const shownItems = createStore<ReadonlySet<number | string>>(new Set());

function markAsShown(key: number | string): void {
  if (!shownItems.get().has(key)) shownItems.set(new Set(shownItems.get()).add(key));
}

/** A second acceptance within this time is a mistake. */
const PAUSE_MS = 1000;
const UNDO_MS = 10_000;

export type ReviewMode = ReturnType<typeof useReviewMode>;

/** What the review mode shows, and its commands by button and key. */
export function useReviewMode(props: ReviewModeProps) {
  const { envelope, review, item, onItem, onEnvelope, question } = props;
  const { t } = useTranslation(["review", "common"]);
  const viewer = useRef<HTMLElement>(null);
  const download = useDownload();
  /** The document that is asked for again. */
  const [returning, setReturning] = useState<EnvelopeDocument>();
  /** The page in view, of a PDF. */
  const [page, setPage] = useState("");
  const key = keyOfItem(item);
  const { zoom, rotation, commands: zoomCommands } = useZoom(key);
  const items = reviewItems(envelope);
  const index = items.findIndex((other) => keyOfItem(other) === key);
  const { document } = item.answer;
  const state = document && shownState(document, review);
  const decidable = state === "received" || state === "toReturn";
  const undecided = undecidedAnswers(envelope, review);
  /** Reasons that were given instead of files and answers, once nothing else is to be decided. */
  const reasons = undecided?.every(isReason) ? undecided : NO_ANSWERS;
  const shown = shownItems.use();
  const onShown = useCallback(() => markAsShown(key), [key]);
  const { files } = item.answer;
  const position = files.findIndex(({ id }) => id === key);
  const rest = [...files.slice(position + 1), ...files.slice(0, position)];
  const unseen = rest.filter(({ id }) => !shown.has(id));
  const queue = useReviewQueue(envelope, props.list, onEnvelope);
  const acceptedAt = useRef(0);
  const undoable = useRef<{ undo: () => void; until: number }>(undefined);

  const focusViewer = () => viewer.current?.focus({ preventScroll: true });
  const show = (next: ReviewItem | undefined) => {
    focusViewer();
    if (!next || keyOfItem(next) === key) return;
    viewer.current?.scrollTo(0, 0);
    setPage("");
    onItem(next);
  };
  /** The next file to decide, of this envelope or of the next one. */
  const goOn = (decided?: DocumentAnswer) => {
    // The pressed button may be removed.
    focusViewer();
    const next = nextUndecided(items, index, review);
    if (next) show(next);
    else if (
      undecided?.every((answer) => answer === decided || answer.document?.id === decided?.document?.id)
    )
      queue.goNext();
  };
  const accept = (answer: DocumentAnswer) => {
    const { document } = answer;
    if (!document) return;
    review.accept(document);
    const undo = () => {
      undoable.current = undefined;
      review.undoAccepted(envelope.id, document.id);
      onEnvelope(envelope.id, item);
    };
    undoable.current = { undo, until: Date.now() + UNDO_MS };
    toast({
      title: t("mode.accepted", { name: document.name }),
      text: recipientOf(envelope),
      action: { label: t("common:undo"), onAction: undo },
      brief: true,
      duration: UNDO_MS,
    });
    // Its day takes the focus first.
    if (!lacksDay(document)) goOn(answer);
  };
  /** Sends those of other envelopes too. */
  const sendReturns = async (options: SendOptions = {}) => {
    const expired = await review.sendElsewhere();
    if (expired !== undefined) onEnvelope(expired);
    else if (review.pendingReturns.size > 0) review.send(options);
    // The pressed button is removed.
    else focusViewer();
  };
  const commands: ReviewCommands = {
    previous: () => show(items[(index + items.length - 1) % items.length]),
    next: () => show(items[(index + 1) % items.length]),
    accept() {
      const answer = decidable ? item.answer : reasons[0];
      const isTooSoon = Date.now() - acceptedAt.current < PAUSE_MS;
      // Nothing is accepted that is not on the screen yet.
      if (!answer || !review.open || isTooSoon || !shown.has(key)) return;
      if (decidable && document && !isAcceptable(document, item.answer.files)) return;
      acceptedAt.current = Date.now();
      const file = decidable && unseen[0];
      if (file) show({ file, answer: item.answer });
      else accept(answer);
    },
    undo() {
      const last = undoable.current;
      if (!last || last.until < Date.now()) return;
      dismissToast();
      last.undo();
    },
    askAgain: () => decidable && review.open && setReturning(document),
    send() {
      if (review.mayDecide && !review.expired && !review.sending) void sendReturns({ onSent: () => goOn() });
    },
    nextClient: queue.goNext,
    previousClient: () => queue.goPrevious?.(),
    download: () => item.file?.url && download.file(item.file),
    ...zoomCommands,
  };
  useReviewKeys(commands, !returning && !question);
  return {
    envelope,
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
    goOn,
    accept,
    sendReturns,
    undecided,
    reasons,
    unseen: unseen.length,
    isShown: shown.has(key),
    onShown,
    queue,
    commands,
  };
}

const NO_ANSWERS: readonly DocumentAnswer[] = [];
const STEP = 1.25;
const LEAST = 0.25;
const MOST = 6;

/** How the file in view is shown; each file begins fitted and upright. */
function useZoom(key: number | string) {
  const [state, setState] = useState({ key, zoom: 1, rotation: 0 });
  const { zoom, rotation } = state.key === key ? state : { zoom: 1, rotation: 0 };
  const change = (next: { zoom?: number; rotation?: number }) => setState({ key, zoom, rotation, ...next });
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
  | "previous"
  | "next"
  | "accept"
  | "undo"
  | "askAgain"
  | "send"
  | "nextClient"
  | "previousClient"
  | "download"
  | "zoomIn"
  | "zoomOut"
  | "fit"
  | "rotate",
  () => void
>;

/** In the order in which they are listed for the user. */
export const REVIEW_KEYS: readonly [command: keyof ReviewCommands, ...keys: string[]][] = [
  ["next", "ArrowRight", "j"],
  ["previous", "ArrowLeft", "k"],
  ["accept", "a"],
  ["undo", "u"],
  ["askAgain", "r"],
  ["send", "s"],
  ["nextClient", "n"],
  ["previousClient", "N"],
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
      const { target } = event;
      if (target instanceof HTMLElement && target.matches("input, textarea, select")) return;
      const dialog = target instanceof HTMLElement && target.closest("[role=dialog], [role=alertdialog]");
      if (dialog && !dialog.querySelector("[data-viewer]")) return;
      const [command] = REVIEW_KEYS.find(([, ...keys]) => keys.includes(keyOf(event))) ?? [];
      if (!command) return;
      event.preventDefault();
      latest.current[command]();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [enabled]);
}

/** Caps Lock makes no difference, but Shift does. */
const keyOf = ({ key, shiftKey }: KeyboardEvent) =>
  key.length > 1 ? key : shiftKey ? key.toUpperCase() : key.toLowerCase();
