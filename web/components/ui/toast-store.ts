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
/** Whether a toast has ever been shown: from then on the toaster stays mounted. */
let hasToasted = false;
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: ShownToast | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Shows a toast. At most one is visible, so it replaces the previous one. */
export function toast(message: ToastMessage): void {
  lastId += 1;
  hasToasted = true;
  change({ ...message, id: lastId });
}

/** Dismisses the toast with this id, if it is still shown; without an id, the current one. */
export function dismissToast(id = current?.id): void {
  if (current && current.id === id) change(null);
}

/** Dismisses a toast about a failure, because its reason is gone. */
export function dismissFailure(): void {
  if (current?.destructive) change(null);
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
