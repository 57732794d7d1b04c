import { useQuery } from "@tanstack/react-query";
import { Bell, RotateCw } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import type { RetryableQuery } from "../../../components/ui/query-placeholder";
import { Skeleton, SkeletonGroup } from "../../../components/ui/query-placeholder";
import { errorText } from "../../../lib/error-text";
import { useRole } from "../../workspaces/workspaces.queries";
import { canRemind } from "../envelope";
import type { Envelope } from "../envelopes.queries";
import { timelineQuery, useRemind } from "../timeline.queries";
import { Section } from "./section";
import { TimelineEvent } from "./timeline-event";
import { timelineRows } from "./timeline-rows";

/** Longer timelines are folded in the middle. */
const MAX_UNFOLDED = 10;
const LATEST = 7;

type TimelineCardProps = { envelope: Envelope; onCorrect: () => void };

export function TimelineCard({ envelope, onCorrect }: TimelineCardProps) {
  const { t } = useTranslation(["envelopes", "common"]);
  const { mayEdit } = useRole(envelope.workspaceId);
  const timeline = useQuery(timelineQuery(envelope.id));
  const list = useRef<HTMLOListElement>(null);
  const keepFocus = () => list.current?.focus({ preventScroll: true });
  const [unfolded, setUnfolded] = useState(false);
  const rows = timelineRows(envelope, timeline.data ?? []);
  const folded = unfolded || rows.length <= MAX_UNFOLDED ? 0 : rows.length - LATEST - 1;
  return (
    <Section
      title={t("detail.timeline")}
      className="max-lg:border-line max-lg:border-t max-lg:pt-5 lg:border-line lg:border-l lg:pl-6"
    >
      <ol ref={list} tabIndex={-1} className="mt-2 space-y-4 outline-none">
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
      </ol>
      {timeline.isPending && (
        <SkeletonGroup label={t("common:loading")} className="mt-4 space-y-2">
          <Skeleton className="h-5 w-3/4" />
          <Skeleton className="h-5 w-1/2" />
        </SkeletonGroup>
      )}
      {timeline.isError && <Failed query={timeline} />}
      {mayEdit && canRemind(envelope) && <RemindButton id={envelope.id} />}
    </Section>
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

/** Sends a reminder. The server allows one per hour. */
function RemindButton({ id }: { id: number }) {
  const { t } = useTranslation("envelopes");
  const remind = useRemind();
  return (
    <Button className="mt-5 w-full" loading={remind.isPending} onClick={() => remind.mutate({ id })}>
      {!remind.isPending && <Bell aria-hidden />}
      {t("remind.now")}
    </Button>
  );
}
