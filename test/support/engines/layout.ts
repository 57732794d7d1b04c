import { afterAll, beforeAll, expect } from "bun:test";
import { inEngine } from "./in-engine";
import type { EnginePage } from "./page";
import { startDemoSite } from "./site";
import type { EngineName } from "./tab";
import { tourAll } from "./tours";
import type { Inspect } from "./tours/tour";

/** Of the ranges in which the styles are the same, where least fits. */
const SIZES = [
  [320, 640],
  [390, 844],
  [600, 800],
  [768, 1024],
  [1024, 768],
  [1280, 800],
  [1440, 900],
  [1920, 1080],
] as const;
/** What depends on the width is the same CSS in every engine. */
const OUTER_WIDTHS = [320, 1440];

type Checked = { widths: "all" | "outer"; theme: "light" | "dark" };

/** Tests the layout of every page and dialog in German, whose words are the longest. Each engine has a file, since it takes minutes. */
export function testLayout(engineName: EngineName, { widths, theme }: Checked): void {
  const sizes = SIZES.filter(([width]) => widths === "all" || OUTER_WIDTHS.includes(width));
  let site: Awaited<ReturnType<typeof startDemoSite>>;
  beforeAll(async () => {
    site = await startDemoSite();
  }, 120_000);
  afterAll(() => site.stop(), 120_000);

  inEngine(engineName, (test) => {
    test(`every page and dialog fits at ${sizes.length} widths, ${theme}`, async (engine) => {
      const found: string[] = [];
      await tourAll(site, engine, { language: "de", theme }, (page) => checker(page, sizes, found));
      expect(found).toEqual([]);
    }, 600_000);
  });
}

/** Checks the screen at these sizes, of which the tour continues at the last one, and records problems. */
function checker(page: EnginePage, sizes: readonly (readonly [number, number])[], found: string[]): Inspect {
  return async (name, options) => {
    const below = options?.below ?? Number.POSITIVE_INFINITY;
    for (const [width, height] of sizes.filter(([width]) => width < below)) {
      await page.resize(width, height);
      const problems = await page.layoutProblems();
      found.push(...problems.map((problem) => `${name}, ${width} px: ${problem}`));
    }
  };
}
