import { useQuery } from "@tanstack/react-query";
import type { ParseKeys } from "i18next";
import {
  Bell,
  CalendarClock,
  CalendarPlus,
  CalendarX,
  CircleCheck,
  Copy,
  Download,
  Eye,
  FileX,
  FolderInput,
  Inbox,
  Link2,
  type LucideIcon,
  Mail,
  MessageSquareText,
  Pencil,
  Plus,
  RotateCw,
  Send,
  ShieldAlert,
  TriangleAlert,
  Undo,
  Undo2,
  UserRound,
} from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isForAccount, isRequestKind } from "../../../../worker/contract/notifications";
import type { NotSentReason } from "../../../../worker/contract/schedules";
import { Button } from "../../../components/ui/button";
import { Disclosure } from "../../../components/ui/disclosure";
import { useFormat } from "../../../lib/use-format";
import { userQuery } from "../../auth/auth.queries";
import { memberName } from "../../workspaces/members/members.queries";
import { useRole } from "../../workspaces/workspaces.queries";
import { useTeam } from "../assignee";
import type { Envelope } from "../envelopes.queries";
import { useSendAgain } from "../timeline.queries";
import { isUndelivered, type RowKind, type TimelineMessage, type TimelineRow } from "./timeline-rows";

type RowStyle = {
  icon: LucideIcon;
  label: ParseKeys<["envelopes", "review", "schedules"]>;
  tone: TimelineTone;
  /** What its detail is: a name or an address, shown as it is, the last day, the day of sending, or why it was not sent. */
  detail: "text" | "day" | "sends" | "reason" | null;
};

const ROWS: Record<RowKind, RowStyle> = {
  created: { icon: Plus, label: "detail.created", tone: "plain", detail: null },
  sent: { icon: Send, label: "detail.sent", tone: "plain", detail: null },
  scheduled: { icon: CalendarClock, label: "schedules:timeline.scheduled", tone: "plain", detail: "sends" },
  not_sent: { icon: CalendarX, label: "schedules:timeline.notSent", tone: "bad", detail: "reason" },
  updated: { icon: Pencil, label: "detail.updated", tone: "plain", detail: null },
  assigned: { icon: UserRound, label: "assignee.label", tone: "plain", detail: "text" },
  moved: { icon: FolderInput, label: "detail.moved", tone: "plain", detail: "text" },
  opened: { icon: Eye, label: "detail.opened", tone: "plain", detail: null },
  messaged: { icon: MessageSquareText, label: "detail.messaged", tone: "plain", detail: "text" },
  completed: { icon: CircleCheck, label: "detail.completed", tone: "good", detail: null },
  submitted: { icon: Inbox, label: "review:timeline.submitted", tone: "plain", detail: "text" },
  resubmitted: { icon: Inbox, label: "review:timeline.resubmitted", tone: "plain", detail: "text" },
  expired: { icon: CalendarX, label: "detail.expired", tone: "plain", detail: null },
  extended: { icon: CalendarPlus, label: "detail.extended", tone: "plain", detail: "day" },
  downloaded: { icon: Download, label: "detail.downloaded", tone: "plain", detail: "text" },
  accepted: { icon: CircleCheck, label: "detail.acceptedEvent", tone: "plain", detail: "text" },
  returned: { icon: Undo2, label: "detail.returned", tone: "plain", detail: "text" },
  undone: { icon: Undo, label: "detail.undone", tone: "plain", detail: "text" },
  reminded: { icon: Bell, label: "detail.reminded", tone: "plain", detail: null },
  resent: { icon: RotateCw, label: "detail.resent", tone: "plain", detail: "text" },
  link_copied: { icon: Copy, label: "detail.link_copied", tone: "plain", detail: null },
  link_replaced: { icon: Link2, label: "detail.link_replaced", tone: "plain", detail: null },
  delivered: { icon: FolderInput, label: "detail.delivered", tone: "plain", detail: "text" },
  files_deleted: { icon: FileX, label: "detail.files_deleted", tone: "plain", detail: null },
  revealed: { icon: Eye, label: "detail.revealed", tone: "plain", detail: "text" },
  answer_deleted: { icon: FileX, label: "detail.answer_deleted", tone: "plain", detail: "text" },
  validity_changed: { icon: CalendarClock, label: "detail.validity_changed", tone: "plain", detail: "text" },
  infected: { icon: ShieldAlert, label: "detail.infected", tone: "bad", detail: "text" },
};

type MessageHandlers = {
  envelope: Envelope;
  onCorrect: () => void;
  /** Called when the pressed button is about to be removed. */
  onSent: () => void;
};

type TimelineEventProps = MessageHandlers & { row: TimelineRow };

/** What happened, when, by whom, and the messages that it sent. */
export function TimelineEvent({ row, ...handlers }: TimelineEventProps) {
  const { t } = useTranslation(["envelopes", "review", "schedules"], { useSuspense: false });
  const format = useFormat();
  const { at, detail, actor, address, messages, again } = row;
  const { icon, label, tone, ...style } = ROWS[row.kind];
  const texts = {
    text: (detail: string) => detail,
    day: (detail: string) => t("timeline.until", { date: format.day(detail) }),
    sends: format.day,
    reason: (detail: string) => t(`schedules:notSent.${detail as NotSentReason}`),
  };
  const text = style.detail && detail && texts[style.detail](detail);
  const colleague = useActorName(handlers.envelope, row);
  const who = actor && actor !== "service" && (colleague ?? t(`timeline.by.${actor}`));
  return (
    <TimelineItem
      icon={icon}
      label={t(label)}
      at={at}
      tone={tone}
      actions={<TimelineMessages messages={messages} {...handlers} />}
    >
      {again && <p className="text-ink-soft text-xs">{t("review:timeline.resubmitted")}</p>}
      {text && <p className="whitespace-pre-wrap break-words text-ink-soft text-xs">{text}</p>}
      {who && <Actor who={who} address={address} />}
    </TimelineItem>
  );
}

/** The name of who acted: in a shared workspace of everybody, otherwise of who has left it. */
function useActorName({ workspaceId }: Envelope, { actor, name }: TimelineRow): string | undefined {
  const team = useTeam(workspaceId);
  const { data: user } = useQuery(userQuery);
  if (actor !== "requestor" || !name) return undefined;
  return team || (user && memberName(user) !== name) ? name : undefined;
}

/** Who it was; from where, on demand. */
function Actor({ who, address }: { who: string; address: string | null | undefined }) {
  if (!address) return <p className="text-ink-soft text-xs">{who}</p>;
  return (
    <Disclosure summary={who}>
      <p className="break-words pl-4.5 text-ink-soft text-xs">{address}</p>
    </Disclosure>
  );
}

const TONES = {
  plain: "border-line bg-sunken text-ink-soft",
  good: "border-good bg-good-soft text-good",
  bad: "border-bad bg-bad-soft text-bad",
} as const;

export type TimelineTone = keyof typeof TONES;

type TimelineItemProps = {
  icon: LucideIcon;
  label: string;
  at: string;
  tone?: TimelineTone;
  children?: ReactNode;
  actions?: ReactNode;
};

/** One event. The exact time is shown on hover. */
function TimelineItem({ icon: Icon, label, at, tone = "plain", children, actions }: TimelineItemProps) {
  const format = useFormat();
  return (
    <li className="relative flex gap-3 not-last:before:absolute not-last:before:top-7 not-last:before:-bottom-4 not-last:before:left-3 not-last:before:w-px not-last:before:bg-line">
      <span
        aria-hidden
        className={`flex size-6 shrink-0 items-center justify-center rounded-full border ${TONES[tone]}`}
      >
        <Icon className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="break-words font-medium leading-6">{label}</p>
        {children}
        <p className="text-ink-soft text-xs tabular-nums">
          <time dateTime={at} title={format.exactly(at)}>
            {format.relative(at)}
          </time>
        </p>
        {actions}
      </div>
    </li>
  );
}

type TimelineMessagesProps = MessageHandlers & { messages: TimelineMessage[] };

/** The messages about an event, folded unless one was not delivered. */
function TimelineMessages({ messages, ...handlers }: TimelineMessagesProps) {
  const { t } = useTranslation("review");
  if (messages.length === 0) return null;
  const undelivered = messages.some(isUndelivered);
  return (
    <Disclosure
      open={undelivered}
      summary={
        <>
          <span>{t("timeline.messages", { count: messages.length })}</span>
          {undelivered && <span className="text-bad"> · {t("timeline.undelivered")}</span>}
        </>
      }
    >
      <ol className="mt-2 space-y-3">
        {messages.map((message) => (
          <DeliveryItem key={message.notificationId} delivery={message} {...handlers} />
        ))}
      </ol>
    </Disclosure>
  );
}

type DeliveryItemProps = MessageHandlers & { delivery: TimelineMessage };

/** One message: its recipient and its delivery state. A failed one can be sent again. */
function DeliveryItem({ delivery, ...handlers }: DeliveryItemProps) {
  const { t } = useTranslation("envelopes");
  const { message, channel, recipient, status, error, at, superseded } = delivery;
  const stuck = status === "failed" || (status === "queued" && error !== null);
  const notified = useNotified(handlers.envelope, delivery);
  const Icon = stuck ? TriangleAlert : message === "reminder" ? Bell : ICONS[channel];
  const state = status === "queued" && stuck ? "waiting" : status;
  return (
    <TimelineItem
      icon={Icon}
      label={notified ? t("timeline.notified", { name: notified }) : t(`timeline.messages.${message}`)}
      at={at}
      tone={stuck && !superseded ? "bad" : "plain"}
      actions={stuck && !superseded && <DeliveryActions delivery={delivery} {...handlers} />}
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
