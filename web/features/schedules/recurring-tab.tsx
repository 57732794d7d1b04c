import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FastForward, Pause, Pencil, Play, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListedSeries } from "../../../worker/contract/series";
import { Button, buttonClass } from "../../components/ui/button";
import { ConfirmDialog } from "../../components/ui/confirm-dialog";
import { EmptyNote } from "../../components/ui/empty-note";
import { QueryPlaceholder } from "../../components/ui/query-placeholder";
import { Separated } from "../../components/ui/separated";
import { useDayAndHour } from "../../lib/use-day-and-hour";
import { useFormat } from "../../lib/use-format";
import { seriesListQuery, useSeriesAction } from "../envelopes/series.queries";
import type { ScheduleTabProps } from "./tab-names";

export const useRecurringCount = (workspaceId: number): number | undefined =>
  useQuery(seriesListQuery({ workspaceId })).data?.length;

/** What is sent again and again, the next one first. */
export function RecurringTab({ workspaceId, mayEdit }: ScheduleTabProps) {
  const { t } = useTranslation(["schedules", "common"]);
  const query = useQuery(seriesListQuery({ workspaceId }));
  const [asked, setAsked] = useState<Question | null>(null);
  const { data: rows } = query;
  if (!rows) return <QueryPlaceholder query={query} failed={t("failed")} rowClass="h-20" />;
  const link = mayEdit && (
    <Link to="/" search={{ wizard: "recurring" }} className={buttonClass()}>
      {t("recurring.new")}
    </Link>
  );
  if (rows.length === 0)
    return <EmptyNote action={link}>{t(mayEdit ? "recurring.empty" : "recurring.none")}</EmptyNote>;
  return (
    <>
      <ol className="divide-y divide-line rounded-card border border-line bg-surface">
        {rows.map((series) => (
          <Row key={series.id} series={series} mayEdit={mayEdit} onAsk={setAsked} />
        ))}
      </ol>
      {link && <p className="mt-3">{link}</p>}
      {asked && <QuestionDialog {...asked} onClose={() => setAsked(null)} />}
    </>
  );
}

/** What cannot be undone is asked for first. */
type Question = { action: "run" | "skip" | "delete"; series: ListedSeries };

function QuestionDialog({ action, series, onClose }: Question & { onClose: () => void }) {
  const { t } = useTranslation(["schedules", "common"]);
  const format = useFormat();
  const mutation = useSeriesAction(action);
  const { name, recipientCount: count, ifOpen } = series;
  const [date = "", following] = series.upcoming.map((day) => format.day(day));
  const texts = {
    run: {
      title: t("recurring.runNow.title"),
      text: [t("recurring.runNow.text", { count, date }), ifOpen === "skip" && t("recurring.runNow.omits")]
        .filter(Boolean)
        .join(" "),
      ...{ detail: name, confirmLabel: t("sendNow.action") },
    },
    skip: {
      title: t("recurring.skipNext.title"),
      text: following
        ? t("recurring.skipNext.text", { date, following })
        : t("recurring.skipNext.last", { date }),
      ...{ detail: name, confirmLabel: t("recurring.skip") },
    },
    delete: {
      ...{ title: t("recurring.delete.title"), text: t("recurring.delete.text", { name }) },
      confirmLabel: t("common:delete"),
    },
  }[action];
  return (
    <ConfirmDialog
      open
      {...texts}
      pending={mutation.isPending}
      onConfirm={() => mutation.mutate(series, { onSettled: onClose })}
      onCancel={onClose}
    />
  );
}

type RowProps = { series: ListedSeries; mayEdit: boolean; onAsk: (question: Question) => void };

function Row({ series, mayEdit, onAsk }: RowProps) {
  const { t } = useTranslation(["schedules", "common"]);
  const dayAndHour = useDayAndHour();
  const { name, every, unit, nextOn, sendHour, recipientCount } = series;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="break-words font-medium">{name}</p>
        <p className="text-ink-soft">
          <Separated>
            {t(`recurring.each.${unit}`, { count: every })}
            <span className="whitespace-nowrap">
              {nextOn ? t("recurring.next", { date: dayAndHour(nextOn, sendHour) }) : t("recurring.ended")}
            </span>
            {t("recurring.recipients", { count: recipientCount })}
          </Separated>
        </p>
        <Last series={series} />
        <Paused series={series} />
      </div>
      {mayEdit && <Actions series={series} onAsk={onAsk} />}
    </li>
  );
}

/** What became of the last one; the envelopes that it has sent are on home. */
function Last({ series: { occurrences } }: { series: ListedSeries }) {
  const { t } = useTranslation("schedules");
  const format = useFormat();
  const [last] = occurrences;
  if (!last) return null;
  const { state, on, completed, total, left, bulkId } = last;
  const counts = { done: format.number(completed), total: format.number(total - left) };
  const result = state === "sent" && bulkId === null ? "none" : state;
  const text = [
    t(`recurring.last.${result}`, { date: format.day(on), ...counts }),
    left > 0 && t("recurring.last.left", { count: left }),
  ]
    .filter(Boolean)
    .join(" · ");
  return bulkId === null ? (
    <p className="text-ink-soft">{text}</p>
  ) : (
    <Link to="/" search={{ bulkId }} className="block text-ink-soft hover:text-ink hover:underline">
      {text}
    </Link>
  );
}

function Paused({ series: { pauseReason } }: { series: ListedSeries }) {
  const { t } = useTranslation("schedules");
  if (pauseReason === null) return null;
  return (
    <p className="font-medium text-warn">
      {pauseReason === "person" ? t("recurring.isPaused") : t(`recurring.reasons.${pauseReason}`)}
    </p>
  );
}

function Actions({ series, onAsk }: Omit<RowProps, "mayEdit">) {
  const { t } = useTranslation(["schedules", "common"]);
  const { id, name, paused, nextOn } = series;
  return (
    <span className="flex flex-wrap gap-2">
      {nextOn && (
        <>
          <ActionButton action={paused ? "resume" : "pause"} icon={paused ? Play : Pause} series={series} />
          <Button
            size="sm"
            aria-label={t("recurring.named.skip", { name })}
            onClick={() => onAsk({ action: "skip", series })}
          >
            <FastForward aria-hidden />
            {t("recurring.skip")}
          </Button>
          <Button
            size="sm"
            aria-label={t("recurring.named.run", { name })}
            onClick={() => onAsk({ action: "run", series })}
          >
            <Send aria-hidden />
            {t("sendNow.action")}
          </Button>
        </>
      )}
      <Link
        to="/"
        search={{ wizard: "recurring", series: id }}
        aria-label={t("recurring.named.edit", { name })}
        className={buttonClass({ size: "sm" })}
      >
        <Pencil aria-hidden />
        {t("common:edit")}
      </Link>
      <Button
        size="sm"
        aria-label={t("recurring.named.delete", { name })}
        onClick={() => onAsk({ action: "delete", series })}
      >
        <Trash2 aria-hidden />
        {t("common:delete")}
      </Button>
    </span>
  );
}

const LABELS = {
  pause: "recurring.pause",
  resume: "recurring.resume",
} as const;

type ActionButtonProps = { action: keyof typeof LABELS; icon: typeof Pause; series: ListedSeries };

function ActionButton({ action, icon: Icon, series }: ActionButtonProps) {
  const { t } = useTranslation("schedules");
  const mutation = useSeriesAction(action);
  return (
    <Button
      size="sm"
      loading={mutation.isPending}
      aria-label={t(`recurring.named.${action}`, { name: series.name })}
      onClick={() => mutation.mutate(series)}
    >
      {!mutation.isPending && <Icon aria-hidden />}
      {t(LABELS[action])}
    </Button>
  );
}
