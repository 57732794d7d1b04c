import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useDeferredValue, useLayoutEffect, useState } from "react";
import { rowHeight } from "./row-spacer";

/** Below this number all rows are rendered, so that the browser's search finds them. */
const LONG_LIST = 100;
/** More than most screens show. The others are rendered after these are painted. */
const FIRST_RENDERED = 20;
/** Rendered above and below the screen, so that keys and quick scrolling find the next rows. */
const OVERSCAN = 12;

type Range = { first: number; last: number };

/** Which rows of the body are rendered: all rows of a short list, of a long list those on the screen and a few more. */
export function useRenderedRows(body: RefObject<HTMLElement | null>, count: number): Range {
  const isLong = count >= LONG_LIST;
  const [top, setTop] = useState(0);
  const ofShortList = useDeferredValue(LONG_LIST, FIRST_RENDERED);
  // Again for a list of another length, which may move the page.
  useLayoutEffect(() => {
    if (count >= LONG_LIST && body.current) setTop(body.current.getBoundingClientRect().top + scrollY);
  }, [body, count]);
  const height = rowHeight();
  const virtualizer = useWindowVirtualizer({
    count,
    enabled: isLong,
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollMargin: top,
    initialRect: { width: innerWidth, height: innerHeight },
  });
  // A width with more or fewer columns has rows of another height.
  useLayoutEffect(() => {
    if (height > 0) virtualizer.measure();
  }, [virtualizer, height]);
  const rows = virtualizer.getVirtualItems();
  if (!isLong) return { first: 0, last: ofShortList };
  return { first: rows[0]?.index ?? 0, last: (rows.at(-1)?.index ?? FIRST_RENDERED - 1) + 1 };
}
