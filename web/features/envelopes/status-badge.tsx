import { CalendarClock, CircleCheck, Clock, type LucideIcon, PencilLine, TimerOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { EnvelopeStatus } from "../../../worker/contract/options";
import { hasToReview } from "../../../worker/contract/request-words";
import { Badge, type BadgeTone } from "../../components/ui/badge";
import { formatDay, regionalLocale } from "../../lib/format";
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
  const { t, i18n } = useTranslation("envelopes");
  const { tone, icon } = LOOKS[status];
  // Without the year, which the column has no room for: a day is at most one ahead.
  const day = sendOn && formatDay(sendOn, regionalLocale(i18n.language), new Date(`${sendOn}T12:00`));
  return (
    <Badge tone={unfinished ? "secondary" : tone} {...(!day && { icon })}>
      {t(`status.${status}`)}
      {day && ` ${day}`}
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
