import { CircleCheck, Clock, type LucideIcon, PencilLine, TimerOff } from "lucide-react";
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

/** The status of an envelope whose details are loaded. */
export const EnvelopeStatusBadge = ({ envelope }: { envelope: Envelope }) => (
  <StatusBadge status={envelope.status} unfinished={hasToReview(rowOf(envelope))} />
);
