import { useTranslation } from "react-i18next";
import type { Envelope } from "../envelopes.queries";
import { DeliveryItem } from "./delivery-item";
import { isUndelivered, type TimelineMessage } from "./timeline-rows";

type TimelineMessagesProps = {
  messages: TimelineMessage[];
  envelope: Envelope;
  onCorrect: () => void;
  onSent: () => void;
};

/** The messages about an event, folded unless one was not delivered. */
export function TimelineMessages({ messages, ...rest }: TimelineMessagesProps) {
  const { t } = useTranslation("review");
  if (messages.length === 0) return null;
  const undelivered = messages.some(isUndelivered);
  return (
    <details open={undelivered}>
      <summary className="w-fit cursor-pointer rounded-sm text-ink-soft text-xs">
        {t("timeline.messages", { count: messages.length })}
        {undelivered && <span className="text-bad"> · {t("timeline.undelivered")}</span>}
      </summary>
      <ol className="mt-2 space-y-3">
        {messages.map((message) => (
          <DeliveryItem key={message.notificationId} delivery={message} {...rest} />
        ))}
      </ol>
    </details>
  );
}
