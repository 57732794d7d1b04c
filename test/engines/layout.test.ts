import { afterAll, beforeAll, expect } from "bun:test";
import { inEachEngine } from "../support/engines/in-each-engine";
import type { EnginePage } from "../support/engines/page";
import { startDemoSite } from "../support/engines/site";
import { tourAll } from "../support/engines/tours";
import type { Inspect } from "../support/engines/tours/tour";

const SIZES = [
  [320, 640],
  [390, 844],
  [600, 800],
  [768, 1024],
  [900, 800],
  [1024, 768],
  [1280, 800],
  [1440, 900],
  [1920, 1080],
] as const;
/** Phones, a tablet and a laptop: for the other engines. */
const USUAL_WIDTHS = [320, 390, 768, 1440];
/** For shorter texts. */
const FEW_WIDTHS = [390, 1440];
const APPEARANCES = [
  { language: "de", theme: "dark" },
  { language: "en", theme: "light" },
] as const;

let site: Awaited<ReturnType<typeof startDemoSite>>;
beforeAll(async () => {
  site = await startDemoSite();
}, 60_000);
afterAll(() => site.stop(), 30_000);

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

inEachEngine((test, name) => {
  // APPEARANCES differ in the length of texts; Firefox and WebKit show the longer ones.
  for (const appearance of name === "chromium" ? APPEARANCES : APPEARANCES.slice(0, 1)) {
    const all = name === "chromium" && appearance.language === "de";
    const widths = name === "chromium" ? FEW_WIDTHS : USUAL_WIDTHS;
    const sizes = SIZES.filter(([width]) => all || widths.includes(width));
    const title = `every page and dialog fits at ${sizes.length} widths, ${appearance.theme}, in ${appearance.language}`;
    test(title, async (engine) => {
      const found: string[] = [];
      await tourAll(site, engine, appearance, (page) => checker(page, sizes, found));
      expect(found).toEqual([]);
    }, 400_000);
  }
});
