import {
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { ArrowDownNarrowWide, ArrowUpNarrowWide, Grid3x3, RotateCw, Rows3, X } from "lucide-react";
import {
  type KeyboardEvent,
  memo,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
} from "react";
import { useTranslation } from "react-i18next";
import type { EnvelopeRow as Row } from "../../../worker/contract/envelopes";
import { LIMITS } from "../../../worker/contract/limits";
import {
  DEFAULT_SORT,
  SORT_KEYS,
  type Sort,
  type SortKey,
  sortState,
  TABS,
  type Tab,
} from "../../../worker/contract/list-orders";
import { isUndelivered } from "../../../worker/contract/request-words";
import { IconButton } from "../../components/ui/icon-button";
import { NativeSelect, SearchInput } from "../../components/ui/input";
import { Segmented } from "../../components/ui/segmented";
import { tabAfter } from "../../components/ui/tabs";
import { useMore } from "../../lib/read-pages";
import { useFormat } from "../../lib/use-format";
import { useUrlInput } from "../../lib/use-url-input";
import { templateQuery } from "../templates/templates.queries";
import { useRole } from "../workspaces/workspaces.queries";
import { useTeam } from "./assignee";
import { Board } from "./board/lazy-board";
import { type SelectionHandlers, useSelection } from "./bulk/select-row";
import { SelectionActions } from "./bulk/selection-actions";
import { useCopyLink } from "./copy-link";
import type { RowActionHandlers, RowHandlers } from "./envelope-row";
import { EnvelopeTable } from "./envelope-table";
import { countsQuery, rowsQuery } from "./envelopes.queries";
import { ListFilters } from "./list-filters";
import {
  type Counts,
  countTabs,
  filterByRecipient,
  filterBySubject,
  inTab,
  isLongList,
  type ListView,
  sortEnvelopes,
} from "./list-view";
import { usePendingReturnLists } from "./review/pending-returns";
import { useListOf } from "./use-list-of";

const VIEWS = [
  { value: "table", icon: Rows3 },
  { value: "board", icon: Grid3x3 },
] as const;

type EnvelopeListProps = Omit<RowActionHandlers, "mayEdit" | "onCopyLink"> & {
  workspaceId: number;
  view: ListView;
  /** Changes the URL; with `replace`, without a new history entry. */
  onView: (changes: ListView, replace?: boolean) => void;
  onRefresh: () => void;
};

/** Tabs, filter and table of a workspace's envelopes. */
export function EnvelopeList(props: EnvelopeListProps) {
  const { view, onView, onEdit, onDelete, onRemind, onDuplicate, onReview } = props;
  const { tab = "all", sort, q } = view;
  const { t } = useTranslation("envelopes");
  const panel = useId();
  const members = useTeam(props.workspaceId)?.members;
  const [filter, setFilter] = useUrlInput(view.filter ?? "", (typed) =>
    onView({ filter: typed || undefined }, true),
  );
  const { rows, divider, count, counts, mayLackMessages, query, part, onMore, readRows } = useListed({
    ...props,
    filter,
  });
  const { ids, selected, handlers: selection } = useSelection(rows, readRows);
  const unsent = usePendingReturnLists();
  const { mayEdit } = useRole(props.workspaceId);
  const handlers = useRowHandlers({ mayEdit, onEdit, onDelete, onRemind, onDuplicate, onReview }, selection);
  // Stable, so that a key press in the filter renders neither the tabs nor the table again.
  const select = useCallback((tab: Tab) => onView({ tab: tab === "all" ? undefined : tab }), [onView]);
  const setSort = useCallback((sort: Sort) => onView({ sort }, true), [onView]);
  const narrowed = useNarrowed(view);
  const showBoard = (ids: string) => {
    selection.onClear();
    onView({ view: "board", ids, tab: undefined, filter: undefined, q: undefined });
  };
  // From a button that is then removed.
  const focusList = () => document.getElementById(panel)?.focus({ preventScroll: true });
  return (
    <>
      <EnvelopeTabs panel={panel} selected={tab} counts={counts} onSelect={select} />
      <div className="mb-3 flex flex-wrap items-center gap-2 beside:h-9 beside:overflow-hidden">
        <SearchInput
          label={t("filter")}
          value={filter}
          maxLength={LIMITS.filter}
          onChange={(event) => setFilter(event.target.value)}
          className="min-w-[min(7rem,100%)] flex-1 sm:max-w-xs"
        />
        <IconButton
          icon={RotateCw}
          label={t("refresh")}
          onClick={props.onRefresh}
          loading={query.isFetching && !query.isFetchingNextPage}
          className="size-9"
        />
        <Segmented
          legend={t("view.label")}
          value={view.view ?? "table"}
          onChange={(chosen) => onView({ view: chosen === "board" ? chosen : undefined })}
          choices={VIEWS.map(({ value, icon }) => ({ value, icon, label: t(`view.${value}`) }))}
          compact
          className="sm:order-1"
        />
        <div className="strip -my-1 gap-2 py-1 sm:contents">
          <ListFilters view={view} onView={onView} members={members} messages={mayLackMessages} />
          <SortField sort={sort} onSort={setSort} />
        </div>
        {q && (
          <SearchNote
            text={t("search.for", { words: q })}
            end={t("search.end")}
            onEnd={() => {
              onView({ q: undefined });
              focusList();
            }}
          />
        )}
        {narrowed && (
          <SearchNote
            text={narrowed}
            end={t("groups.end")}
            onEnd={() => {
              onView({ ids: undefined, templateId: undefined });
              focusList();
            }}
          />
        )}
        {query.isError && (
          <p role="alert" className="text-warn">
            {t("partial")}
          </p>
        )}
      </div>
      <div
        id={panel}
        role="tabpanel"
        data-wide
        tabIndex={-1}
        aria-labelledby={tabId(panel, tab)}
        className="@container"
      >
        {view.view === "board" ? (
          <Suspense>
            <Board list={part} members={members} handlers={handlers} />
          </Suspense>
        ) : (
          <EnvelopeTable
            envelopes={rows}
            count={count}
            divider={divider}
            onMore={onMore}
            selected={ids}
            selectedCount={selected.length}
            unsent={unsent}
            members={members}
            ofOneSend={view.bulkId !== undefined}
            handlers={handlers}
            sort={sort}
            onSort={setSort}
          />
        )}
      </div>
      {view.view !== "board" && (
        <SelectionActions
          selected={selected}
          count={count}
          members={members}
          onBoard={showBoard}
          onClear={() => {
            selection.onClear();
            focusList();
          }}
        />
      )}
    </>
  );
}

type ListedOptions = Pick<EnvelopeListProps, "workspaceId" | "view"> & {
  /** As it is typed; that of the view follows after a pause. */
  filter: string;
};

/** The grey rows of a list that nothing is known of yet. */
const UNKNOWN = 12;
const NO_ROWS: readonly Row[] = [];

/** What is listed, and the counts of the tabs. While the server is asked for another list, the rows before stay. */
function useListed({ workspaceId, view, filter: typed }: ListedOptions) {
  const client = useQueryClient();
  const { tab = "all", sort = DEFAULT_SORT } = view;
  const { all, part } = useListOf(workspaceId, view);
  const isLong = isLongList(client.getQueryData(rowsQuery(all).queryKey));
  const query = useInfiniteQuery({
    ...rowsQuery(isLong ? part : all),
    placeholderData: keepPreviousData,
  });
  const counted = useQuery({ ...countsQuery({ ...all, filter: part.filter }), enabled: isLong });
  const others = useInfiniteQuery({
    ...rowsQuery({ ...part, by: "recipient" }),
    enabled: isLong && part.filter !== undefined,
  });
  const { data: loaded, hasNextPage } = query;
  // Shows the pressed tab and the typed text before the rows are rendered. Long lists are filtered by the server.
  const [shownTab, shownPart] = [useDeferredValue(tab), useDeferredValue(isLong ? "" : typed)];
  const found = useMemo(() => loaded && filterBySubject(loaded, shownPart), [loaded, shownPart]);
  const own = useMemo(() => found && sortEnvelopes(inTab(found, shownTab), sort), [found, shownTab, sort]);
  const ownOthers = useMemo(
    () => sortEnvelopes(inTab(filterByRecipient(loaded ?? NO_ROWS, shownPart), shownTab), sort),
    [loaded, shownPart, shownTab, sort],
  );
  const bySubject = (isLong ? loaded : own) ?? NO_ROWS;
  // They follow the last of those with the filter in their subject.
  const byRecipient =
    (isLong ? !hasNextPage && part.filter !== undefined && others.data : ownOthers) || NO_ROWS;
  const rows = useMemo(
    () => (byRecipient.length > 0 ? [...bySubject, ...byRecipient] : bySubject),
    [bySubject, byRecipient],
  );
  const known = counted.isPlaceholderData ? undefined : counted.data?.[tab];
  const after = byRecipient.length > 0 && isLong && others.hasNextPage ? 1 : 0;
  const count = !loaded ? UNKNOWN : hasNextPage ? Math.max(rows.length + 1, known ?? 0) : rows.length + after;
  const ownCounts = useMemo(() => countTabs(found ?? NO_ROWS), [found]);
  const [more, moreOthers] = [useMore(query), useMore(others)];
  return {
    ...{ rows, count, query, part },
    /** How many are before those that the filter finds by their recipient; undefined without any. */
    divider: byRecipient.length > 0 ? bySubject.length : undefined,
    counts: isLong ? counted.data : loaded && ownCounts,
    /** Whether some of the list may not have reached their recipients; the browser knows it of a short one. */
    mayLackMessages: isLong || (loaded ?? NO_ROWS).some((row) => isUndelivered(row, new Date())),
    onMore: more ?? (after ? moreOthers : undefined),
    /** Loads this many rows, or all. */
    async readRows(most: number) {
      if (!isLong) return rows;
      const first = await readUpTo(query, most);
      const rest = part.filter === undefined ? NO_ROWS : await readUpTo(others, most - first.length);
      return [...first, ...rest];
    },
  };
}

/** The first rows of a list, at least this many, or all. */
async function readUpTo(query: UseInfiniteQueryResult<Row[]>, least: number): Promise<readonly Row[]> {
  let { data, hasNextPage, isError } = query;
  while (hasNextPage && !isError && (data?.length ?? 0) < least)
    ({ data, hasNextPage, isError } = await query.fetchNextPage({ cancelRefetch: false }));
  return data ?? NO_ROWS;
}

/** What is said of a list of selected envelopes, or of those from a template. */
function useNarrowed({ ids, templateId }: ListView): string | undefined {
  const { t } = useTranslation("envelopes");
  const { data } = useQuery({ ...templateQuery(templateId ?? 0), enabled: templateId !== undefined });
  if (ids) return t("narrowed.ids", { count: ids.split(",").length });
  return templateId === undefined ? undefined : t("narrowed.template", { name: data?.name ?? "" });
}

/** What narrows the list, such as a search, and a button that ends it. */
function SearchNote({ text, end, onEnd }: { text: string; end: string; onEnd: () => void }) {
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-1 rounded-full bg-accent-soft pr-1 pl-3 text-accent">
      <span className="min-w-0 truncate" title={text}>
        {text}
      </span>
      <IconButton icon={X} label={end} onClick={onEnd} className="size-7 text-accent!" />
    </span>
  );
}

type SortFieldProps = { sort: Sort | undefined; onSort: (sort: Sort) => void };

/** Sorts by what has a column, also where the table does not show it, and by what has none. */
const SortField = memo(function SortField({ sort, onSort }: SortFieldProps) {
  const { t } = useTranslation("envelopes");
  const { key, descending } = sortState(sort ?? DEFAULT_SORT);
  const options = SORT_KEYS.filter((value) => value !== "sends" || value === key).map((value) => ({
    value,
    label: t(`sort.${value}`),
  }));
  return (
    <span className="inline-flex items-center gap-1 sm:ml-auto">
      <NativeSelect
        aria-label={t("sort.label")}
        className="max-w-32 max-sm:max-w-28"
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
});

/** The handlers of the rows, as one stable object. The given ones must be stable too. */
function useRowHandlers(
  given: Omit<RowActionHandlers, "onCopyLink">,
  selection: SelectionHandlers,
): RowHandlers {
  const { mayEdit, onEdit, onDelete, onRemind, onDuplicate, onReview } = given;
  const copy = useCopyLink();
  return useMemo(
    () => ({
      ...selection,
      mayEdit,
      onEdit,
      onDelete,
      onRemind,
      onDuplicate,
      onReview,
      onCopyLink: ({ id }) => void copy(id),
    }),
    [selection, mayEdit, onEdit, onDelete, onRemind, onDuplicate, onReview, copy],
  );
}

type EnvelopeTabsProps = {
  /** The id of the element that holds the list. */
  panel: string;
  selected: Tab;
  /** Undefined until they are known. */
  counts: Counts | undefined;
  onSelect: (tab: Tab) => void;
};

const tabId = (panel: string, tab: Tab) => `${panel}-${tab}`;

/** The arrow keys move the focus; Enter selects, so that not every key press becomes a history entry. */
const EnvelopeTabs = memo(function EnvelopeTabs(props: EnvelopeTabsProps) {
  const { panel, selected, counts, onSelect } = props;
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const list = useRef<HTMLDivElement>(null);
  // Who has scheduled nothing sees no tab for it.
  const tabs = TABS.filter((tab) => tab !== "scheduled" || tab === selected || counts?.scheduled);
  // On a phone the chosen one may be beyond the edge.
  useEffect(() => {
    const tab = document.getElementById(tabId(panel, selected));
    if (tab) list.current?.scrollTo({ left: tab.offsetLeft - 16 });
  }, [panel, selected]);
  const move = (event: KeyboardEvent, index: number) => {
    const to = tabAfter(event.key, index, tabs.length);
    if (to === undefined) return;
    event.preventDefault();
    list.current?.querySelectorAll("button")[to]?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={t("tabs.label")}
      className="strip relative mb-3 gap-x-1 gap-y-0.5 border-line border-b pb-2 beside:h-[41px] beside:overflow-hidden"
    >
      {tabs.map((tab, index) => (
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
          className="inline-flex h-8 touch:h-10 items-center gap-1.5 whitespace-nowrap rounded-control px-2.5 -outline-offset-2! font-medium text-ink-soft transition-colors duration-150 hover:bg-hover hover:text-ink aria-selected:bg-accent-soft aria-selected:text-accent"
        >
          {t(`tabs.${tab}`)}
          <span className="text-xs tabular-nums">{counts && format.number(counts[tab])}</span>
        </button>
      ))}
    </div>
  );
});
