import { fileDigest } from "./file-digest";
import { find, locate, type Query } from "./find";
import { layoutProblems } from "./layout-check";

/** Less than the 30 s that WebDriver waits for a script. */
const REST_MS = 25_000;

const noneRuns = () => document.getAnimations().every(({ playState }) => playState !== "running");

/** Whether no animation is running and none begins with the next frame. */
async function isAtRest(): Promise<boolean> {
  if (!noneRuns()) return false;
  await new Promise(requestAnimationFrame);
  return noneRuns();
}

/** The result of the layout check once nothing moves: in one call, because tests check more than a thousand layouts. */
async function layoutProblemsAtRest(): Promise<string[]> {
  const deadline = performance.now() + REST_MS;
  let found: string[] = [];
  // A page of a PDF takes some frames to fit a new size.
  for (let frame = 0; frame <= 20; frame += 1) {
    while (!(await isAtRest())) {
      if (performance.now() > deadline) return ["an animation does not end"];
      await new Promise(requestAnimationFrame);
    }
    found = layoutProblems();
    if (found.length === 0) break;
  }
  return found;
}

/** The functions that tests call in the page. */
const inPage = {
  locate,
  layoutProblemsAtRest,
  isThere: (query: Query) => find(query) !== undefined,
  /** Whether React has hydrated the page: before that, a press may have no effect. */
  isHydrated() {
    const root = document.getElementById("root");
    return !root || Object.keys(root).some((key) => key.startsWith("__reactContainer"));
  },
  /** Empties the field and focuses it. */
  clear(query: Query) {
    const field = find(query) as HTMLInputElement;
    field.focus();
    field.select();
  },
  isFocused: (query: Query) => find(query) === document.activeElement,
  focused: () => document.activeElement?.outerHTML.slice(0, 200) ?? "",
  fileDigest,
};

export type InPage = typeof inPage;
Object.assign(globalThis, { inPage });
