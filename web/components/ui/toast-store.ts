import { createStore } from "../../lib/store";

export type ToastMessage = {
  title: string;
  text?: string;
  /** Of a failure whose text does not say why: what happened, and what to do. */
  reason?: string | undefined;
  destructive?: boolean;
  /** A button in the toast, such as Undo. Pressing it closes the toast. */
  action?: { label: string; onAction: () => void };
  /** At most two lines, because what it covers must be read meanwhile. */
  brief?: boolean;
  /** For how many milliseconds it is shown, if not as long as others. */
  duration?: number;
};
type ShownToast = ToastMessage & { id: number };

/** Undefined until the first toast, null between toasts. */
const current = createStore<ShownToast | null | undefined>(undefined);
/** Elements for the toast in the open dialogs, the innermost last. */
const containers = createStore<readonly HTMLElement[]>([]);
let lastId = 0;

export const useCurrentToast = current.use;
/** Whether a toast has ever been shown: from then on the toaster stays mounted. */
export const useHasToasted = (): boolean => current.use() !== undefined;

/** Where the toast is shown: in the innermost dialog, else null for the window. */
export const useToastContainer = (): HTMLElement | null => containers.use().at(-1) ?? null;

/** Shows a toast. At most one is visible, so it replaces the previous one. */
export function toast(message: ToastMessage): void {
  lastId += 1;
  current.set({ ...message, id: lastId });
}

/** Dismisses the toast with this id, if it is still shown; without an id, the current one. */
export function dismissToast(id = current.get()?.id): void {
  if (current.get()?.id === id) current.set(null);
}

/** Dismisses a toast about a failure, because its reason is gone. */
export function dismissFailure(): void {
  if (current.get()?.destructive) current.set(null);
}

/** The `ref` of an element in a dialog that shows the toast while the dialog is the innermost one. */
export function addToastContainer(element: HTMLElement | null) {
  if (!element) return;
  containers.set([...containers.get(), element]);
  return () => containers.set(containers.get().filter((other) => other !== element));
}
