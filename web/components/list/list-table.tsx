import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../../lib/cx";
import { Input } from "../ui/input";
import { NativeSelect } from "../ui/native-select";

const ROW_HEIGHT = 76;
const LINE = "grid items-center gap-2";

export type TableColumn = {
  key: string;
  label: string;
  /** What its cells may be; without them, they are typed. */
  choices?: readonly { value: string; label: string }[];
};

export type ListRow = Readonly<Record<string, string>>;
/** What is wrong with a cell of a row; a warning does not have to be corrected. */
export type CellProblem = { field: string; text: string; isWarning?: boolean };

type ListTableProps = {
  rows: readonly ListRow[];
  /** The indexes of the rows to show. */
  shown: readonly number[];
  columns: readonly TableColumn[];
  problemOf: (index: number) => CellProblem | undefined;
  left: ReadonlySet<number>;
  /** The name of the box that takes a row or leaves it out. */
  includeLabel: (number: number) => string;
  /** Must be stable across renders. */
  onEdit: (index: number, field: string, value: string) => void;
  /** Must be stable across renders. */
  onToggle: (index: number) => void;
};

/** The rows of a list, which are corrected in place or left out. Only the visible ones are rendered. */
export function ListTable(props: ListTableProps) {
  const { rows, shown, columns, problemOf, left, includeLabel, onEdit, onToggle } = props;
  const { t } = useTranslation("lists");
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
  });
  const minWidth = `${3 + columns.length * 8}rem`;
  const template = { gridTemplateColumns: `1.5rem repeat(${columns.length}, minmax(0, 1fr))` };
  return (
    <div ref={scroller} className="mt-3 max-h-96 overflow-auto rounded-card border border-line">
      <div
        aria-hidden
        style={{ minWidth, ...template }}
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
      <ul
        aria-label={t("rows")}
        className="relative"
        style={{ height: virtualizer.getTotalSize(), minWidth }}
      >
        {virtualizer.getVirtualItems().map(({ index: at, start }) => {
          const index = shown[at] ?? 0;
          const row = rows[index];
          if (!row) return null;
          const problem = problemOf(index);
          return (
            <li
              key={index}
              aria-setsize={shown.length}
              aria-posinset={at + 1}
              className="absolute inset-x-0 border-line border-b px-3 py-2"
              style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
            >
              <RowLine
                index={index}
                row={row}
                columns={columns}
                field={problem?.field}
                text={problem?.text}
                isWarning={problem?.isWarning ?? false}
                isLeft={left.has(index)}
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

type RowLineProps = Pick<ListTableProps, "columns" | "onEdit" | "onToggle"> & {
  index: number;
  row: ListRow;
  field: string | undefined;
  text: string | undefined;
  isWarning: boolean;
  isLeft: boolean;
  includeLabel: string;
};

const RowLine = memo(function RowLine(props: RowLineProps) {
  const { index, row, columns, field, text, isWarning, isLeft, includeLabel, onEdit, onToggle } = props;
  const { t } = useTranslation("lists");
  const note = useId();
  const number = index + 1;
  return (
    <>
      <div
        className={LINE}
        style={{ gridTemplateColumns: `1.5rem repeat(${columns.length}, minmax(0, 1fr))` }}
      >
        <label className="flex h-9 cursor-pointer items-center justify-center">
          <input
            type="checkbox"
            className="size-4 shrink-0"
            aria-label={includeLabel}
            checked={!isLeft}
            onChange={() => onToggle(index)}
          />
        </label>
        {columns.map(({ key, label, choices }) => {
          const value = row[key] ?? "";
          const attributes = {
            "aria-label": t("cell", { number, column: label }),
            "aria-invalid": field === key && !isWarning,
            "aria-describedby": field === key ? note : undefined,
            disabled: isLeft,
            value,
          };
          if (!choices)
            return (
              <Input
                key={key}
                {...attributes}
                autoComplete="off"
                onChange={({ target }) => onEdit(index, key, target.value)}
              />
            );
          const options = choices.some((choice) => choice.value === value)
            ? choices
            : [...choices, { value, label: value }];
          return (
            <NativeSelect
              key={key}
              {...attributes}
              groups={[{ label: "", options }]}
              onChange={({ target }) => onEdit(index, key, target.value)}
            />
          );
        })}
      </div>
      {text && (
        <p
          id={note}
          className={cx("sticky left-3 mt-0.5 ml-8 w-fit text-xs", isWarning ? "text-warn" : "text-bad")}
        >
          {text}
        </p>
      )}
    </>
  );
});
