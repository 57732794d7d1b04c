import { useSyncExternalStore } from "react";

const KEY = "workspace";
const listeners = new Set<() => void>();
let selected = read();

function read(): number | null {
  try {
    return Number(localStorage.getItem(KEY)) || null;
  } catch {
    return null;
  }
}

/** Stores the choice in this browser. */
export function selectWorkspace(id: number): void {
  selected = id;
  try {
    localStorage.setItem(KEY, String(id));
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const storedWorkspaceId = (): number | null => selected;

export function useStoredWorkspaceId(): number | null {
  return useSyncExternalStore(subscribe, storedWorkspaceId);
}
