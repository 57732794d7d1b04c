import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";

/** Every row is exactly this tall, the hairline included; on a phone the status stands on a line of its own. */
const ROW_HEIGHT = { wide: 61, narrow: 93 };
/** Up to here all rows are drawn, so that the browser's own search finds them. */
const DRAW_ALL = 100;

/** Which rows of a long table to draw, and how much room the others take. */
export function useRowWindow(count: number) {
  const height = matchMedia("(min-width: 40rem)").matches ? ROW_HEIGHT.wide : ROW_HEIGHT.narrow;
  const ref = useRef<HTMLTableElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (ref.current) setTop(ref.current.getBoundingClientRect().top + scrollY);
  }, []);
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    overscan: 12,
    scrollMargin: top,
    enabled: count > DRAW_ALL,
  });
  if (count <= DRAW_ALL) return { ref, first: 0, last: count, before: 0, after: 0 };
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = (items.at(-1)?.index ?? -1) + 1;
  return { ref, first, last, before: first * height, after: (count - last) * height };
}
