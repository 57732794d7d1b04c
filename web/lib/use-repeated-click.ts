import { type MouseEvent, useLayoutEffect, useRef } from "react";

/** Shorter than most systems' limit, so that a deliberate second click is rarely ignored. */
const DOUBLE_CLICK_MS = 300;

/**
 * Whether a click on a button that can load is the second of a double click. The first one was on the same button, whose
 * request may have ended by now, or on another button that this one has replaced.
 */
export function useRepeatedClick(loading: boolean | undefined): (event: MouseEvent) => boolean {
  const since = useRef(performance.now());
  useLayoutEffect(() => {
    if (loading === false) since.current = performance.now();
  }, [loading]);
  return ({ detail }) => {
    if (loading === undefined) return false;
    const elapsed = performance.now() - since.current;
    if (detail > 1 && elapsed < DOUBLE_CLICK_MS) return true;
    since.current = performance.now();
    return false;
  };
}
