import { useQuery } from "@tanstack/react-query";
import type { ParseKeys } from "i18next";
import {
  Bell,
  CalendarPlus,
  CalendarX,
  CircleCheck,
  Download,
  Eye,
  FileX,
  FolderInput,
  Inbox,
  type LucideIcon,
  MessageSquareText,
  Pencil,
  Plus,
  RotateCw,
  Send,
  ShieldAlert,
  Undo,
  Undo2,
  UserRound,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../../lib/use-format";
import { userQuery } from "../../auth/auth.queries";
import { memberName } from "../../workspaces/members/members.queries";
import { useTeam } from "../assignee";
import type { Envelope } from "../envelopes.queries";
import { TimelineItem, type TimelineTone } from "./timeline-item";
import { TimelineMessages } from "./timeline-messages";
import type { RowKind, TimelineRow } from "./timeline-rows";

type RowStyle = {
  icon: LucideIcon;
  label: ParseKeys<["envelopes", "review"]>;
  tone: TimelineTone;
  /** What its detail is: a name or an address, shown as it is, or the day until which the envelope is open. */
  detail: "text" | "day" | null;
};

const ROWS: Record<RowKind, RowStyle> = {
  created: { icon: Plus, label: "detail.created", tone: "plain", detail: null },
  sent: { icon: Send, label: "detail.sent", tone: "plain", detail: null },
  updated: { icon: Pencil, label: "detail.updated", tone: "plain", detail: null },
  assigned: { icon: UserRound, label: "assignee.label", tone: "plain", detail: "text" },
  moved: { icon: FolderInput, label: "detail.moved", tone: "plain", detail: "text" },
  opened: { icon: Eye, label: "detail.opened", tone: "plain", detail: null },
  messaged: { icon: MessageSquareText, label: "detail.messaged", tone: "plain", detail: "text" },
  completed: { icon: CircleCheck, label: "detail.completed", tone: "good", detail: null },
  submitted: { icon: Inbox, label: "review:timeline.submitted", tone: "plain", detail: null },
  resubmitted: { icon: Inbox, label: "review:timeline.resubmitted", tone: "plain", detail: null },
  expired: { icon: CalendarX, label: "detail.expired", tone: "plain", detail: null },
  extended: { icon: CalendarPlus, label: "detail.extended", tone: "plain", detail: "day" },
  downloaded: { icon: Download, label: "detail.downloaded", tone: "plain", detail: "text" },
  accepted: { icon: CircleCheck, label: "detail.acceptedEvent", tone: "plain", detail: "text" },
  returned: { icon: Undo2, label: "detail.returned", tone: "plain", detail: "text" },
  undone: { icon: Undo, label: "detail.undone", tone: "plain", detail: "text" },
  reminded: { icon: Bell, label: "detail.reminded", tone: "plain", detail: null },
  resent: { icon: RotateCw, label: "detail.resent", tone: "plain", detail: "text" },
  files_deleted: { icon: FileX, label: "detail.files_deleted", tone: "plain", detail: null },
  infected: { icon: ShieldAlert, label: "detail.infected", tone: "bad", detail: "text" },
};

type TimelineEventProps = {
  row: TimelineRow;
  envelope: Envelope;
  onCorrect: () => void;
  onSent: () => void;
};

/** What happened, when, by whom, and the messages that it sent. */
export function TimelineEvent({ row, envelope, onCorrect, onSent }: TimelineEventProps) {
  const { t } = useTranslation(["envelopes", "review"]);
  const format = useFormat();
  const { at, detail, actor, address, messages, again } = row;
  const { icon, label, tone, ...style } = ROWS[row.kind];
  const text =
    style.detail === "day" && detail
      ? t("timeline.until", { date: format.day(detail) })
      : style.detail && detail;
  const colleague = useActorName(envelope, row);
  const who = actor && actor !== "service" && (colleague ?? t(`timeline.by.${actor}`));
  return (
    <TimelineItem
      icon={icon}
      label={t(label)}
      at={at}
      tone={tone}
      actions={
        <TimelineMessages messages={messages} envelope={envelope} onCorrect={onCorrect} onSent={onSent} />
      }
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
    <details className="text-ink-soft text-xs">
      <summary className="w-fit cursor-pointer rounded-sm">{who}</summary>
      <p className="break-words">{address}</p>
    </details>
  );
}
