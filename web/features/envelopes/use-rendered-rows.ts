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
  const [visible, setVisible] = useState<Range>({ first: 0, last: FIRST_RENDERED });
  const ofShortList = useDeferredValue(LONG_LIST, FIRST_RENDERED);
  useLayoutEffect(() => {
    if (count < LONG_LIST) return;
    const update = () => {
      if (!body.current) return;
      const { top } = body.current.getBoundingClientRect();
      const height = rowHeight();
      const first = Math.max(0, Math.floor(-top / height) - OVERSCAN);
      const last = Math.ceil((innerHeight - top) / height) + OVERSCAN;
      setVisible((before) => (before.first === first && before.last === last ? before : { first, last }));
    };
    update();
    addEventListener("scroll", update, { passive: true });
    addEventListener("resize", update);
    return () => {
      removeEventListener("scroll", update);
      removeEventListener("resize", update);
    };
    // Again for a list of another length, which may move the page.
  }, [body, count]);
  return count < LONG_LIST ? { first: 0, last: ofShortList } : visible;
}
