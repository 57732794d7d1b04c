import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { type RetryableQuery, Skeleton, SkeletonGroup } from "../../../components/ui/query-placeholder";
import { errorText } from "../../../lib/error-text";
import type { Envelope } from "../envelopes.queries";
import { timelineQuery } from "../timeline.queries";
import { Section } from "./section";
import { TimelineEvent } from "./timeline-event";
import { timelineRows } from "./timeline-rows";

/** Longer timelines are folded in the middle. */
const MAX_UNFOLDED = 10;
const LATEST = 7;

/** What happened, the latest first. */
export function TimelineCard({ envelope, onCorrect }: { envelope: Envelope; onCorrect: () => void }) {
  const { t } = useTranslation(["envelopes", "common"]);
  const timeline = useQuery(timelineQuery(envelope.id));
  const list = useRef<HTMLOListElement>(null);
  const keepFocus = () => list.current?.focus({ preventScroll: true });
  const [unfolded, setUnfolded] = useState(false);
  const rows = timelineRows(envelope, timeline.data ?? []).reverse();
  const end = rows.length - 1;
  const isFolded = (index: number) =>
    !unfolded && rows.length > MAX_UNFOLDED && index >= LATEST && index < end;
  return (
    <Section title={t("detail.timeline")}>
      <ol ref={list} tabIndex={-1} className="mt-2 space-y-4 outline-none">
        {rows.map((row, index) =>
          isFolded(index) ? (
            index === LATEST && (
              <li key="fold">
                <Button
                  size="sm"
                  variant="ghost"
                  className="-ml-1"
                  onClick={() => {
                    keepFocus();
                    setUnfolded(true);
                  }}
                >
                  {t("timeline.more", { count: end - LATEST })}
                </Button>
              </li>
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
      </ol>
      {timeline.isPending && (
        <SkeletonGroup label={t("common:loading")} className="mt-4 space-y-2">
          <Skeleton className="h-5 w-3/4" />
          <Skeleton className="h-5 w-1/2" />
        </SkeletonGroup>
      )}
      {timeline.isError && <Failed query={timeline} />}
    </Section>
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
