import { useElementScrollRestoration } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";

export type RowRange = { first: number; last: number };

type VisibleRowsProps = {
  body: RefObject<HTMLElement | null>;
  count: number;
  rowHeight: number;
  /** Called with these rows. Must be stable across renders. */
  onChange: (range: RowRange) => void;
};

/** Renders nothing: reports which rows of a long list are on the screen. */
export default function VisibleRows({ body, count, rowHeight, onChange }: VisibleRowsProps) {
  const [top, setTop] = useState(0);
  // Again for a list of another length, which may move the page.
  useLayoutEffect(() => {
    if (count > 0 && body.current) setTop(body.current.getBoundingClientRect().top + scrollY);
  }, [body, count]);
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: 0,
    scrollMargin: top,
    // Reading the size of the window makes the browser compute the layout.
    initialRect: { width: innerWidth, height: innerHeight },
  });
  // A width with more or fewer columns has rows of another height.
  useLayoutEffect(() => {
    if (rowHeight > 0) virtualizer.measure();
  }, [virtualizer, rowHeight]);
  const before = useElementScrollRestoration({ getElement: () => window })?.scrollY ?? 0;
  const isRestored = useRef(false);
  // After a reload, the router has scrolled before it was known how long the list is: to the end of its first page, if not
  // of grey rows. The virtualizer scrolls there again when it is mounted, so that this follows it.
  useLayoutEffect(() => {
    if (isRestored.current || count === 0 || document.documentElement.scrollHeight < before + innerHeight)
      return;
    isRestored.current = true;
    if (scrollY < before) scrollTo(0, before);
  }, [count, before]);
  const rows = virtualizer.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = (rows.at(-1)?.index ?? -1) + 1;
  useLayoutEffect(() => {
    if (last > 0) onChange({ first, last });
  }, [first, last, onChange]);
  return null;
}
