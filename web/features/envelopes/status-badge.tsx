import { CircleCheck, Clock, Eye, type LucideIcon, MailWarning, PencilLine, TimerOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { EnvelopeStatus } from "../../../worker/contract/options";
import { hasToReview } from "../../../worker/contract/request-words";
import { Badge, type BadgeTone } from "../../components/ui/badge";
import { type Envelope, rowOf } from "./envelope";

const LOOKS: Record<EnvelopeStatus, { tone: BadgeTone; icon: LucideIcon }> = {
  draft: { tone: "secondary", icon: PencilLine },
  pending: { tone: "outline", icon: Clock },
  completed: { tone: "good", icon: CircleCheck },
  expired: { tone: "warn", icon: TimerOff },
};

/** `unfinished`: completed by its recipient, but something in it is not reviewed yet. */
export function StatusBadge({
  status,
  unfinished = false,
}: {
  status: EnvelopeStatus;
  unfinished?: boolean;
}) {
  const { t } = useTranslation("envelopes");
  return (
    <Badge tone={unfinished ? "secondary" : LOOKS[status].tone} icon={LOOKS[status].icon}>
      {t(`status.${status}`)}
    </Badge>
  );
}

/** The status of an envelope, and whether something in it is not reviewed yet. */
export function EnvelopeStatusBadges({ envelope }: { envelope: Envelope }) {
  const unfinished = hasToReview(rowOf(envelope));
  return (
    <span className="inline-flex flex-wrap gap-1">
      <StatusBadge status={envelope.status} unfinished={unfinished} />
      {unfinished && <ToReviewBadge />}
    </span>
  );
}

/** Beside the status of an envelope in which something is not reviewed yet. */
export function ToReviewBadge() {
  const { t } = useTranslation("envelopes");
  return (
    <Badge tone="default" icon={Eye}>
      {t("toReview")}
    </Badge>
  );
}

/** Marks an envelope whose last message did not reach the recipient. */
export function DeliveryBadge({ id, delivery }: { id: string; delivery: "failed" | "pending" }) {
  const { t } = useTranslation("envelopes");
  return (
    <span id={id} title={t("delivery.hint")} className="shrink-0">
      <Badge tone={delivery === "failed" ? "bad" : "warn"} icon={MailWarning}>
        {t(`delivery.${delivery}`)}
      </Badge>
    </span>
  );
}
