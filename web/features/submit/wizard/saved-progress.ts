import { useEffect, useRef, useState } from "react";
import { isRecord } from "../request/request-state";

/** How far the visitor has come. It stays in this tab, and never reaches the server. */
export type SavedProgress = {
  name: string;
  email: string;
  step: number;
  /** Files had been chosen when the page was left; the browser has let go of them. */
  lostFiles: boolean;
};

const EMPTY: SavedProgress = { name: "", email: "", step: 0, lostFiles: false };

const storageKey = (token: string) => `submit ${token}`;

/**
 * Keeps the progress over a reload. The page as it was built knows of none, so what was kept is taken up
 * after the first drawing.
 */
export function useSavedProgress(token: string, hasFiles: boolean) {
  const [progress, setProgress] = useState(EMPTY);
  const restored = useRef(false);
  useEffect(() => {
    if (restored.current) return save(token, { ...progress, lostFiles: hasFiles || progress.lostFiles });
    restored.current = true;
    const saved = load(token);
    // What is reviewed in the last step are the files, and they are gone.
    if (saved) setProgress({ ...saved, step: Math.min(saved.step, 1) });
  }, [token, progress, hasFiles]);
  const change = (changes: Partial<SavedProgress>) => setProgress((now) => ({ ...now, ...changes }));
  return [progress, change] as const;
}

export function clearProgress(token: string): void {
  try {
    sessionStorage.removeItem(storageKey(token));
  } catch {
    // Without storage there is nothing to drop.
  }
}

function save(token: string, progress: SavedProgress): void {
  try {
    sessionStorage.setItem(storageKey(token), JSON.stringify(progress));
  } catch {
    // Without storage a reload begins anew.
  }
}

function load(token: string): SavedProgress | null {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(storageKey(token)) ?? "null");
    if (!isRecord(saved)) return null;
    const { name, email, place: step, lostFiles } = saved;
    if (typeof name !== "string" || typeof email !== "string" || typeof step !== "number") return null;
    return { name, email, step, lostFiles: lostFiles === true };
  } catch {
    return null;
  }
}
