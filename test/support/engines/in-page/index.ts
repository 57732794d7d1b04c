import { fileDigest } from "./file-digest";
import { find, locate, type Query } from "./find";
import { layoutProblems } from "./layout-check";
import { violations } from "./violations";

const noneRuns = () => document.getAnimations().every(({ playState }) => playState !== "running");

/** The functions that tests call in the page. */
const inPage = {
  locate,
  layoutProblems,
  isThere: (query: Query) => find(query) !== undefined,
  /** Whether React has hydrated the page: before that, a press may have no effect. */
  isHydrated() {
    const root = document.getElementById("root");
    return !root || Object.keys(root).some((key) => key.startsWith("__reactContainer"));
  },
  /** Whether no animation is running and none begins with the next frame. */
  async isAtRest() {
    if (!noneRuns()) return false;
    await new Promise(requestAnimationFrame);
    return noneRuns();
  },
  /** Empties the field and focuses it. */
  clear(query: Query) {
    const field = find(query) as HTMLInputElement;
    field.focus();
    field.select();
  },
  isFocused: (query: Query) => find(query) === document.activeElement,
  focused: () => document.activeElement?.outerHTML.slice(0, 200) ?? "",
  theme: () => document.documentElement.dataset.theme,
  violations,
  fileDigest,
};

export type InPage = typeof inPage;
Object.assign(globalThis, { inPage });
