import { useSyncExternalStore } from "react";

export type ToastMessage = {
  title: string;
  text?: string;
  destructive?: boolean;
  /** A button in the toast, such as Undo. Pressing it closes the toast. */
  action?: { label: string; onAction: () => void };
};
type ShownToast = ToastMessage & { id: number };

let current: ShownToast | null = null;
/** Once there was one, their place on the page stays. */
let hasToasted = false;
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: ShownToast | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Shows a toast. At most one is visible, so it takes the place of the one before. */
export function toast(message: ToastMessage): void {
  lastId += 1;
  hasToasted = true;
  change({ ...message, id: lastId });
}

/** Takes the toast away, if it is still the one with this id; without one, whichever is there. */
export function dismissToast(id = current?.id): void {
  if (current && current.id === id) change(null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useCurrentToast(): ShownToast | null {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
}

export function useHasToasted(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => hasToasted,
    () => false,
  );
}
