import {
  Check,
  CircleCheck,
  CircleDashed,
  Inbox,
  type LucideIcon,
  MailQuestionMark,
  MinusCircle,
  PencilLine,
  Undo2,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge, type BadgeTone } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import type { Submission } from "../envelopes.queries";
import { type EnvelopeDocument, isAcceptable } from "./document-answers";
import type { Review } from "./use-review";

/** The state as the requestor's screen shows it. */
export const shownState = ({ id, state }: EnvelopeDocument, review: Review): ShownState =>
  review.pendingReturns.has(id) ? "toReturn" : state;

type DocumentActionsProps = {
  document: EnvelopeDocument;
  review: Review;
  /** Whether the envelope is waiting for its recipient, so that a return can be undone. */
  waiting: boolean;
  files: readonly Submission[];
  /** Accept is the primary action of the screen. */
  prominent?: boolean;
  /** The file is not on the screen yet. */
  loading?: boolean;
  onAskAgain: () => void;
  /** Called when the pressed button is about to be removed. */
  onDecided: () => void;
};

/** The actions for a document in its state. */
export function DocumentActions({
  document,
  review,
  waiting,
  files,
  prominent = false,
  loading = false,
  onAskAgain,
  onDecided,
}: DocumentActionsProps) {
  const { t } = useTranslation("review");
  const { name } = document;
  const count = files.length;
  const state = shownState(document, review);
  const undoable =
    state === "toReturn" || (state === "accepted" && review.open) || (state === "returned" && waiting);
  const acceptable = state !== "toReturn" && isAcceptable(document, files);
  // A file that is missing can be asked for again, unless the recipient is asked for it anyway.
  const answered =
    state === "received" || state === "skipped" || (state === "open" && document.kind === "file" && !waiting);
  if (!review.mayDecide) return null;
  const decide = (act: (document: EnvelopeDocument) => void) => {
    onDecided();
    act(document);
  };
  return (
    <>
      {review.open && acceptable && (
        <Button
          size="sm"
          variant={prominent ? "primary" : "secondary"}
          disabled={loading}
          aria-label={count > 1 ? t("acceptFilesNamed", { count, name }) : t("acceptNamed", { name })}
          onClick={() => decide(review.accept)}
        >
          <Check aria-hidden />
          {count > 1 ? t("acceptFiles", { count }) : t("accept")}
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
        <Button
          size="sm"
          variant="ghost"
          aria-label={t("undoNamed", { name })}
          className="px-1.5! text-ink-soft! underline underline-offset-2"
          onClick={() => decide(review.undo)}
        >
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
    pendingReason === undefined &&
    !document.skipped &&
    (document.state === "received" || document.state === "accepted");
  return (
    <p className="whitespace-pre-wrap break-words text-ink-soft text-xs">
      {t(past ? "lastReason" : "reason", { reason })}
    </p>
  );
}

/** `toReturn`: marked to be returned, but not sent yet. */
type ShownState = EnvelopeDocument["state"] | "toReturn";

const LOOKS: Record<Exclude<ShownState, "uploaded">, { tone: BadgeTone; icon: LucideIcon }> = {
  open: { tone: "outline", icon: CircleDashed },
  received: { tone: "default", icon: Inbox },
  accepted: { tone: "good", icon: CircleCheck },
  returned: { tone: "warn", icon: Undo2 },
  toReturn: { tone: "warn", icon: MailQuestionMark },
  skipped: { tone: "secondary", icon: MinusCircle },
  hidden: { tone: "secondary", icon: MinusCircle },
};

/** The state of a document, as a word and a colour. */
export function DocumentStateBadge({ state }: { state: ShownState }) {
  const { t } = useTranslation("review");
  // Only the recipient sees which open document has a file already.
  const shown = state === "uploaded" ? "open" : state;
  return (
    <Badge tone={LOOKS[shown].tone} icon={LOOKS[shown].icon}>
      {t(`states.${shown}`)}
    </Badge>
  );
}
