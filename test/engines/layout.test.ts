import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startEngine } from "../support/engines";
import type { EnginePage } from "../support/engines/page";
import { startDemoSite } from "../support/engines/site";
import { ENGINES, type Engine } from "../support/engines/tab";
import { type Look, tourAll } from "../support/engines/tours";

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
const LOOKS = [
  { language: "de", theme: "dark" },
  { language: "en", theme: "light" },
] as const;

let site: Awaited<ReturnType<typeof startDemoSite>>;
beforeAll(async () => {
  site = await startDemoSite();
}, 60_000);
afterAll(() => site.stop(), 30_000);

/** Checks the screen at these sizes, and notes what is wrong. */
function checker(page: EnginePage, sizes: readonly (readonly [number, number])[], found: string[]): Look {
  return async (name, options) => {
    const below = options?.below ?? Number.POSITIVE_INFINITY;
    for (const [width, height] of sizes.filter(([width]) => width < below)) {
      await page.resize(width, height);
      const problems = await page.layoutProblems();
      found.push(...problems.map((problem) => `${name}, ${width} px: ${problem}`));
    }
    await page.resize(1280, 800);
  };
}

for (const name of ENGINES) {
  describe(name, () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await startEngine(name);
    }, 60_000);
    afterAll(() => engine.close(), 30_000);

    for (const [index, look] of LOOKS.entries()) {
      // Chromium shows every width in both looks, the others every second one in each.
      const sizes = SIZES.filter((_, place) => name === "chromium" || place % LOOKS.length === index);
      test(`every page and dialog fits at ${sizes.length} widths, ${look.theme}, in ${look.language}`, async () => {
        const found: string[] = [];
        await tourAll(site, engine, look, (page) => checker(page, sizes, found));
        expect(found).toEqual([]);
      }, 300_000);
    }
  });
}
