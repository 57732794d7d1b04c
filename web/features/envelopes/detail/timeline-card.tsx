import { useQuery } from "@tanstack/react-query";
import {
  Bell,
  CalendarClock,
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
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Card } from "../../../components/ui/card";
import { Skeleton, SkeletonGroup } from "../../../components/ui/skeleton";
import { errorText } from "../../../lib/error-text";
import { useFormat } from "../../../lib/use-format";
import type { Envelope } from "../envelopes.queries";
import { timelineQuery } from "../timeline.queries";
import { RemindButton } from "./remind-button";
import { TimelineItem, type TimelineTone } from "./timeline-item";
import { TimelineMessages } from "./timeline-messages";
import { type TimelineRow, timelineRows } from "./timeline-rows";

/** Longer timelines are folded in the middle. */
const MAX_UNFOLDED = 10;
const LATEST = 7;

type TimelineCardProps = { envelope: Envelope; onCorrect: () => void };

export function TimelineCard({ envelope, onCorrect }: TimelineCardProps) {
  const { t } = useTranslation(["envelopes", "common"]);
  const timeline = useQuery(timelineQuery(envelope.id));
  const list = useRef<HTMLOListElement>(null);
  const keepFocus = () => list.current?.focus({ preventScroll: true });
  const [unfolded, setUnfolded] = useState(false);
  const rows = timelineRows(envelope, timeline.data ?? []);
  const folded = unfolded || rows.length <= MAX_UNFOLDED ? 0 : rows.length - LATEST - 1;
  return (
    <Card title={t("detail.timeline")}>
      <ol ref={list} tabIndex={-1} className="space-y-4 outline-none">
        {rows.map((row, index) =>
          index > 0 && index <= folded ? (
            index === 1 && (
              <Fold
                key="fold"
                count={folded}
                onUnfold={() => {
                  keepFocus();
                  setUnfolded(true);
                }}
              />
            )
          ) : (
            <Row
              key={`${row.kind} ${row.at} ${row.detail}`}
              row={row}
              envelope={envelope}
              onCorrect={onCorrect}
              onSent={keepFocus}
            />
          ),
        )}
        <End envelope={envelope} rows={rows} />
      </ol>
      {timeline.isPending && (
        <SkeletonGroup label={t("common:loading")} className="mt-4 space-y-2">
          <Skeleton className="h-5 w-3/4" />
          <Skeleton className="h-5 w-1/2" />
        </SkeletonGroup>
      )}
      {timeline.isError && (
        <Failed
          error={timeline.error}
          retrying={timeline.isFetching}
          onRetry={() => void timeline.refetch()}
        />
      )}
      {envelope.status === "pending" && <RemindButton id={envelope.id} />}
    </Card>
  );
}

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

type RowProps = TimelineCardProps & { row: TimelineRow; onSent: () => void };

function Row({ row, envelope, onCorrect, onSent }: RowProps) {
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

/** The expiration date of an open link, or of one whose expiry is not recorded yet. */
function End({ envelope, rows }: { envelope: Envelope; rows: TimelineRow[] }) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const { status, expirationDate } = envelope;
  const last = rows.findLast(({ kind }) => kind === "expired" || kind === "extended");
  if (status === "completed" || !expirationDate || (status === "expired" && last?.kind === "expired"))
    return null;
  const over = status === "expired";
  return (
    <TimelineItem
      icon={over ? CalendarX : CalendarClock}
      label={over ? t("detail.expired") : t("detail.due")}
    >
      <p className="text-ink-soft text-xs tabular-nums">{format.lastDay({ ...envelope, expirationDate })}</p>
    </TimelineItem>
  );
}

function Fold({ count, onUnfold }: { count: number; onUnfold: () => void }) {
  const { t } = useTranslation("envelopes");
  return (
    <li>
      <Button size="sm" variant="ghost" className="-ml-1" onClick={onUnfold}>
        {t("timeline.more", { count })}
      </Button>
    </li>
  );
}

function Failed({ error, retrying, onRetry }: { error: Error; retrying: boolean; onRetry: () => void }) {
  const { t, i18n } = useTranslation(["envelopes", "common", "errors", "validation"]);
  return (
    <div role="alert" className="mt-4 rounded-control bg-bad-soft p-3 text-sm">
      <p className="font-medium text-bad">{t("timeline.failed")}</p>
      <p className="mt-0.5 mb-2 break-words text-xs">{errorText(error, i18n.t)}</p>
      <Button size="sm" loading={retrying} onClick={onRetry}>
        {!retrying && <RotateCw aria-hidden />}
        {t("common:tryAgain")}
      </Button>
    </div>
  );
}
