import { Bell, Mail, MessageSquareText, RotateCw, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import type { Envelope } from "../envelopes.queries";
import { useSendAgain } from "../timeline.queries";
import { TimelineItem } from "./timeline-item";
import { isForOwner, type TimelineMessage } from "./timeline-rows";

type DeliveryItemProps = {
  delivery: TimelineMessage;
  envelope: Envelope;
  onCorrect: () => void;
  /** Called when the pressed button is about to be removed. */
  onSent: () => void;
};

/** One message: its recipient and its delivery state. A failed one can be sent again. */
export function DeliveryItem({ delivery, envelope, onCorrect, onSent }: DeliveryItemProps) {
  const { t } = useTranslation("envelopes");
  const { message, channel, recipient, status, error, at, superseded } = delivery;
  const stuck = status === "failed" || (status === "queued" && error !== null);
  const Icon = stuck ? TriangleAlert : message === "reminder" ? Bell : ICONS[channel];
  const state = status === "queued" && stuck ? "waiting" : status;
  return (
    <TimelineItem
      icon={Icon}
      label={t(`timeline.messages.${message}`)}
      at={at}
      tone={stuck && !superseded ? "bad" : "plain"}
      actions={
        stuck &&
        !superseded && (
          <DeliveryActions delivery={delivery} envelope={envelope} onCorrect={onCorrect} onSent={onSent} />
        )
      }
    >
      <p className="break-words text-ink-soft text-xs">
        {t(`wizard.notifications.${channel}`)} · {recipient}
      </p>
      {state !== "sent" && (
        <p className={stuck ? "text-bad text-xs" : "text-ink-soft text-xs"}>
          {t(`timeline.states.${state}`)}
        </p>
      )}
      {stuck && error && (
        <p className="break-words text-ink-soft text-xs">{t(`timeline.failures.${error}`)}</p>
      )}
    </TimelineItem>
  );
}

const ICONS = { email: Mail, sms: MessageSquareText } as const;

/** The actions for a message that was not delivered. */
function DeliveryActions({ delivery, envelope, onCorrect, onSent }: DeliveryItemProps) {
  const { t } = useTranslation("envelopes");
  const again = useSendAgain(envelope.id);
  const { message, notificationId, recipient } = delivery;
  const pending = envelope.status === "pending";
  const forOwner = isForOwner(message);
  if (!pending && !forOwner && message !== "receipt") return null;
  return (
    <div className="mt-1.5 flex flex-wrap gap-2">
      <Button
        size="sm"
        loading={again.isPending}
        onClick={() => again.mutate(notificationId, { onSuccess: onSent })}
        aria-label={t("timeline.againNamed", { recipient })}
      >
        {!again.isPending && <RotateCw aria-hidden />}
        {t("timeline.again")}
      </Button>
      {pending && !forOwner && (
        <Button size="sm" onClick={onCorrect}>
          {t("timeline.correct")}
        </Button>
      )}
    </div>
  );
}
