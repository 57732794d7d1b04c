import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { checkboxId, type SelectionHandlers } from "./use-selection";

type SelectRowProps = SelectionHandlers & { id: number; subject: string; selected: boolean };

const boxClass = "size-4.5 cursor-pointer scroll-mt-28 scroll-mb-24";

/** The checkbox of a row. Its label fills the cell, so that it is hit on a phone. */
export function SelectRow({ id, subject, selected, onSelect, ...on }: SelectRowProps) {
  const { t } = useTranslation("envelopes");
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] as 1 | -1 | undefined;
    const all = event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey);
    if (step) on.onMove(id, step, event.shiftKey);
    else if (all) on.onSelectAll();
    else if (event.key === "Escape") on.onClear();
    else if (event.key === "Enter") document.getElementById(FIRST_BULK_ACTION)?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <label className="relative z-[1] flex h-full touch:-ml-1 cursor-pointer select-none items-center justify-center">
      <input
        type="checkbox"
        id={checkboxId(id)}
        aria-label={t("bulk.select", { name: subject })}
        checked={selected}
        onChange={(event) =>
          onSelect(id, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)
        }
        onKeyDown={press}
        className={boxClass}
      />
    </label>
  );
}

type SelectAllProps = { count: number; selected: number; onSelectAll: () => void; onClear: () => void };

/** Selects all listed rows, or none if all are selected. */
export function SelectAll({ count, selected, onSelectAll, onClear }: SelectAllProps) {
  const { t } = useTranslation("envelopes");
  const all = count > 0 && selected === count;
  return (
    <label className="touch:-ml-1 flex h-full cursor-pointer items-center justify-center">
      <input
        type="checkbox"
        aria-label={t("bulk.selectAll")}
        aria-describedby={BULK_KEYS}
        disabled={count === 0}
        checked={all}
        ref={(box) => {
          if (box) box.indeterminate = selected > 0 && !all;
        }}
        onChange={all ? onClear : onSelectAll}
        className={boxClass}
      />
    </label>
  );
}

/** The ids of the first action, and of the sentence that explains the keys. */
export const FIRST_BULK_ACTION = "bulk-action";
export const BULK_KEYS = "bulk-keys";
