import { CircleCheck, Clock, type LucideIcon, PencilLine, TimerOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { EnvelopeStatus } from "../../../worker/contract/options";
import { Badge, type BadgeTone } from "../../components/ui/badge";

const LOOKS: Record<EnvelopeStatus, { tone: BadgeTone; icon: LucideIcon }> = {
  draft: { tone: "secondary", icon: PencilLine },
  pending: { tone: "outline", icon: Clock },
  completed: { tone: "good", icon: CircleCheck },
  expired: { tone: "warn", icon: TimerOff },
};

export function StatusBadge({ status }: { status: EnvelopeStatus }) {
  const { t } = useTranslation("envelopes");
  return (
    <Badge tone={LOOKS[status].tone} icon={LOOKS[status].icon}>
      {t(`status.${status}`)}
    </Badge>
  );
}
