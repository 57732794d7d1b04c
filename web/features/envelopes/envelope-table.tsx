import { ArrowDown, ArrowUp, ChevronsUpDown, UserRound } from "lucide-react";
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { type Sort, type SortKey, sortState } from "../../../worker/contract/list-orders";
import { lazyComponent } from "../../components/ui/lazy-component";
import { matchesMedia, useMediaQuery } from "../../lib/use-media-query";
import { useAccountTimeZone } from "../auth/auth.queries";
import { SelectAll } from "./bulk/select-row";
import { EnvelopeRow, type EnvelopeRowsProps, FACT_CELL, LoadingRow } from "./envelope-row";
import type { RowRange } from "./visible-rows";

type EnvelopeTableProps = LongListProps & {
  /** How many of the envelopes are selected. */
  selectedCount: number;
  sort: Sort | undefined;
  onSort: (sort: Sort) => void;
};

const headClass =
  "sticky top-14 z-10 h-10 border-line border-b bg-surface px-3 text-left font-medium text-ink-soft text-xs lg:top-0";

const COLUMNS = [
  { key: "subject", className: "pl-2!" },
  { key: "recipient", className: "hidden w-[15%] xl:table-cell min-[100rem]:w-[22%]" },
  { key: "status", className: "hidden w-36 md:table-cell xl:px-2! snug:w-32" },
  {
    key: "created",
    className:
      "hidden w-32 md:table-cell beside:hidden xl:px-2! snug:w-25 [:lang(pt)_&]:w-38 snug:[:lang(pt)_&]:w-32",
  },
] as const;

const factHead = `${FACT_CELL} not-aria-[sort]:[&_svg]:hidden`;

export const EnvelopeTable = memo(function EnvelopeTable(props: EnvelopeTableProps) {
  const { selectedCount, sort, onSort, ...rows } = props;
  const { t } = useTranslation("envelopes");
  const { count, members, handlers } = rows;
  return (
    <table
      aria-rowcount={tableRows(rows) + 1}
      // Otherwise the browser would move the page with a row that a spacer moves.
      className="w-full table-fixed border-separate border-spacing-0 [overflow-anchor:none]"
    >
      <thead>
        <tr aria-rowindex={1}>
          <td className={`${headClass} w-9 px-0!`}>
            <SelectAll count={count} selected={selectedCount} {...handlers} />
          </td>
          {COLUMNS.map(({ key, className }) => (
            <SortHeader key={key} column={key} sort={sort} onSort={onSort} className={className}>
              {t(`columns.${key}`)}
            </SortHeader>
          ))}
          <SortHeader
            column="due"
            sort={sort}
            onSort={onSort}
            className={`${factHead} w-24 min-[100rem]:w-34`}
          >
            {t("columns.due")}
          </SortHeader>
          <th scope="col" className={`${headClass} ${FACT_CELL} w-18`}>
            {t("columns.opened")}
          </th>
          <SortHeader
            column="reminded"
            sort={sort}
            onSort={onSort}
            className={`${factHead} w-24 min-[100rem]:w-34`}
          >
            {t("columns.reminded")}
          </SortHeader>
          {members && (
            <th scope="col" className={`${headClass} ${FACT_CELL} w-11`}>
              <UserRound aria-hidden className="size-4" />
              <span className="sr-only">{t("assignee.label")}</span>
            </th>
          )}
          <th scope="col" className={`${headClass} w-11 px-0! md:w-1 touch:md:w-11`}>
            <span className="sr-only">{t("columns.actions")}</span>
          </th>
        </tr>
      </thead>
      <EnvelopeRows {...rows} />
    </table>
  );
});

type SortHeaderProps = {
  column: SortKey;
  sort: Sort | undefined;
  onSort: (sort: Sort) => void;
  className: string;
  children: ReactNode;
};

/** The header of a column that sorts: ascending first, then alternating. */
function SortHeader({ column, sort, onSort, className, children }: SortHeaderProps) {
  const state = sort ? sortState(sort) : undefined;
  const ascending = state?.key === column && !state.descending;
  const descending = state?.key === column && state.descending;
  const Icon = ascending ? ArrowUp : descending ? ArrowDown : ChevronsUpDown;
  return (
    <th
      scope="col"
      aria-sort={ascending ? "ascending" : descending ? "descending" : undefined}
      className={`${headClass} ${className}`}
    >
      <button
        type="button"
        onClick={() => onSort(ascending ? `-${column}` : column)}
        className="-ml-2 inline-flex h-7 touch:h-[39px] items-center gap-1.5 rounded-md px-2 hover:bg-hover hover:text-ink"
      >
        {children}
        <Icon aria-hidden className="size-4" />
      </button>
    </th>
  );
}

// Most lists are short.
const VisibleRows = lazyComponent(() => import("./visible-rows"));

type LongListProps = EnvelopeRowsProps & {
  /** The number of rows, also of those that are not loaded. */
  count: number;
  /** How many rows are above the line "By recipient", if there is one. */
  divider: number | undefined;
  /** Loads the next rows; undefined if there are none, or while it cannot. */
  onMore: (() => void) | undefined;
};

/** The next rows are loaded when the screen is this near to the last one. */
const READ_AHEAD = 40;

/**
 * The table's body: all rows of a short list, of a long list those on the screen and a few more. Two spacers take the
 * height of the rows that are not rendered.
 */
function EnvelopeRows(props: LongListProps) {
  const { envelopes, count, divider, onMore, selected, unsent, members, ofOneSend, handlers } = props;
  const { t } = useTranslation("envelopes");
  const hasStatus = useMediaQuery("(min-width: 48rem)");
  const hasFacts = useMediaQuery("(min-width: 80rem)");
  const columns = hasFacts ? (members ? 10 : 9) : hasStatus ? 5 : 3;
  const timeZone = useAccountTimeZone();
  const body = useRef<HTMLTableSectionElement>(null);
  const [visible, setVisible] = useState<RowRange>();
  // Scrolling first renders the rows on the screen, and those around them in short tasks.
  const settled = useDeferredValue(visible);
  const ofShortList = useDeferredValue(LONG_LIST, firstRendered());
  const total = tableRows(props);
  const isLong = total >= LONG_LIST;
  const isNearEnd = isLong && visible !== undefined && visible.last + READ_AHEAD > envelopes.length;
  useEffect(() => {
    if (isNearEnd) onMore?.();
  }, [isNearEnd, onMore]);
  const { first, last } =
    isLong && visible
      ? withRowsAround(visible, settled ?? visible)
      : { first: 0, last: isLong ? firstRendered() : ofShortList };
  const shown = Array.from({ length: Math.min(last, total) - first }, (_, index) => first + index);
  return (
    <>
      <tbody ref={body} onKeyDown={moveToNeighbour}>
        <RowSpacer rows={Math.min(first, total)} />
        {shown.map((row) => {
          // Above what the filter finds by the recipient. It is as high as any row.
          if (row === divider)
            return (
              <tr key="divider" aria-rowindex={row + 2}>
                <td
                  colSpan={columns}
                  className="h-[69px] border-line border-b px-2 pb-2 align-bottom font-medium text-ink-soft md:h-[61px]"
                >
                  {t("byRecipient")}
                </td>
              </tr>
            );
          const envelope = envelopes[divider === undefined || row < divider ? row : row - 1];
          if (!envelope) return <LoadingRow key={`row ${row}`} rowIndex={row + 2} columns={columns} />;
          return (
            <EnvelopeRow
              key={envelope.id}
              envelope={envelope}
              rowIndex={row + 2}
              selected={selected.has(envelope.id)}
              unsent={unsent.get(envelope.id)}
              members={members}
              ofOneSend={ofOneSend}
              handlers={handlers}
              hasStatus={hasStatus}
              hasFacts={hasFacts}
              timeZone={timeZone}
            />
          );
        })}
        <RowSpacer rows={Math.max(0, total - last)} />
        {count === 0 && (
          <tr>
            {/* Spans only the visible columns: a wider cell would add empty ones, which take space in a fixed table. */}
            <td colSpan={columns} className="h-32 text-center text-ink-soft">
              {t("noResults")}
            </td>
          </tr>
        )}
      </tbody>
      {isLong && <VisibleRows body={body} count={total} rowHeight={rowHeight()} onChange={setVisible} />}
    </>
  );
}

/** The arrow keys lead from the link of an envelope to the next one. */
function moveToNeighbour(event: KeyboardEvent): void {
  const { key, target, shiftKey, ctrlKey, altKey, metaKey } = event;
  const isArrow = key === "ArrowDown" || key === "ArrowUp";
  if (!isArrow || shiftKey || ctrlKey || altKey || metaKey || !(target instanceof HTMLAnchorElement)) return;
  const links = [...event.currentTarget.querySelectorAll("a")];
  const next = links[links.indexOf(target) + (key === "ArrowDown" ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** The number of rows of the table, with the line "By recipient". */
const tableRows = ({ count, divider }: Pick<LongListProps, "count" | "divider">) =>
  divider === undefined ? count : count + 1;

/** The exact height of every row: two lines, of which the first one has the status on a narrow screen. */
const rowHeight = (): number => (matchesMedia("(min-width: 48rem)") ? 61 : 69);

/** Takes the height of rows that are not rendered. */
function RowSpacer({ rows }: { rows: number }) {
  if (rows === 0) return null;
  return (
    <tr aria-hidden>
      <td style={{ height: rows * rowHeight() }} />
    </tr>
  );
}

/**
 * Rendered above and below the screen, so that keys and quick scrolling find the next rows, and the row with the focus
 * stays when a turned screen changes the height of rows.
 */
const OVERSCAN = 12;

/** The rows on the screen, and those around `settled`, where the screen was a moment ago, unless it is far away now. */
function withRowsAround(visible: RowRange, settled: RowRange): RowRange {
  const first = Math.max(0, settled.first - OVERSCAN);
  const last = settled.last + OVERSCAN;
  if (visible.last < first || visible.first > last) return visible;
  return { first: Math.min(first, visible.first), last: Math.max(last, visible.last) };
}

/** Below this number all rows are rendered, so that the browser's search finds them. */
const LONG_LIST = 100;

/** As many as the screen shows. The others are rendered after these are painted. */
const firstRendered = (): number => Math.ceil(screen.height / rowHeight());
