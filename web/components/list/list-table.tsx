import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import {
  type ComponentProps,
  type KeyboardEvent,
  memo,
  startTransition,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../../lib/cx";
import { useMediaQuery } from "../../lib/use-media-query";
import { useLanguageChoices } from "../language-field";
import { Input, NativeSelect } from "../ui/input";

/** Of a row without and with a problem, until it is measured. */
const ROW_HEIGHT = 53;
const WRONG_HEIGHT = 71;
/** Of a card with four fields, until it is measured. */
const CARD_HEIGHT = 220;
const LINE = "grid items-center gap-2";
/** The least width of a column, in rem. */
const COLUMN = 7;
/** The width of everything beside the columns in a dialog, in rem. */
const BESIDE = 11;
/** The least and the most characters that a column is wide for, and those that fit beside them in its border. */
const SHORTEST = 6;
const LONGEST = 30;
const BORDER = 4;
/** The most columns that fit into the widest dialog. A list with more scrolls sideways. */
const FITTING = 7;

export type TableColumn = {
  /** The cells of `language` are chosen, those of the others typed. */
  key: string;
  label: string;
  /** Its cells have twice the width in a card. */
  wide?: boolean;
};

export type ListRow = Readonly<Record<string, string>>;
/** What is wrong with a cell of a row; a warning does not have to be corrected. */
export type CellProblem = { field: string; text: string; isWarning?: boolean };
/** A cell that gets the focus. Another object with the same cell moves it there again. */
export type CellTarget = { index: number; field: string };

type ListTableProps = {
  rows: readonly ListRow[];
  shown: readonly number[];
  columns: readonly TableColumn[];
  problemOf: (index: number) => CellProblem | undefined;
  left: ReadonlySet<number>;
  /** The name of the box that takes a row or leaves it out. */
  includeLabel: (number: number) => string;
  target?: CellTarget | null;
  /** Must be stable across renders. */
  onEdit: (index: number, field: string, value: string) => void;
  /** Must be stable across renders. */
  onToggle: (index: number) => void;
  /** Called when Enter or the arrow down is pressed in the last row. */
  onEnd?: () => void;
};

/**
 * The rows of a list, which are corrected in place or left out: as a table, or as cards where its columns do not fit.
 * Arrow keys and Enter move between rows, as in a spreadsheet.
 */
export function ListTable(props: ListTableProps) {
  const width = Math.min(props.columns.length, FITTING) * COLUMN + BESIDE;
  const fits = useMediaQuery(`(min-width: ${width}rem)`);
  return <Rows key={String(fits)} {...props} areCards={!fits} />;
}

/** Only the visible ones are rendered, and the one with the focus. */
function Rows(props: ListTableProps & { areCards: boolean }) {
  const { rows, shown, columns, problemOf, left, includeLabel, target, onEdit, onToggle, onEnd, areCards } =
    props;
  const { t } = useTranslation("lists");
  const scroller = useRef<HTMLDivElement>(null);
  /** The position of the row that has the focus. */
  const [focused, setFocused] = useState(-1);
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (areCards ? CARD_HEIGHT : problemOf(shown[at] ?? -1) ? WRONG_HEIGHT : ROW_HEIGHT),
    getItemKey: (at) => shown[at] ?? at,
    overscan: 4,
    rangeExtractor: useCallback((range: Range) => withNeighbors(range, focused), [focused]),
  });
  useTarget(target, { shown, columns, scroller, setFocused });
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = stepOf(event);
    const cell = event.target;
    if (step === 0 || !(cell instanceof HTMLInputElement)) return;
    event.preventDefault();
    const next = scroller.current && cellAfter(scroller.current, cell, step);
    if (next) focusCell(next);
    else if (step > 0) onEnd?.();
  };
  const template = useMemo(() => templateOf(columns, rows), [columns, rows]);
  const minWidth = areCards ? undefined : `${3 + columns.length * COLUMN}rem`;
  const sideways = !areCards && columns.length > FITTING;
  return (
    <div
      ref={scroller}
      {...(sideways && { role: "region", "aria-label": t("rows"), tabIndex: 0 })}
      className={cx(
        "mt-3 overflow-y-auto rounded-card border border-line",
        areCards ? "max-h-[70dvh]" : "max-h-96",
        sideways && "overflow-x-auto",
      )}
    >
      {!areCards && (
        <div
          aria-hidden
          style={{ minWidth, gridTemplateColumns: template }}
          className={cx(
            LINE,
            "sticky top-0 z-10 border-line border-b bg-surface px-3 py-2 font-semibold text-xs",
          )}
        >
          <span />
          {columns.map(({ key, label }) => (
            <span key={key} className="truncate" title={label}>
              {label}
            </span>
          ))}
        </div>
      )}
      <ul
        aria-label={t("rows")}
        className="relative"
        style={{ height: virtualizer.getTotalSize(), minWidth }}
        onKeyDown={move}
      >
        {virtualizer.getVirtualItems().map(({ index: at, start }) => {
          const index = shown[at] ?? 0;
          const row = rows[index];
          if (!row) return null;
          const problem = problemOf(index);
          return (
            <li
              key={index}
              ref={virtualizer.measureElement}
              data-index={at}
              aria-setsize={shown.length}
              aria-posinset={at + 1}
              className="absolute inset-x-0 border-line border-b px-3 py-2"
              style={{ transform: `translateY(${start}px)` }}
              onFocus={() => setFocused(at)}
            >
              <RowLine
                index={index}
                row={row}
                columns={columns}
                field={problem?.field}
                text={problem?.text}
                isWarning={problem?.isWarning ?? false}
                isLeft={left.has(index)}
                template={areCards ? null : template}
                includeLabel={includeLabel(index + 1)}
                onEdit={onEdit}
                onToggle={onToggle}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Columns share the width by what they hold; that of a language is as wide as the longest choice. */
function templateOf(columns: readonly TableColumn[], rows: readonly ListRow[]): string {
  const widths = columns.map(({ key, label }) => {
    const least = key === "language" ? 3 * SHORTEST : 0;
    const longest = rows.reduce((most, row) => Math.max(most, row[key]?.length ?? 0), least);
    return BORDER + Math.min(LONGEST, Math.max(SHORTEST, label.length, longest));
  });
  return ["1.5rem", ...widths.map((width) => `minmax(0, ${width}fr)`)].join(" ");
}

/** The visible rows, with the focused one and those beside it, so that the arrow keys find them. */
const withNeighbors = (range: Range, focused: number): number[] => {
  const around = focused < 0 ? [] : [focused - 1, focused, focused + 1];
  const kept = around.filter((at) => at >= 0 && at < range.count);
  return [...new Set([...defaultRangeExtractor(range), ...kept])].sort((a, b) => a - b);
};

/** By how many rows a key moves the focus. */
function stepOf({ key, shiftKey, altKey, ctrlKey, metaKey, nativeEvent }: KeyboardEvent): -1 | 0 | 1 {
  // Enter also accepts what an input method suggests.
  if (nativeEvent.isComposing || altKey || ctrlKey || metaKey) return 0;
  if (key === "ArrowDown") return 1;
  if (key === "ArrowUp") return -1;
  return key === "Enter" ? (shiftKey ? -1 : 1) : 0;
}

const cellAt = (root: HTMLElement, at: number, field: string) =>
  root.querySelector<HTMLInputElement | HTMLSelectElement>(
    `[data-index="${at}"] [data-field="${CSS.escape(field)}"]`,
  );

/** The next cell of the column, without rows that are left out. */
function cellAfter(root: HTMLElement, from: HTMLElement, step: 1 | -1) {
  const field = from.dataset.field ?? "";
  let at = Number(from.closest<HTMLElement>("[data-index]")?.dataset.index);
  for (;;) {
    at += step;
    const cell = cellAt(root, at, field);
    if (!cell?.disabled) return cell;
  }
}

/** With its text selected, as Tab does. */
function focusCell(cell: HTMLElement): void {
  cell.focus();
  if (cell instanceof HTMLInputElement && cell.type === "text") cell.select();
}

type TargetParts = Pick<ListTableProps, "shown" | "columns"> & {
  scroller: { current: HTMLElement | null };
  setFocused: (at: number) => void;
};

/** Moves the focus to a cell, after its row was rendered. */
function useTarget(target: CellTarget | null | undefined, parts: TargetParts) {
  const { shown, columns, scroller, setFocused } = parts;
  const done = useRef<CellTarget | null>(null);
  useEffect(() => {
    if (!target || done.current === target) return;
    const at = shown.indexOf(target.index);
    setFocused(at);
    const frame = requestAnimationFrame(() => {
      const isShown = columns.some(({ key }) => key === target.field);
      const field = isShown ? target.field : (columns[0]?.key ?? "");
      const cell = scroller.current && cellAt(scroller.current, at, field);
      if (!cell) return;
      done.current = target;
      focusCell(cell);
      cell.scrollIntoView({ block: "nearest" });
    });
    return () => cancelAnimationFrame(frame);
  });
}

type RowLineProps = Pick<ListTableProps, "columns" | "onEdit" | "onToggle"> & {
  index: number;
  row: ListRow;
  field: string | undefined;
  text: string | undefined;
  isWarning: boolean;
  isLeft: boolean;
  /** The widths of its columns; null for a card. */
  template: string | null;
  includeLabel: string;
};

const RowLine = memo(function RowLine(props: RowLineProps) {
  const { index, row, columns, field, text, isWarning, isLeft, template, includeLabel, onEdit, onToggle } =
    props;
  const isCard = template === null;
  const note = useId();
  const cells = columns.map((column) => (
    <Cell
      key={column.key}
      index={index}
      column={column}
      value={row[column.key] ?? ""}
      isInvalid={field === column.key && !isWarning}
      note={field === column.key ? note : undefined}
      isLeft={isLeft}
      isCard={isCard}
      onEdit={onEdit}
    />
  ));
  const include = (
    <label
      className={cx(
        "flex cursor-pointer items-center",
        isCard ? "h-8 w-fit gap-2.5 font-medium" : "h-9 justify-center",
      )}
    >
      <input
        type="checkbox"
        data-field=""
        className="size-4 shrink-0"
        aria-label={includeLabel}
        checked={!isLeft}
        onChange={() => onToggle(index)}
      />
      {isCard && <span aria-hidden>{index + 1}</span>}
    </label>
  );
  // Under its field; of the last one it ends there, since it may be longer than the column.
  const at = columns.findIndex(({ key }) => key === field);
  const atEnd = at === columns.length - 1;
  const problem = text && (
    <p
      id={note}
      style={{ gridColumn: atEnd ? `2 / ${at + 3}` : `${Math.max(at, 0) + 2} / -1` }}
      className={cx(
        "w-fit text-xs",
        isCard ? "mt-0.5" : "-mt-1.5",
        atEnd && "justify-self-end",
        isWarning ? "text-warn" : "text-bad",
      )}
    >
      {text}
    </p>
  );
  if (isCard)
    return (
      <>
        {include}
        {problem}
        <div className="mt-1 grid grid-cols-2 gap-2 pb-1 sm:grid-cols-4">{cells}</div>
      </>
    );
  return (
    <div className={LINE} style={{ gridTemplateColumns: template }}>
      {include}
      {cells}
      {problem}
    </div>
  );
});

type CellProps = Pick<ListTableProps, "onEdit"> & {
  index: number;
  column: TableColumn;
  value: string;
  isInvalid: boolean;
  /** The id of what is wrong with it. */
  note: string | undefined;
  isLeft: boolean;
  isCard: boolean;
};

const Cell = memo(function Cell({
  index,
  column,
  value,
  isInvalid,
  note,
  isLeft,
  isCard,
  onEdit,
}: CellProps) {
  const { key, label, wide } = column;
  const { t } = useTranslation("lists");
  const attributes = {
    "aria-label": t("cell", { number: index + 1, column: label }),
    "aria-invalid": isInvalid,
    "aria-describedby": note,
    "data-field": key,
    disabled: isLeft,
  };
  const control =
    key === "language" ? (
      <LanguageCell
        {...attributes}
        value={value}
        onChange={({ target }) => onEdit(index, key, target.value)}
      />
    ) : (
      <TextCell attributes={attributes} value={value} onChange={(typed) => onEdit(index, key, typed)} />
    );
  if (!isCard) return control;
  return (
    <div className={cx("min-w-0", wide && "col-span-2")}>
      <span aria-hidden className="block truncate text-ink-soft text-xs">
        {label}
      </span>
      {control}
    </div>
  );
});

/** The languages, and what is in the list instead of one. */
function LanguageCell(props: Omit<ComponentProps<typeof NativeSelect>, "options"> & { value: string }) {
  const choices = useLanguageChoices();
  const isKnown = choices.some(({ value }) => value === props.value);
  return (
    <NativeSelect
      {...props}
      options={isKnown ? choices : [...choices, { value: props.value, label: props.value }]}
    />
  );
}

type TextCellProps = {
  attributes: Record<`aria-${string}` | `data-${string}`, string | boolean | undefined> & {
    disabled: boolean;
  };
  value: string;
  onChange: (value: string) => void;
};

/** Shows what is typed at once. All rows are checked again when no key waits, and before the cell is left. */
function TextCell({ attributes, value, onChange }: TextCellProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Input
      {...attributes}
      autoComplete="off"
      value={typed ?? value}
      onChange={({ target }) => {
        setTyped(target.value);
        startTransition(() => onChange(target.value));
      }}
      onBlur={() => {
        if (typed !== null && typed !== value) onChange(typed);
        setTyped(null);
      }}
    />
  );
}
