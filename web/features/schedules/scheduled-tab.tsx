import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Pencil, Send } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { EnvelopeRow } from "../../../worker/contract/envelopes";
import { Button, buttonClass } from "../../components/ui/button";
import { EmptyNote } from "../../components/ui/empty-note";
import { MoreButton, QueryPlaceholder } from "../../components/ui/query-placeholder";
import { useDayAndHour } from "../../lib/use-day-and-hour";
import { countsQuery, rowsQuery } from "../envelopes/envelopes.queries";
import { useSendNow } from "../envelopes/timeline.queries";
import type { ScheduleTabProps } from "./tab-names";

export const useScheduledCount = (workspaceId: number): number | undefined =>
  useQuery(countsQuery({ workspaceId })).data?.scheduled;

/** The envelopes that are sent on a day, the next one first. */
export function ScheduledTab({ workspaceId, mayEdit }: ScheduleTabProps) {
  const { t } = useTranslation(["schedules", "envelopes"]);
  const list = { workspaceId, tab: "scheduled", sort: "sends" } as const;
  const query = useInfiniteQuery(rowsQuery(list));
  const { data: rows } = query;
  if (!rows) return <QueryPlaceholder query={query} failed={t("failed")} rowClass="h-14" />;
  if (rows.length === 0) {
    const link = (
      <Link to="/" search={{ wizard: "new" }} className={buttonClass()}>
        {t("envelopes:newEnvelope")}
      </Link>
    );
    return (
      <EmptyNote action={mayEdit && link}>{t(mayEdit ? "scheduled.empty" : "scheduled.none")}</EmptyNote>
    );
  }
  return (
    <>
      <ol className="divide-y divide-line rounded-card border border-line bg-surface">
        {rows.map((row) => (
          <Row key={row.id} row={row} mayEdit={mayEdit} />
        ))}
      </ol>
      <MoreButton query={query} label={t("more")} className="mt-3" />
    </>
  );
}

function Row({ row, mayEdit }: { row: EnvelopeRow; mayEdit: boolean }) {
  const { t } = useTranslation(["schedules", "envelopes", "common"]);
  const dayAndHour = useDayAndHour();
  const send = useSendNow();
  const { id, sendOn, sendHour = 0 } = row;
  const subject = row.subject ?? t("envelopes:noSubject");
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <Link to="/" search={{ envelope: id }} className="block truncate font-medium hover:underline">
          {subject}
        </Link>
        <p className="truncate text-ink-soft">{row.recipient}</p>
      </div>
      {sendOn && (
        <time dateTime={sendOn} className="shrink-0 tabular-nums">
          {dayAndHour(sendOn, sendHour)}
        </time>
      )}
      {mayEdit && (
        <span className="flex shrink-0 gap-2">
          <Button
            size="sm"
            loading={send.isPending}
            aria-label={t("sendNow.named", { name: subject })}
            onClick={() => send.mutate(id)}
          >
            {!send.isPending && <Send aria-hidden />}
            {t("sendNow.action")}
          </Button>
          <Link
            to="/"
            search={{ edit: id }}
            aria-label={t("envelopes:editNamed", { name: subject })}
            className={buttonClass({ size: "sm" })}
          >
            <Pencil aria-hidden />
            {t("common:edit")}
          </Link>
        </span>
      )}
    </li>
  );
}
