import { createStore } from "../../../lib/store";

/** The ids of the files that the review mode has shown since the page was loaded. */
const shown = createStore<ReadonlySet<number>>(new Set());

export const useShownFiles = shown.use;

export function markAsShown(fileId: number): void {
  if (!shown.get().has(fileId)) shown.set(new Set(shown.get()).add(fileId));
}
