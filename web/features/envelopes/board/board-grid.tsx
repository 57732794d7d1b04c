import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronDown, Ellipsis } from "lucide-react";
import { type KeyboardEvent, memo, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { cx } from "../../../lib/cx";
import { SelectAll, type SelectionHandlers } from "../bulk/select-row";
import { type CellState, type Column, cellIn, clientOf, type Line, type Total } from "./board-model";
import { ICONS } from "./cell-state";

/** A cell of the grid: the heads are row -1 and column 0; with actions, these are column 1. */
type Position = { row: number; column: number };

/** The words of the states, and of totals: rows do not translate, since scrolling renders many. */
export type BoardWords = {
  states: Record<CellState, string>;
  total: (total: Total) => string[];
  withReason: (state: string, reason: string) => string;
  noRecipient: string;
  actions: (client: string) => string;
};

export type BoardProps = {
  lines: readonly Line[];
  columns: readonly Column[];
  /** How many documents of each envelope have no column. */
  hidden: number;
  totals: readonly Total[];
  selected: ReadonlySet<number>;
  words: BoardWords;
  /** Opens a document, or the whole envelope. */
  onOpen: (envelopeId: number, documentId?: number) => void;
  /** Opens the menu of a client or a column at this button; undefined for who may not act. */
  onRowMenu: ((line: Line, button: HTMLElement) => void) | undefined;
  onColumnMenu: ((column: Column, button: HTMLElement) => void) | undefined;
  selection: SelectionHandlers;
  /** Loads the next envelopes; undefined if there are none. */
  onMore: (() => void) | undefined;
};

const ROW_REM = 3;
const OVERSCAN = 8;
const PAGE = 10;
/** The next envelopes are loaded when the screen is this near to the last one. */
const READ_AHEAD = 40;

const rootFont = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

const cellClass = "flex min-w-22 max-w-44 flex-1 items-center justify-center border-line border-b";
const headClass = "sticky left-0 flex w-60 shrink-0 items-center border-line border-r border-b";

/**
 * Clients down, documents across; no table, whose rows could not be placed. One element has the focus; the arrow keys move it.
 */
export function BoardGrid(props: BoardProps) {
  const { lines, columns, hidden, totals, selected, words, onOpen, onRowMenu, onColumnMenu } = props;
  const { t } = useTranslation("board");
  const grid = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<Position>({ row: 0, column: 0 });
  const heads = onRowMenu ? 2 : 1;
  const width = heads + columns.length + (hidden > 0 ? 1 : 0);

  const focus = ({ row, column }: Position) => {
    const next = {
      row: Math.max(-1, Math.min(lines.length - 1, row)),
      column: Math.max(0, Math.min(width - 1, column)),
    };
    // The corner has no actions.
    if (next.row === -1 && next.column === 1 && heads === 2) next.column = column > active.column ? 2 : 0;
    flushSync(() => setActive(next));
    elementAt(grid.current, next)?.focus();
  };
  const open = ({ row, column }: Position) => {
    const line = lines[row];
    const of = columns[column - heads];
    if (line) onOpen(line.row.id, of && cellIn(line.cells, of).document?.id);
  };
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = positionOf(event.target);
    if (!at || event.altKey) return;
    const { row, column } = at;
    const line = lines[row];
    const all = event.ctrlKey || event.metaKey;
    const moves: Record<string, Position> = {
      ArrowUp: { row: row - 1, column },
      ArrowDown: { row: row + 1, column },
      ArrowLeft: { row, column: column - 1 },
      ArrowRight: { row, column: column + 1 },
      PageUp: { row: Math.max(0, row - PAGE), column },
      PageDown: { row: row + PAGE, column },
      Home: { row: all ? 0 : row, column: 0 },
      End: { row: all ? lines.length - 1 : row, column: width - 1 },
    };
    const to = moves[event.key];
    const isButton = event.target instanceof HTMLButtonElement && column > 0;
    if (to) focus(to);
    else if (event.key === " " && line && !isButton) props.selection.onSelect(line.row.id, event.shiftKey);
    else if (event.key === "a" && all) props.selection.onSelectAll();
    else if (event.key === "Enter" && line && !isButton) open(at);
    else if (event.key === "Escape" && selected.size > 0) props.selection.onClear();
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={grid}
      role="grid"
      aria-label={t("label")}
      aria-rowcount={lines.length + 1}
      aria-colcount={width}
      aria-multiselectable
      onKeyDown={press}
      onFocus={({ target }) => {
        const at = positionOf(target);
        if (at && (at.row !== active.row || at.column !== active.column)) setActive(at);
      }}
      onClick={({ target }) => {
        const at = positionOf(target);
        if (at && at.column >= heads && at.row >= 0) open(at);
      }}
      className="relative max-h-[max(20rem,calc(100dvh-19rem))] w-fit max-w-full scroll-pt-20 scroll-pl-60 overflow-auto rounded-card border border-line bg-surface"
    >
      <div className="w-fit min-w-full">
        <div role="row" aria-rowindex={1} data-row={-1} className="sticky top-0 z-20 flex bg-surface">
          <div role="columnheader" aria-colindex={1} className={cx(headClass, "z-10 gap-1 bg-surface pr-2")}>
            <span data-column={0} className="h-full w-9 shrink-0">
              <SelectAll count={lines.length} selected={selected.size} {...props.selection} />
            </span>
            <span className="min-w-0 flex-1 truncate font-medium text-ink-soft text-xs">{t("client")}</span>
          </div>
          {columns.map((column, index) => (
            <ColumnHead
              key={column.key}
              column={column}
              index={heads + index}
              isActive={active.row === -1 && active.column === heads + index}
              texts={words.total(totals[index] as Total)}
              onMenu={onColumnMenu}
            />
          ))}
          {hidden > 0 && (
            <div role="columnheader" className={cx(cellClass, "px-2 font-medium text-ink-soft text-xs")}>
              {t("more", { number: hidden })}
            </div>
          )}
        </div>
        <Rows {...props} grid={grid} active={active} />
      </div>
    </div>
  );
}

/** The focusable element of a cell, and the cell of an element. */
const elementAt = (grid: HTMLElement | null, { row, column }: Position): HTMLElement | null => {
  const cell = grid?.querySelector<HTMLElement>(`[data-row="${row}"] [data-column="${column}"]`);
  return cell?.querySelector<HTMLElement>("input") ?? cell ?? null;
};

function positionOf(target: EventTarget): Position | undefined {
  if (!(target instanceof Element)) return undefined;
  const column = target.closest<HTMLElement>("[data-column]");
  const row = target.closest<HTMLElement>("[data-row]");
  return column && row ? { row: Number(row.dataset.row), column: Number(column.dataset.column) } : undefined;
}

type ColumnHeadProps = {
  column: Column;
  index: number;
  isActive: boolean;
  texts: readonly string[];
  onMenu: BoardProps["onColumnMenu"];
};

function ColumnHead({ column, index, isActive, texts, onMenu }: ColumnHeadProps) {
  const attributes = {
    "data-column": index,
    tabIndex: isActive ? 0 : -1,
    title: column.name,
    className:
      "flex h-full w-full min-w-0 flex-col items-center justify-center gap-0.5 rounded-md px-1 text-center -outline-offset-2! text-xs",
  };
  const content: ReactNode = (
    <>
      <span className="line-clamp-2 max-w-full font-medium [overflow-wrap:anywhere]">{column.name}</span>
      <span className="flex flex-col text-ink-soft tabular-nums">
        {texts.map((text, line) => (
          <span key={text} className="inline-flex items-center justify-center gap-0.5">
            <span>{text}</span>
            {onMenu && line === 0 && <ChevronDown aria-hidden className="size-3 shrink-0" />}
          </span>
        ))}
      </span>
    </>
  );
  return (
    <div role="columnheader" aria-colindex={index + 1} className={cx(cellClass, "h-20 p-0.5")}>
      {onMenu ? (
        <button
          type="button"
          aria-haspopup="menu"
          {...attributes}
          onClick={({ currentTarget }) => onMenu(column, currentTarget)}
          className={cx(attributes.className, "hover:bg-hover")}
        >
          {content}
        </button>
      ) : (
        <span {...attributes}>{content}</span>
      )}
    </div>
  );
}

type RowsProps = BoardProps & { grid: RefObject<HTMLDivElement | null>; active: Position };

/** The rows on the screen and a few more, and the one with the focus. Scrolling renders nothing else. */
function Rows({ grid, active, lines, onMore, ...props }: RowsProps) {
  const [rowHeight] = useState(() => ROW_REM * rootFont());
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => grid.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    initialRect: { width: innerWidth, height: innerHeight },
    getItemKey: (index) => lines[index]?.row.id ?? index,
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const first = Math.max(0, startIndex - overscan);
      const last = Math.min(count - 1, endIndex + overscan);
      const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
      const isOutside = active.row >= 0 && active.row < count && (active.row < first || active.row > last);
      return isOutside ? [...indexes, active.row] : indexes;
    },
  });
  const items = virtualizer.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) + READ_AHEAD > lines.length;
  useEffect(() => {
    if (isNearEnd) onMore?.();
  }, [isNearEnd, onMore]);
  return (
    <div
      // Lines where rows are not rendered yet.
      style={{
        height: lines.length * rowHeight,
        backgroundImage: `repeating-linear-gradient(transparent 0 ${rowHeight - 1}px, var(--line) ${rowHeight - 1}px ${rowHeight}px)`,
      }}
      className="relative"
    >
      {items.map(({ index, start }) => {
        const line = lines[index];
        return (
          line && (
            <BoardRow
              key={line.row.id}
              line={line}
              index={index}
              top={start}
              height={rowHeight}
              columns={props.columns}
              hidden={props.hidden}
              words={props.words}
              onOpen={props.onOpen}
              onRowMenu={props.onRowMenu}
              onSelect={props.selection.onSelect}
              selected={props.selected.has(line.row.id)}
              activeColumn={active.row === index ? active.column : -1}
            />
          )
        );
      })}
    </div>
  );
}

type BoardRowProps = Pick<BoardProps, "columns" | "hidden" | "words" | "onOpen" | "onRowMenu"> & {
  line: Line;
  index: number;
  top: number;
  height: number;
  selected: boolean;
  /** -1 unless the focus is in this row. */
  activeColumn: number;
  onSelect: SelectionHandlers["onSelect"];
};

const BoardRow = memo(function BoardRow(props: BoardRowProps) {
  const { line, index, top, height, columns, hidden, words, selected, activeColumn, onRowMenu } = props;
  const { row, cells, total } = line;
  const client = clientOf(line, words.noRecipient);
  const heads = onRowMenu ? 2 : 1;
  const tabIndex = (column: number) => (column === activeColumn ? 0 : -1);
  const more = row.documents.length - columns.filter(({ key }) => cells.has(key)).length;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-row={index}
      style={{ top, height }}
      className={cx(
        "group absolute inset-x-0 flex",
        selected ? "bg-accent-soft" : "bg-surface hover:bg-paper",
      )}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        className={cx(
          headClass,
          "z-10 pr-1",
          selected ? "bg-accent-soft" : "bg-surface group-hover:bg-paper",
        )}
      >
        <label className="flex h-full w-9 shrink-0 cursor-pointer items-center justify-center">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={client}
            checked={selected}
            onChange={({ nativeEvent }) =>
              props.onSelect(row.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
            className="size-4.5 cursor-pointer"
          />
        </label>
        <button
          type="button"
          data-column={0}
          tabIndex={tabIndex(0)}
          title={client}
          onClick={() => props.onOpen(row.id)}
          className="min-w-0 flex-1 rounded-md py-1 pl-1 text-left -outline-offset-2!"
        >
          <span className="block truncate font-medium">{row.recipient ?? words.noRecipient}</span>
          <span className="block truncate text-ink-soft text-xs tabular-nums">
            {[...words.total(total), line.subject].filter(Boolean).join(" · ")}
          </span>
        </button>
        {onRowMenu && (
          <button
            type="button"
            data-column={1}
            tabIndex={tabIndex(1)}
            aria-haspopup="menu"
            aria-label={words.actions(client)}
            onClick={({ currentTarget }) => onRowMenu(line, currentTarget)}
            className="inline-flex size-8 shrink-0 touch:size-10 items-center justify-center rounded-control text-ink-soft opacity-0 hover:bg-hover hover:text-ink focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100 touch:opacity-100"
          >
            <Ellipsis aria-hidden className="size-4" />
          </button>
        )}
      </div>
      {columns.map((column, at) => {
        const { state, document } = cellIn(cells, column);
        const word = words.states[state];
        return (
          <div
            key={column.key}
            role="gridcell"
            aria-colindex={heads + at + 1}
            aria-label={`${client}, ${column.name}, ${word}`}
            title={document?.reason ? words.withReason(word, document.reason) : word}
            data-column={heads + at}
            tabIndex={tabIndex(heads + at)}
            className={cx(cellClass, "cursor-pointer -outline-offset-2!")}
          >
            {ICONS[state]}
          </div>
        );
      })}
      {hidden > 0 && (
        <div
          role="gridcell"
          aria-colindex={heads + columns.length + 1}
          aria-label={`${client}, +${more}`}
          data-column={heads + columns.length}
          tabIndex={tabIndex(heads + columns.length)}
          className={cx(cellClass, "cursor-pointer text-ink-soft -outline-offset-2!")}
        >
          {more > 0 ? `+${more}` : ""}
        </div>
      )}
    </div>
  );
});
