import { useEffect, useRef, useState } from "react";

/** The pause in typing after which the URL follows the filter. */
const FILTER_PAUSE_MS = 300;

/** The filter's input. Updates the URL after a pause in typing, and follows other changes of the URL. */
export function useFilter(given = "", onChange: (filter: string | undefined) => void) {
  const [filter, setFilter] = useState(given);
  const lastUrl = useRef(given);
  const notify = useRef(onChange);
  useEffect(() => {
    notify.current = onChange;
  });
  useEffect(() => {
    if (given === lastUrl.current) return;
    lastUrl.current = given;
    setFilter(given);
  }, [given]);
  useEffect(() => {
    if (filter === lastUrl.current) return;
    const timer = setTimeout(() => {
      lastUrl.current = filter;
      notify.current(filter || undefined);
    }, FILTER_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [filter]);
  return [filter, setFilter] as const;
}
