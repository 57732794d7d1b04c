import { MailWarning } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/ui/badge";
import type { Undelivered } from "./envelope";

/** Marks an envelope whose last message did not reach the recipient. */
export function DeliveryBadge({ id, delivery }: { id: string; delivery: Undelivered }) {
  const { t } = useTranslation("envelopes");
  return (
    <span id={id} title={t("delivery.hint")} className="shrink-0">
      <Badge tone={delivery === "failed" ? "bad" : "warn"} icon={MailWarning}>
        {t(`delivery.${delivery}`)}
      </Badge>
    </span>
  );
}
