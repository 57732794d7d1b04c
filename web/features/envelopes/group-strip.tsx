import { useQuery } from "@tanstack/react-query";
import { RotateCcw, X } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { IconButton } from "../../components/ui/icon-button";
import { ProgressBar } from "../../components/ui/progress-bar";
import { Skeleton } from "../../components/ui/query-placeholder";
import { ApiError } from "../../lib/api";
import { errorText } from "../../lib/error-text";
import { useFormat } from "../../lib/use-format";
import { useWorkspaceOf } from "../workspaces/workspaces.queries";
import { type BulkSend, bulkSendQuery } from "./bulk-sends.queries";

/** How many are shown at first. */
const SHOWN = 3;

type GroupStripProps = {
  /** Undefined while they are loading. */
  groups: readonly BulkSend[] | undefined;
  selected: number | undefined;
  onSelect: (id: number | undefined) => void;
  /** Undefined for who may not send. */
  onRetry: ((id: number) => void) | undefined;
};

/** The requests that were sent to several recipients at once: how far each is, and a filter for its envelopes. */
export function GroupStrip({ groups, selected, onSelect, onRetry }: GroupStripProps) {
  const { t } = useTranslation("envelopes");
  const textOf = useGroupText();
  const [showsAll, setShowsAll] = useState(false);
  const strip = useRef<HTMLDivElement>(null);
  const select = (id: number | undefined) => {
    onSelect(id);
    // The pressed button is then removed.
    strip.current?.focus({ preventScroll: true });
  };
  const others = groups?.filter(({ id }) => id !== selected) ?? [];
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
            onRetry={onRetry && (() => onRetry(selected))}
          />
        </Suspense>
      )}
      {others.length > 0 && (
        <ul aria-label={t("groups.label")} className="mb-4 flex flex-wrap gap-2">
          {others.slice(0, others.length - hidden).map((group, index) => (
            <li key={group.id} className="max-w-full sm:max-w-112">
              <Button
                autoFocus={showsAll && index === SHOWN}
                size="sm"
                className="h-auto! min-h-8 max-w-full whitespace-normal! py-1 text-start touch:min-h-10"
                title={group.subject}
                onClick={() => select(group.id)}
              >
                <span className="line-clamp-3 [overflow-wrap:anywhere]">{textOf(group)}</span>
              </Button>
            </li>
          ))}
          {hidden > 0 && (
            <li>
              <Button size="sm" variant="ghost" onClick={() => setShowsAll(true)}>
                {t("timeline.more", { count: hidden })}
              </Button>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

/** "Tax return 2025: 31 of 40 complete", or how many are sent so far. */
function useGroupText() {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  return ({ subject, finished, created, completed, total, failed }: Omit<BulkSend, "workspaceId">) => {
    const done = finished ? completed : created + failed.length;
    const counts = { subject, done: format.number(done), total: format.number(total) };
    return finished ? t("groups.complete", counts) : t("groups.sending", counts);
  };
}

type GroupProps = {
  id: number;
  known: BulkSend | undefined;
  onEnd: () => void;
  onRetry: (() => void) | undefined;
};

/** One of them in full, while the list shows only its envelopes. */
function Group({ id, known, onEnd, onRetry }: GroupProps) {
  const { t, i18n } = useTranslation(["envelopes", "errors", "validation"]);
  const textOf = useGroupText();
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
  const { finished, created, completed, total, failed } = group;
  return (
    <section aria-label={group.subject} className="mb-4 rounded-card bg-sunken p-4">
      <div className="-mt-1.5 -mr-2 mb-1 flex items-center gap-2">
        <p role="status" className="min-w-0 flex-1 break-words font-medium">
          {textOf(group)}
        </p>
        <IconButton icon={X} label={t("groups.end")} onClick={onEnd} className="size-9" />
      </div>
      <ProgressBar
        label={t(finished ? "groups.completeLabel" : "groups.sendingLabel")}
        value={finished ? completed : created + failed.length}
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
