import { RotateCw, X } from "lucide-react";
import { useDeferredValue, useId, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/ui/icon-button";
import { SearchInput } from "../../components/ui/search-input";
import { SelectionActions } from "./bulk/selection-actions";
import { useSelection } from "./bulk/use-selection";
import { EnvelopeTable } from "./envelope-table";
import { EnvelopeTabs, tabId } from "./envelope-tabs";
import { type Envelope, useCounts } from "./envelopes.queries";
import { findEnvelopes, type ListView, sortEnvelopes } from "./list-view";
import { useFilter } from "./use-filter";
import { useRowHandlers } from "./use-row-handlers";

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
      <SelectionActions selected={selected} onClear={selection.onClear} />
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
