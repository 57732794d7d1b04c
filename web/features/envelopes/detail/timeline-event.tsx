import {
  Bell,
  CalendarPlus,
  CalendarX,
  CircleCheck,
  Download,
  Eye,
  FileX,
  Inbox,
  type LucideIcon,
  Pencil,
  Plus,
  RotateCw,
  Send,
  ShieldAlert,
  Undo,
  Undo2,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../../lib/use-format";
import type { Envelope } from "../envelopes.queries";
import { TimelineItem, type TimelineTone } from "./timeline-item";
import { TimelineMessages } from "./timeline-messages";
import type { TimelineRow } from "./timeline-rows";

const ICONS: Record<TimelineRow["kind"], LucideIcon> = {
  created: Plus,
  sent: Send,
  updated: Pencil,
  opened: Eye,
  completed: CircleCheck,
  submitted: Inbox,
  resubmitted: Inbox,
  expired: CalendarX,
  extended: CalendarPlus,
  downloaded: Download,
  accepted: CircleCheck,
  returned: Undo2,
  undone: Undo,
  reminded: Bell,
  resent: RotateCw,
  files_deleted: FileX,
  infected: ShieldAlert,
};

const TONES: Partial<Record<TimelineRow["kind"], TimelineTone>> = { completed: "good", infected: "bad" };

/** Rows whose detail is a name or an address, shown as it is. */
const WITH_DETAIL: readonly TimelineRow["kind"][] = [
  "downloaded",
  "accepted",
  "returned",
  "undone",
  "resent",
  "infected",
];

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
  const label = useRowLabel();
  const { kind, at, detail, actor, address, messages, again } = row;
  const day = kind === "extended" && detail;
  const text = day ? t("timeline.until", { date: format.day(day) }) : WITH_DETAIL.includes(kind) && detail;
  const who = actor && actor !== "service" && t(`timeline.by.${actor}`);
  return (
    <TimelineItem
      icon={ICONS[kind]}
      label={label(kind)}
      at={at}
      tone={TONES[kind] ?? "plain"}
      actions={
        <TimelineMessages messages={messages} envelope={envelope} onCorrect={onCorrect} onSent={onSent} />
      }
    >
      {again && <p className="text-ink-soft text-xs">{t("review:timeline.resubmitted")}</p>}
      {text && <p className="whitespace-pre-wrap break-words text-ink-soft text-xs">{text}</p>}
      {who && (
        <p className="break-words text-ink-soft text-xs">
          {address ? t("timeline.from", { who, address }) : who}
        </p>
      )}
    </TimelineItem>
  );
}

function useRowLabel() {
  const { t } = useTranslation(["envelopes", "review"]);
  return (kind: TimelineRow["kind"]) => {
    if (kind === "submitted" || kind === "resubmitted") return t(`review:timeline.${kind}`);
    return t(kind === "accepted" ? "detail.acceptedEvent" : `detail.${kind}`);
  };
}
