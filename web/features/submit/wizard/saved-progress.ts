import { useEffect, useRef, useState } from "react";
import { isRecord } from "../request/request-state";

/** How far the visitor has come. It stays in this tab, and never reaches the server. */
export type Progress = {
  name: string;
  email: string;
  place: number;
  /** Files had been chosen when the page was left; the browser has let go of them. */
  lostFiles: boolean;
};

const NOTHING: Progress = { name: "", email: "", place: 0, lostFiles: false };

const keyOf = (token: string) => `submit ${token}`;

/**
 * Keeps the progress over a reload. The page as it was built knows of none, so what was kept is taken up
 * after the first drawing.
 */
export function useProgress(token: string, holdsFiles: boolean) {
  const [progress, setProgress] = useState(NOTHING);
  const drawn = useRef(false);
  useEffect(() => {
    if (drawn.current) return keep(token, { ...progress, lostFiles: holdsFiles || progress.lostFiles });
    drawn.current = true;
    const kept = read(token);
    // What is reviewed in the last step are the files, and they are gone.
    if (kept) setProgress({ ...kept, place: Math.min(kept.place, 1) });
  }, [token, progress, holdsFiles]);
  const change = (changes: Partial<Progress>) => setProgress((now) => ({ ...now, ...changes }));
  return [progress, change] as const;
}

export function dropProgress(token: string): void {
  try {
    sessionStorage.removeItem(keyOf(token));
  } catch {
    // Without storage there is nothing to drop.
  }
}

function keep(token: string, progress: Progress): void {
  try {
    sessionStorage.setItem(keyOf(token), JSON.stringify(progress));
  } catch {
    // Without storage a reload begins anew.
  }
}

function read(token: string): Progress | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(token)) ?? "null");
    if (!isRecord(kept)) return null;
    const { name, email, place, lostFiles } = kept;
    if (typeof name !== "string" || typeof email !== "string" || typeof place !== "number") return null;
    return { name, email, place, lostFiles: lostFiles === true };
  } catch {
    return null;
  }
}
