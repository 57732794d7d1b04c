import { find, locate, type Query } from "./find";
import { layoutProblems } from "./layout-check";

/** What the tests call in the page. */
const inPage = {
  locate,
  layoutProblems,
  isThere: (query: Query) => find(query) !== undefined,
  /** Whether no animation is running. */
  isAtRest: () => document.getAnimations().every(({ playState }) => playState !== "running"),
  /** Empties the field and puts the focus in it. */
  clear(query: Query) {
    const field = find(query) as HTMLInputElement;
    field.focus();
    field.select();
  },
  focused: () => document.activeElement?.outerHTML.slice(0, 200) ?? "",
  address: () => location.pathname + location.search,
};

export type InPage = typeof inPage;
Object.assign(globalThis, { inPage });
