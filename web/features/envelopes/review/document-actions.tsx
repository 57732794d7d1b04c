import { Check, PencilLine, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import type { EnvelopeDocument } from "./document-answers";
import type { ShownState } from "./document-state-badge";
import type { Review } from "./use-review";

/** The state as the requestor's screen shows it. */
export const shownState = ({ id, state }: EnvelopeDocument, review: Review): ShownState =>
  review.pendingReturns.has(id) ? "toReturn" : state;

type DocumentActionsProps = {
  document: EnvelopeDocument;
  review: Review;
  /** Whether a return can be undone: the envelope is waiting for the new answer. */
  waiting: boolean;
  /** Whether any file of the answer can be opened. */
  readable: boolean;
  /** Accept is the primary action of the screen. */
  prominent?: boolean;
  onAskAgain: () => void;
  /** Called when the pressed button is about to be removed. */
  onDecided: () => void;
};

/** The actions for a document in its state. */
export function DocumentActions({
  document,
  review,
  waiting,
  readable,
  prominent = false,
  onAskAgain,
  onDecided,
}: DocumentActionsProps) {
  const { t } = useTranslation("review");
  const { name } = document;
  const state = shownState(document, review);
  const undoable =
    state === "toReturn" || (state === "accepted" && review.open) || (state === "returned" && waiting);
  const answered = state === "received" || state === "skipped" || state === "open";
  const decide = (act: (document: EnvelopeDocument) => void) => {
    onDecided();
    act(document);
  };
  return (
    <>
      {review.open && readable && state === "received" && (
        <Button
          size="sm"
          variant={prominent ? "primary" : "secondary"}
          aria-label={t("acceptNamed", { name })}
          onClick={() => decide(review.accept)}
        >
          <Check aria-hidden />
          {t("accept")}
        </Button>
      )}
      {review.open && answered && (
        <Button size="sm" aria-label={t("againNamed", { name })} onClick={onAskAgain}>
          <Undo2 aria-hidden />
          {t("again")}
        </Button>
      )}
      {state === "toReturn" && (
        <Button size="sm" aria-label={t("editNamed", { name })} onClick={onAskAgain}>
          <PencilLine aria-hidden />
          {t("edit")}
        </Button>
      )}
      {undoable && (
        <Button size="sm" aria-label={t("undoNamed", { name })} onClick={() => decide(review.undo)}>
          {t("undo")}
        </Button>
      )}
    </>
  );
}

/** Why it is or was returned, or why the recipient skipped it. */
export function DocumentReason({ document, review }: { document: EnvelopeDocument; review: Review }) {
  const { t } = useTranslation("review");
  const pendingReason = review.pendingReturns.get(document.id);
  const reason = pendingReason ?? document.reason;
  if (!reason) return null;
  const past =
    pendingReason === undefined && (document.state === "received" || document.state === "accepted");
  return (
    <p className="whitespace-pre-wrap break-words text-ink-soft text-xs">
      {t(past ? "lastReason" : "reason", { reason })}
    </p>
  );
}
