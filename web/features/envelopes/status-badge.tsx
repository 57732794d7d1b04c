import { CalendarClock, CircleCheck, Clock, type LucideIcon, PencilLine, TimerOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { EnvelopeStatus } from "../../../worker/contract/options";
import { hasToReview } from "../../../worker/contract/request-words";
import { Badge, type BadgeTone } from "../../components/ui/badge";
import { useFormat } from "../../lib/use-format";
import { type Envelope, rowOf } from "./envelope";

const LOOKS: Record<EnvelopeStatus, { tone: BadgeTone; icon: LucideIcon }> = {
  draft: { tone: "secondary", icon: PencilLine },
  scheduled: { tone: "default", icon: CalendarClock },
  pending: { tone: "outline", icon: Clock },
  completed: { tone: "good", icon: CircleCheck },
  expired: { tone: "warn", icon: TimerOff },
};

/** `unfinished`: completed by its recipient, but something in it is not reviewed yet; `sendOn`: the day of a scheduled one. */
export function StatusBadge({
  status,
  unfinished = false,
  sendOn,
}: {
  status: EnvelopeStatus;
  unfinished?: boolean;
  sendOn?: string | undefined;
}) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  return (
    <Badge tone={unfinished ? "secondary" : LOOKS[status].tone} icon={LOOKS[status].icon}>
      {t(`status.${status}`)}
      {sendOn && ` ${format.day(sendOn)}`}
    </Badge>
  );
}

/** The status of an envelope whose details are loaded. */
export const EnvelopeStatusBadge = ({ envelope }: { envelope: Envelope }) => (
  <StatusBadge
    status={envelope.status}
    unfinished={hasToReview(rowOf(envelope))}
    sendOn={rowOf(envelope).sendOn}
  />
);
