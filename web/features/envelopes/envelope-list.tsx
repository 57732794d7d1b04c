import { useQuery } from "@tanstack/react-query";
import { ArrowDownNarrowWide, ArrowUpNarrowWide, RotateCw, UserRound, X } from "lucide-react";
import { type KeyboardEvent, memo, useCallback, useDeferredValue, useId, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { IconButton } from "../../components/ui/icon-button";
import { SearchInput } from "../../components/ui/input";
import { NativeSelect } from "../../components/ui/native-select";
import { tabAfter } from "../../components/ui/tabs";
import { useFormat } from "../../lib/use-format";
import { useUrlInput } from "../../lib/use-url-input";
import { userQuery } from "../auth/auth.queries";
import { useRole } from "../workspaces/workspaces.queries";
import { useTeam } from "./assignee";
import { type SelectionHandlers, useSelection } from "./bulk/select-row";
import { SelectionActions } from "./bulk/selection-actions";
import { useCopyLink } from "./envelope";
import type { RowActionHandlers, RowHandlers } from "./envelope-row";
import { EnvelopeTable } from "./envelope-table";
import { type Envelope, useCounts, useFound } from "./envelopes.queries";
import {
  assignedTo,
  type Counts,
  findElsewhere,
  findEnvelopes,
  type ListView,
  SORT_KEYS,
  type Sort,
  type SortKey,
  sortEnvelopes,
  sortState,
  TABS,
  type Tab,
} from "./list-view";
import { usePendingReturnLists } from "./review/pending-returns";

type EnvelopeListProps = Omit<RowActionHandlers, "mayEdit" | "onCopyLink"> & {
  workspaceId: number;
  envelopes: Envelope[];
  view: ListView;
  /** Changes the URL; with `replace`, without a new history entry. */
  onView: (changes: ListView, replace?: boolean) => void;
  /** The rest of a long list could not be loaded. */
  partial: boolean;
  refreshing: boolean;
  onRefresh: () => void;
};

/** Tabs, filter and table of a workspace's envelopes. */
export function EnvelopeList(props: EnvelopeListProps) {
  const { view, onView, onEdit, onDelete, onRemind, onDuplicate } = props;
  const { tab = "all", sort, q } = view;
  const { t } = useTranslation("envelopes");
  const panel = useId();
  const members = useTeam(props.workspaceId)?.members;
  const { data: user } = useQuery(userQuery);
  const onlyOf = members && view.mine ? user?.id : undefined;
  const [filter, setFilter] = useUrlInput(view.filter ?? "", (typed) =>
    onView({ filter: typed || undefined }, true),
  );
  const { listed, counts, elsewhere } = useListed({ ...props, filter, onlyOf });
  const { ids, selected, handlers: selection } = useSelection(listed);
  const unsent = usePendingReturnLists();
  const { mayEdit } = useRole(props.workspaceId);
  const handlers = useRowHandlers({ mayEdit, onEdit, onDelete, onRemind, onDuplicate }, selection);
  // Stable, so that a key press in the filter renders neither the tabs nor the table again.
  const select = useCallback((tab: Tab) => onView({ tab: tab === "all" ? undefined : tab }), [onView]);
  const setSort = useCallback((sort: Sort) => onView({ sort }, true), [onView]);
  // From a button that is then removed.
  const focusList = useCallback(
    () => document.getElementById(panel)?.focus({ preventScroll: true }),
    [panel],
  );
  const foundWords = elsewhere?.q;
  const showElsewhere = useCallback(() => {
    // Also while the URL waits for a pause in typing.
    setFilter("");
    onView({ filter: undefined, q: foundWords });
    focusList();
  }, [onView, setFilter, foundWords, focusList]);
  return (
    <>
      <EnvelopeTabs panel={panel} selected={tab} counts={counts} onSelect={select} />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchInput
          label={t("filter")}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          className="min-w-[min(15rem,100%)] flex-1 sm:max-w-xs"
        />
        {members && (
          <Button
            aria-pressed={onlyOf !== undefined}
            onClick={() => onView({ mine: view.mine ? undefined : true })}
            className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
          >
            <UserRound aria-hidden />
            {t("assignee.mine")}
          </Button>
        )}
        <IconButton
          icon={RotateCw}
          label={t("refresh")}
          onClick={props.onRefresh}
          loading={props.refreshing}
          className="size-9"
        />
        <SortField sort={sort} onSort={setSort} />
        {q && (
          <SearchNote
            words={q}
            onEnd={() => {
              onView({ q: undefined });
              focusList();
            }}
          />
        )}
        {props.partial && (
          <p role="alert" className="text-warn">
            {t("partial")}
          </p>
        )}
      </div>
      <div
        id={panel}
        role="tabpanel"
        tabIndex={-1}
        aria-labelledby={tabId(panel, tab)}
        className="@container"
      >
        <EnvelopeTable
          envelopes={listed}
          selected={ids}
          selectedCount={selected.length}
          unsent={unsent}
          members={members}
          handlers={handlers}
          sort={sort}
          onSort={setSort}
          elsewhere={elsewhere}
          onElsewhere={showElsewhere}
        />
      </div>
      <SelectionActions
        selected={selected}
        onClear={() => {
          selection.onClear();
          focusList();
        }}
      />
    </>
  );
}

type ListedOptions = Pick<EnvelopeListProps, "workspaceId" | "envelopes" | "view"> & {
  /** As it is typed; that of the view follows. */
  filter: string;
  /** Only what is assigned to this account. */
  onlyOf: number | undefined;
};

/** What is listed, the counts of the tabs, and what only a search for the filter's words would find. */
function useListed({ workspaceId, envelopes: loaded, view, filter, onlyOf }: ListedOptions) {
  const { tab = "all", sort, q, bulkId } = view;
  const chosenOf = useCallback(
    (all: readonly Envelope[]) => {
      const own = onlyOf === undefined ? all : assignedTo(all, onlyOf);
      return bulkId === undefined ? own : own.filter((envelope) => envelope.bulkId === bulkId);
    },
    [onlyOf, bulkId],
  );
  const envelopes = useMemo(() => chosenOf(loaded), [chosenOf, loaded]);
  const isWhole = onlyOf === undefined && bulkId === undefined;
  const counts = useCounts(isWhole ? workspaceId : undefined, envelopes);
  // Shows the pressed tab before the rows are rendered.
  const [shownTab, words, part] = [useDeferredValue(tab), useDeferredValue(q), useDeferredValue(filter)];
  const sorted = useMemo(() => sortEnvelopes(envelopes, sort), [envelopes, sort]);
  const found = useFound(workspaceId, q, loaded);
  const listed = useMemo(
    () =>
      found
        ? findEnvelopes(sortEnvelopes(chosenOf(found), sort), { tab: shownTab, filter: part })
        : findEnvelopes(sorted, { tab: shownTab, q: words, filter: part }),
    [found, chosenOf, sort, sorted, shownTab, words, part],
  );
  const elsewhere = useMemo(
    () => (listed.length > 0 ? null : findElsewhere(sorted, { tab: shownTab, q: words, filter: part })),
    [listed, sorted, shownTab, words, part],
  );
  return { listed, counts, elsewhere };
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

/** Sorts by what has a column, also where the table does not show it, and by what has none. */
function SortField({ sort, onSort }: { sort: Sort | undefined; onSort: (sort: Sort) => void }) {
  const { t } = useTranslation("envelopes");
  const { key, descending } = sortState(sort);
  const options = SORT_KEYS.map((value) => ({ value, label: t(`sort.${value}`) }));
  return (
    <span className="inline-flex items-center gap-1 sm:ml-auto">
      <NativeSelect
        aria-label={t("sort.label")}
        value={key}
        options={options}
        onChange={({ target }) => onSort(target.value as SortKey)}
      />
      <IconButton
        icon={descending ? ArrowDownNarrowWide : ArrowUpNarrowWide}
        label={descending ? t("sort.descending") : t("sort.ascending")}
        onClick={() => onSort(descending ? key : `-${key}`)}
        className="size-9"
      />
    </span>
  );
}

/** The handlers of the rows, as one stable object. The given ones must be stable too. */
function useRowHandlers(
  given: Omit<RowActionHandlers, "onCopyLink">,
  selection: SelectionHandlers,
): RowHandlers {
  const { mayEdit, onEdit, onDelete, onRemind, onDuplicate } = given;
  const copy = useCopyLink();
  return useMemo(
    () => ({
      ...selection,
      mayEdit,
      onEdit,
      onDelete,
      onRemind,
      onDuplicate,
      onCopyLink: ({ submissionToken }) => {
        if (submissionToken) void copy(submissionToken);
      },
    }),
    [selection, mayEdit, onEdit, onDelete, onRemind, onDuplicate, copy],
  );
}

type EnvelopeTabsProps = {
  /** The id of the element that holds the list. */
  panel: string;
  selected: Tab;
  counts: Counts;
  onSelect: (tab: Tab) => void;
};

const tabId = (panel: string, tab: Tab) => `${panel}-${tab}`;

/** The arrow keys move the focus; Enter selects, so that not every key press becomes a history entry. */
const EnvelopeTabs = memo(function EnvelopeTabs(props: EnvelopeTabsProps) {
  const { panel, selected, counts, onSelect } = props;
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent, index: number) => {
    const to = tabAfter(event.key, index, TABS.length);
    if (to === undefined) return;
    event.preventDefault();
    list.current?.querySelectorAll("button")[to]?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={t("tabs.label")}
      className="mb-4 flex flex-wrap gap-x-1 gap-y-0.5 border-line border-b pb-2"
    >
      {TABS.map((tab, index) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={tabId(panel, tab)}
          aria-selected={tab === selected}
          aria-controls={panel}
          tabIndex={tab === selected ? 0 : -1}
          onClick={() => onSelect(tab)}
          onKeyDown={(event) => move(event, index)}
          className="inline-flex h-8 touch:h-10 items-center gap-1.5 rounded-control px-2.5 font-medium text-ink-soft transition-colors duration-150 hover:bg-hover hover:text-ink aria-selected:bg-accent-soft aria-selected:text-accent"
        >
          {t(`tabs.${tab}`)}
          <span className="text-xs tabular-nums">{format.number(counts[tab])}</span>
        </button>
      ))}
    </div>
  );
});
