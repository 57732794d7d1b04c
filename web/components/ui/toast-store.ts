import { useSyncExternalStore } from "react";

export type ToastMessage = { title: string; text?: string; destructive?: boolean };
type ShownToast = ToastMessage & { id: number };

let shown: ShownToast | null = null;
/** Once there was one, their place on the page stays. */
let started = false;
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: ShownToast | null): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Shows a toast. At most one is visible, so it takes the place of the one before. */
export function toast(message: ToastMessage): void {
  lastId += 1;
  started = true;
  change({ ...message, id: lastId });
}

/** Takes the toast away, if it is still the one with this id; without one, whichever is there. */
export function dismissToast(id = shown?.id): void {
  if (shown && shown.id === id) change(null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useShownToast(): ShownToast | null {
  return useSyncExternalStore(
    subscribe,
    () => shown,
    () => null,
  );
}

export function useToastsStarted(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => started,
    () => false,
  );
}
