import { useQuery } from "@tanstack/react-query";
import { FileSpreadsheet, Grid3x3, RotateCcw, X } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CountedWord } from "../../../worker/contract/request-words";
import { Button } from "../../components/ui/button";
import { IconButton } from "../../components/ui/icon-button";
import { ProgressBar } from "../../components/ui/progress-bar";
import { Skeleton } from "../../components/ui/query-placeholder";
import { ApiError } from "../../lib/api";
import { errorText } from "../../lib/error-text";
import { useFormat } from "../../lib/use-format";
import { useWorkspaceOf } from "../workspaces/workspaces.queries";
import { type BulkSend, bulkSendQuery } from "./bulk-sends.queries";
import { useDownloadAnswers } from "./download-answers";

/** How many are shown at first. */
const SHOWN = 3;

type GroupStripProps = {
  /** Undefined while they are loading. */
  groups: readonly BulkSend[] | undefined;
  selected: number | undefined;
  onSelect: (id: number | undefined) => void;
  /** Shows the board of the selected one; undefined if it is shown. */
  onBoard: (() => void) | undefined;
  /** Undefined for who may not send. */
  onRetry: ((id: number) => void) | undefined;
};

/** The requests that were sent to several recipients at once: how far each is, and a filter for its envelopes. */
export function GroupStrip({ groups, selected, onSelect, onBoard, onRetry }: GroupStripProps) {
  const { t } = useTranslation("envelopes");
  const textOf = useGroupText();
  const [showsAll, setShowsAll] = useState(false);
  const strip = useRef<HTMLDivElement>(null);
  const select = (id: number | undefined) => {
    onSelect(id);
    // The pressed button is then removed.
    strip.current?.focus({ preventScroll: true });
  };
  const others = selected === undefined ? (groups ?? []) : [];
  const hidden = showsAll ? 0 : Math.max(0, others.length - SHOWN);
  return (
    <div ref={strip} tabIndex={-1}>
      {selected !== undefined && (
        <Suspense fallback={<Skeleton className="mb-4 h-18 rounded-card" />}>
          <Group
            key={selected}
            id={selected}
            known={groups?.find(({ id }) => id === selected)}
            onEnd={() => select(undefined)}
            onBoard={onBoard}
            onRetry={onRetry && (() => onRetry(selected))}
          />
        </Suspense>
      )}
      {others.length > 0 && (
        <ul aria-label={t("groups.label")} className="strip mb-2 gap-2 py-1">
          {others.slice(0, others.length - hidden).map((group, index) => (
            <li key={group.id} className="max-w-4/5 sm:max-w-md">
              <Button
                autoFocus={showsAll && index === SHOWN}
                size="sm"
                className="h-auto! min-h-8 w-full whitespace-normal! py-1"
                title={textOf(group)}
                onClick={() => select(group.id)}
              >
                <span className="line-clamp-2 break-words">{textOf(group)}</span>
              </Button>
            </li>
          ))}
          {hidden > 0 && (
            <li>
              <Button size="sm" onClick={() => setShowsAll(true)}>
                {t("timeline.more", { count: hidden })}
              </Button>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

/** How many are reviewed, or have nothing to review. */
const doneOf = ({ completed, toReview }: Pick<BulkSend, "completed" | "toReview">) => completed - toReview;

/** "Tax return 2025: 31 of 40 done", or how many are sent so far. */
function useGroupText() {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  return ({ series, finished, created, total, failed, ...group }: Omit<BulkSend, "workspaceId">) => {
    const done = finished ? doneOf(group) : created + failed.length;
    const subject = series?.name ?? group.subject;
    const counts = { subject, done: format.number(done), total: format.number(total) };
    return t(finished ? "groups.done" : "groups.sending", counts);
  };
}

/** What is said beside how many are done. */
const COUNTS = ["sent", "opened", "submitted", "toReview"] as const satisfies readonly CountedWord[];

type GroupProps = {
  id: number;
  known: BulkSend | undefined;
  onEnd: () => void;
  onBoard: (() => void) | undefined;
  onRetry: (() => void) | undefined;
};

/** One of them in full, while the list shows only its envelopes. */
function Group({ id, known, onEnd, onBoard, onRetry }: GroupProps) {
  const { t, i18n } = useTranslation(["envelopes", "errors", "validation"]);
  const format = useFormat();
  const textOf = useGroupText();
  const answers = useDownloadAnswers();
  const query = useQuery(bulkSendQuery(id));
  const group = query.data ?? known;
  useWorkspaceOf(group);
  if (!group)
    return query.error ? (
      <section className="mb-4 flex items-center justify-between gap-2 rounded-card bg-sunken py-2 pr-2 pl-4">
        <p role="alert">{errorText(query.error, i18n.t)}</p>
        <IconButton icon={X} label={t("groups.end")} onClick={onEnd} className="size-9" />
      </section>
    ) : (
      <Skeleton className="mb-4 h-18 rounded-card" />
    );
  const { finished, created, opened, completed, toReview, total, failed } = group;
  const counts = { sent: created, opened, submitted: completed, toReview };
  return (
    <section aria-label={group.subject} className="mb-3 rounded-card bg-sunken px-4 pt-1 pb-2.5">
      <div className="-mr-2 mb-1 flex items-center gap-2 sm:gap-3">
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
          <p role="status" className="min-w-0 hyphens-auto break-words font-medium">
            {textOf(group)}
          </p>
          {finished && (
            <p className="text-ink-soft text-xs">
              {COUNTS.map((word) => t(`groups.${word}`, { value: format.number(counts[word]) })).join(" · ")}
            </p>
          )}
        </div>
        {group.questions > 0 && completed > 0 && (
          <Button
            size="sm"
            className="touch:min-w-10"
            loading={answers.isPending}
            onClick={() => answers.mutate(`bulkId=${id}`)}
          >
            {!answers.isPending && <FileSpreadsheet aria-hidden />}
            <span className="max-sm:sr-only">{t("downloadAnswers")}</span>
          </Button>
        )}
        {onBoard && (
          <Button size="sm" className="touch:min-w-10" onClick={onBoard}>
            <Grid3x3 aria-hidden />
            <span className="max-sm:sr-only">{t("view.board")}</span>
          </Button>
        )}
        <IconButton icon={X} label={t("groups.end")} onClick={onEnd} className="size-9" />
      </div>
      <ProgressBar
        label={t(finished ? "tabs.completed" : "groups.sendingLabel")}
        value={finished ? doneOf(group) : created + failed.length}
        max={total}
      />
      {!finished && <p className="mt-2 text-ink-soft text-xs">{t("groups.mayClose")}</p>}
      {failed.length > 0 && (
        <div className="mt-3">
          <p className="font-medium text-bad">{t("groups.failed", { count: failed.length })}</p>
          <ul className="mt-1 max-h-40 overflow-y-auto">
            {failed.map(({ index, recipientName, code, message }) => (
              <li key={index} className="break-words">
                {recipientName}
                <span className="text-ink-soft"> · {failureText({ code, message }, i18n.t)}</span>
              </li>
            ))}
          </ul>
          {finished && onRetry && (
            <Button size="sm" className="mt-2" onClick={onRetry}>
              <RotateCcw aria-hidden />
              {t("groups.retry")}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

/** The reason in the language of the page. */
const failureText = (failure: { code: string; message: string }, t: Parameters<typeof errorText>[1]) =>
  errorText(new ApiError(400, JSON.stringify(failure)), t);
