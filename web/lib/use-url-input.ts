import { useEffect, useEffectEvent, useRef, useState } from "react";

/** The pause in typing after which the URL follows. */
const PAUSE_MS = 150;

/** The value of an input that is kept in the URL: updates it after a pause in typing, and follows its other changes. */
export function useUrlInput(given: string, onChange: (typed: string) => void) {
  const [typed, setTyped] = useState(given);
  const lastUrl = useRef(given);
  const notify = useEffectEvent(onChange);
  useEffect(() => {
    if (given === lastUrl.current) return;
    lastUrl.current = given;
    setTyped(given);
  }, [given]);
  useEffect(() => {
    if (typed === lastUrl.current) return;
    const { pathname } = location;
    const timer = setTimeout(() => {
      // Another page was opened meanwhile, which may still be loading: this one's URL would take its place.
      if (location.pathname !== pathname) return;
      lastUrl.current = typed;
      notify(typed);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped] as const;
}

/** What of a typed text the server is asked for; undefined for nothing. */
export const trimmedTo = (length: number, typed: string | undefined): string | undefined =>
  typed?.trim().slice(0, length).trim() || undefined;

/** The value before a pause in typing, until the pause. */
export function useDelayed(typed: string): string {
  const [delayed, setDelayed] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return delayed;
}
