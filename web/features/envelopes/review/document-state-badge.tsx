import {
  CircleCheck,
  CircleDashed,
  Inbox,
  type LucideIcon,
  MailQuestionMark,
  MinusCircle,
  Undo2,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge, type BadgeTone } from "../../../components/ui/badge";
import type { EnvelopeDocument } from "./document-answers";

/** `toReturn`: marked to be returned, but not sent yet. */
export type ShownState = EnvelopeDocument["state"] | "toReturn";

const LOOKS: Record<Exclude<ShownState, "uploaded">, { tone: BadgeTone; icon: LucideIcon }> = {
  open: { tone: "outline", icon: CircleDashed },
  received: { tone: "default", icon: Inbox },
  accepted: { tone: "good", icon: CircleCheck },
  returned: { tone: "warn", icon: Undo2 },
  toReturn: { tone: "warn", icon: MailQuestionMark },
  skipped: { tone: "secondary", icon: MinusCircle },
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
