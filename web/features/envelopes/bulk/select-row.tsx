import { type KeyboardEvent, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EnvelopeRow } from "../../../../worker/contract/envelopes";

type SelectRowProps = SelectionHandlers & { id: number; name: string; selected: boolean };

const boxClass = "size-4.5 cursor-pointer scroll-mt-12 scroll-mb-24";

/** The checkbox of a row. Its label fills the cell, so that it is hit on a phone. */
export function SelectRow({ id, name, selected, onSelect, ...on }: SelectRowProps) {
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
        aria-label={t("bulk.select", { name })}
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
  const all = count > 0 && selected >= Math.min(count, SELECTED_MAX);
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

export type SelectionHandlers = {
  /** Selects the row or takes it out; a range goes from the row that was chosen last. */
  onSelect: (id: number, range: boolean) => void;
  /** The neighbour of a row; with `range` it is selected, too, with all rows from the one chosen last. */
  onMove: (id: number, step: 1 | -1, range: boolean) => void;
  onSelectAll: () => void;
  onClear: () => void;
};

/** As many as "Select all" selects. */
export const SELECTED_MAX = 1000;

/** Where a range begins, whether it selects, and what was selected before it. */
type Anchor = { id: number; selects: boolean; before: ReadonlySet<number> };

const NONE: ReadonlySet<number> = new Set();

/**
 * The selected rows among those that are listed. What a filter hides is not selected until it is shown again.
 * @param readRows gives the first rows of the list, also those that are not loaded yet
 */
export function useSelection(
  listed: readonly EnvelopeRow[],
  readRows: (most: number) => Promise<readonly EnvelopeRow[]>,
) {
  const [ids, setIds] = useState(NONE);
  const anchor = useRef<Anchor | null>(null);
  const current = useRef({ listed, ids, readRows });
  useLayoutEffect(() => {
    current.current = { listed, ids, readRows };
  });

  const extendTo = useCallback((id: number) => {
    const from = anchor.current;
    const { listed } = current.current;
    const ends = [from?.id, id].map((end) => listed.findIndex((envelope) => envelope.id === end));
    if (!from || ends.includes(-1)) return;
    const next = new Set(from.before);
    for (const { id } of listed.slice(Math.min(...ends), Math.max(...ends) + 1))
      if (from.selects) next.add(id);
      else next.delete(id);
    setIds(next);
  }, []);

  const onSelect = useCallback(
    (id: number, range: boolean) => {
      const { ids, listed } = current.current;
      if (range && listed.some((envelope) => envelope.id === anchor.current?.id)) return extendTo(id);
      const next = new Set(ids);
      const selects = !next.delete(id);
      if (selects) next.add(id);
      anchor.current = { id, selects, before: next };
      setIds(next);
    },
    [extendTo],
  );

  const onMove = useCallback(
    (id: number, step: 1 | -1, range: boolean) => {
      const { ids, listed } = current.current;
      const neighbour = listed[listed.findIndex((envelope) => envelope.id === id) + step];
      if (!neighbour) return;
      document.getElementById(checkboxId(neighbour.id))?.focus();
      if (!range) return;
      anchor.current ??= { id, selects: true, before: ids };
      extendTo(neighbour.id);
    },
    [extendTo],
  );

  const onClear = useCallback(() => {
    anchor.current = null;
    setIds(NONE);
  }, []);
  const onSelectAll = useCallback(async () => {
    const rows = await current.current.readRows(SELECTED_MAX);
    setIds(new Set(rows.slice(0, SELECTED_MAX).map(({ id }) => id)));
  }, []);

  const handlers = useMemo<SelectionHandlers>(
    () => ({ onSelect, onMove, onSelectAll, onClear }),
    [onSelect, onMove, onSelectAll, onClear],
  );
  const selected = useMemo(() => listed.filter(({ id }) => ids.has(id)), [listed, ids]);
  return { ids, selected, handlers };
}

const checkboxId = (id: number) => `select-${id}`;
