import { useQuery } from "@tanstack/react-query";
import { Bell, Mail, MessageSquareText, RotateCw, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { isForAccount, isRequestKind } from "../../../../worker/contract/notifications";
import { Button } from "../../../components/ui/button";
import { userQuery } from "../../auth/auth.queries";
import { memberName } from "../../workspaces/members/members.queries";
import { useRole } from "../../workspaces/workspaces.queries";
import { useTeam } from "../assignee";
import type { Envelope } from "../envelopes.queries";
import { useSendAgain } from "../timeline.queries";
import { TimelineItem } from "./timeline-item";
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

type DeliveryItemProps = {
  delivery: TimelineMessage;
  envelope: Envelope;
  onCorrect: () => void;
  /** Called when the pressed button is about to be removed. */
  onSent: () => void;
};

/** One message: its recipient and its delivery state. A failed one can be sent again. */
function DeliveryItem({ delivery, envelope, onCorrect, onSent }: DeliveryItemProps) {
  const { t } = useTranslation("envelopes");
  const { message, channel, recipient, status, error, at, superseded } = delivery;
  const stuck = status === "failed" || (status === "queued" && error !== null);
  const notified = useNotified(envelope, delivery);
  const Icon = stuck ? TriangleAlert : message === "reminder" ? Bell : ICONS[channel];
  const state = status === "queued" && stuck ? "waiting" : status;
  return (
    <TimelineItem
      icon={Icon}
      label={notified ? t("timeline.notified", { name: notified }) : t(`timeline.messages.${message}`)}
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

/** The name of a colleague who got a notice; undefined for any other message. */
function useNotified({ workspaceId }: Envelope, { message, recipient }: TimelineMessage) {
  const team = useTeam(workspaceId);
  const { data: user } = useQuery(userQuery);
  if (!team || !isForAccount(message) || recipient === user?.email) return undefined;
  const colleague = team.members.find(({ email }) => email === recipient);
  return colleague ? memberName(colleague) : recipient;
}

const ICONS = { email: Mail, sms: MessageSquareText } as const;

/** The actions for a message that was not delivered. */
function DeliveryActions({ delivery, envelope, onCorrect, onSent }: DeliveryItemProps) {
  const { t } = useTranslation("envelopes");
  const { mayEdit } = useRole(envelope.workspaceId);
  const again = useSendAgain(envelope.id);
  const { message, notificationId, recipient } = delivery;
  const pending = envelope.status === "pending";
  if (!mayEdit || (!pending && isRequestKind(message))) return null;
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
      {pending && !isForAccount(message) && (
        <Button size="sm" onClick={onCorrect}>
          {t("timeline.correct")}
        </Button>
      )}
    </div>
  );
}
