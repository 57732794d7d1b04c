import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Envelope } from "../envelopes.queries";

export type SelectionHandlers = {
  /** Selects the row or takes it out; a range goes from the row that was chosen last. */
  onSelect: (id: number, range: boolean) => void;
  /** The neighbour of a row; with `range` it is selected, too, with all rows from the one chosen last. */
  onMove: (id: number, step: 1 | -1, range: boolean) => void;
  onSelectAll: () => void;
  onClear: () => void;
};

/** Where a range begins, whether it selects, and what was selected before it. */
type Anchor = { id: number; selects: boolean; before: ReadonlySet<number> };

const NONE: ReadonlySet<number> = new Set();

/** The selected rows among those that are listed. What a filter hides is not selected until it is shown again. */
export function useSelection(listed: readonly Envelope[]) {
  const [ids, setIds] = useState(NONE);
  const anchor = useRef<Anchor | null>(null);
  const current = useRef({ listed, ids });
  useLayoutEffect(() => {
    current.current = { listed, ids };
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
  const onSelectAll = useCallback(() => setIds(new Set(current.current.listed.map(({ id }) => id))), []);

  const handlers = useMemo<SelectionHandlers>(
    () => ({ onSelect, onMove, onSelectAll, onClear }),
    [onSelect, onMove, onSelectAll, onClear],
  );
  const selected = useMemo(() => listed.filter(({ id }) => ids.has(id)), [listed, ids]);
  return { ids, selected, handlers };
}

export const checkboxId = (id: number) => `select-${id}`;
