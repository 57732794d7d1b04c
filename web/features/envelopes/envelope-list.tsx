import { RotateCw, X } from "lucide-react";
import { lazy, Suspense, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/ui/icon-button";
import { SearchInput } from "../../components/ui/search-input";
import type { BulkAction } from "./bulk/bulk-actions";
import { BulkBar } from "./bulk/bulk-bar";
import { useSelection } from "./bulk/use-selection";
import { EnvelopeTable } from "./envelope-table";
import { EnvelopeTabs, tabId } from "./envelope-tabs";
import { type Envelope, useCounts } from "./envelopes.queries";
import { findEnvelopes, type ListView, sortEnvelopes } from "./list-view";
import { useRowHandlers } from "./use-row-handlers";

const BulkDialog = lazy(() => import("./bulk/bulk-dialog"));

/** The pause in typing after which the URL follows the filter. */
const FILTER_PAUSE_MS = 300;

type EnvelopeListProps = {
  workspaceId: number;
  envelopes: Envelope[];
  view: ListView;
  /** Changes the URL; with `replace`, without a new history entry. */
  onView: (changes: ListView, replace?: boolean) => void;
  /** The rest of a long list could not be loaded. */
  partial: boolean;
  refreshing: boolean;
  onRefresh: () => void;
  onEdit: (envelope: Envelope) => void;
  onDelete: (envelope: Envelope) => void;
};

/** Tabs, filter and table of a workspace's envelopes. */
export function EnvelopeList(props: EnvelopeListProps) {
  const { envelopes, view, onView, onEdit, onDelete } = props;
  const { tab = "all", sort, q } = view;
  const { t } = useTranslation("envelopes");
  const panel = useId();
  const counts = useCounts(props.workspaceId, envelopes);
  const [filter, setFilter] = useFilter(view.filter, (filter) => onView({ filter }, true));
  // Shows the pressed tab before the rows are rendered.
  const [shownTab, words, part] = [useDeferredValue(tab), useDeferredValue(q), useDeferredValue(filter)];
  const sorted = useMemo(() => sortEnvelopes(envelopes, sort), [envelopes, sort]);
  const listed = useMemo(
    () => findEnvelopes(sorted, { tab: shownTab, q: words, filter: part }),
    [sorted, shownTab, words, part],
  );
  const { ids, selected, handlers: selection } = useSelection(listed);
  const handlers = useRowHandlers({ onEdit, onDelete }, selection);
  const [action, setAction] = useState<BulkAction | null>(null);
  return (
    <>
      <EnvelopeTabs
        panel={panel}
        selected={tab}
        counts={counts}
        onSelect={(chosen) => onView({ tab: chosen === "all" ? undefined : chosen })}
      />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchInput
          label={t("filter")}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          className="min-w-60 flex-1 sm:max-w-xs"
        />
        <IconButton
          icon={RotateCw}
          label={t("refresh")}
          onClick={props.onRefresh}
          loading={props.refreshing}
          className="size-9"
        />
        {q && <SearchNote words={q} onEnd={() => onView({ q: undefined })} />}
        {props.partial && (
          <p role="alert" className="text-warn">
            {t("partial")}
          </p>
        )}
      </div>
      <div id={panel} role="tabpanel" aria-labelledby={tabId(panel, tab)} className="@container">
        <EnvelopeTable
          envelopes={listed}
          selected={ids}
          selectedCount={selected.length}
          handlers={handlers}
          sort={sort}
          onSort={(sort) => onView({ sort }, true)}
        />
      </div>
      <BulkBar count={selected.length} onAction={setAction} onClear={selection.onClear} />
      {action && (
        <Suspense>
          <BulkDialog
            action={action}
            envelopes={selected}
            onClose={() => setAction(null)}
            onDone={() => {
              setAction(null);
              selection.onClear();
              // The bulk bar was removed.
              requestAnimationFrame(() => document.getElementById("content")?.focus());
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** The current search, and a link back to all envelopes. */
function SearchNote({ words, onEnd }: { words: string; onEnd: () => void }) {
  const { t } = useTranslation("envelopes");
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-1 rounded-full bg-accent-soft pr-1 pl-3 text-accent">
      <span className="min-w-0 truncate" title={words}>
        {t("search.for", { words })}
      </span>
      <IconButton icon={X} label={t("search.end")} onClick={onEnd} className="size-7 text-accent!" />
    </span>
  );
}

/** The filter's input. Updates the URL after a pause in typing, and follows other changes of the URL. */
function useFilter(given = "", onChange: (filter: string | undefined) => void) {
  const [filter, setFilter] = useState(given);
  const lastUrl = useRef(given);
  const notify = useRef(onChange);
  useEffect(() => {
    notify.current = onChange;
  });
  useEffect(() => {
    if (given === lastUrl.current) return;
    lastUrl.current = given;
    setFilter(given);
  }, [given]);
  useEffect(() => {
    if (filter === lastUrl.current) return;
    const timer = setTimeout(() => {
      lastUrl.current = filter;
      notify.current(filter || undefined);
    }, FILTER_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [filter]);
  return [filter, setFilter] as const;
}
