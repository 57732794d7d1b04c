import { useQuery } from "@tanstack/react-query";
import { CalendarClock, CalendarX, RotateCw } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Card } from "../../../components/ui/card";
import type { RetryableQuery } from "../../../components/ui/query-error";
import { Skeleton, SkeletonGroup } from "../../../components/ui/skeleton";
import { errorText } from "../../../lib/error-text";
import { useFormat } from "../../../lib/use-format";
import type { Envelope } from "../envelopes.queries";
import { timelineQuery } from "../timeline.queries";
import { RemindButton } from "./remind-button";
import { TimelineEvent } from "./timeline-event";
import { TimelineItem } from "./timeline-item";
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
            <TimelineEvent
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
      {timeline.isError && <Failed query={timeline} />}
      {envelope.status === "pending" && <RemindButton id={envelope.id} />}
    </Card>
  );
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

function Failed({ query }: { query: RetryableQuery }) {
  const { t, i18n } = useTranslation(["envelopes", "common", "errors", "validation"]);
  return (
    <div role="alert" className="mt-4 rounded-control bg-bad-soft p-3 text-sm">
      <p className="font-medium text-bad">{t("timeline.failed")}</p>
      <p className="mt-0.5 mb-2 break-words text-xs">{errorText(query.error, i18n.t)}</p>
      <Button size="sm" loading={query.isFetching} onClick={() => void query.refetch()}>
        {!query.isFetching && <RotateCw aria-hidden />}
        {t("common:tryAgain")}
      </Button>
    </div>
  );
}
