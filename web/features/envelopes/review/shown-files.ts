import { createStore } from "../../../lib/store";

/** The files and answers, by their keys, that the review mode has shown since the page was loaded. */
const shown = createStore<ReadonlySet<number | string>>(new Set());

export const useShownFiles = shown.use;

export function markAsShown(key: number | string): void {
  if (!shown.get().has(key)) shown.set(new Set(shown.get()).add(key));
}
