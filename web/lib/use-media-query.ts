import { createStore, type Store } from "./store";

const stores = new Map<string, Store<boolean>>();

/** One for each query, since each call of `matchMedia` makes the browser compute styles and layout. */
function storeOf(query: string): Store<boolean> {
  const known = stores.get(query);
  if (known) return known;
  const list = matchMedia(query);
  const store = createStore(list.matches);
  list.addEventListener("change", () => store.set(list.matches));
  stores.set(query, store);
  return store;
}

/** Whether the media query matches, updated as it changes. */
export const useMediaQuery = (query: string): boolean => storeOf(query).use();

/** The same outside of components. */
export const matchesMedia = (query: string): boolean => storeOf(query).get();
