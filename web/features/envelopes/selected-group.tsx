import { useQuery } from "@tanstack/react-query";
import { FileSpreadsheet, Grid3x3, RotateCcw, X } from "lucide-react";
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
import { doneOf, useGroupText } from "./group-text";

/** What is said beside how many are done. */
const COUNTS = ["sent", "opened", "submitted", "toReview"] as const satisfies readonly CountedWord[];

type SelectedGroupProps = {
  id: number;
  known: BulkSend | undefined;
  onEnd: () => void;
  onBoard: (() => void) | undefined;
  onRetry: (() => void) | undefined;
};

/** One of them in full, while the list shows only its envelopes. */
export default function SelectedGroup({ id, known, onEnd, onBoard, onRetry }: SelectedGroupProps) {
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
