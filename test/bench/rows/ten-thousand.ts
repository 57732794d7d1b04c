import type { Page } from "playwright-core";
import { addEnvelopes, signUp } from "../harness/account";
import { load, openBrowser } from "../harness/browser";
import { compare } from "../harness/compare";
import { startApp, startBaseline, withFolder } from "../harness/process";
import type { Finding, Row } from "../harness/row";
import { indexAll } from "./search";

const ENVELOPES = 10_000;
const LOADS = 5;

/** The home page of a workspace with 10,000 envelopes, beside pages without any of it in the same browser. */
export const tenThousand: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder);
    const bare = await startBaseline("pages", folder);
    const browser = await openBrowser();
    try {
      const owner = await signUp(app.url, "owner@example.com");
      await addEnvelopes(folder, owner, ENVELOPES);
      // The schedule would do it during the measurement.
      await indexAll(folder);
      const home = { cookie: owner.cookie, selector: "tbody tr" };
      const field = { selector: "input" };
      const first = await compare(
        LOADS,
        async () => (await load(browser, `${bare.url}/react`, field)).usable,
        async () => (await load(browser, app.url, home)).usable,
        0,
      );
      const floor = { keystroke: Number.NaN, gap: Number.NaN, jump: Number.NaN };
      await load(browser, `${bare.url}/list`, field, async (page) => {
        floor.keystroke = await longestAnswer(page, () => typeFilter(page));
        floor.gap = await longestGap(page, SCROLLED);
        floor.jump = await longestGap(page, JUMPED);
      });
      const longest = { ...floor, tab: Number.NaN, search: Number.NaN };
      await load(browser, app.url, home, async (page) => {
        longest.keystroke = await longestAnswer(page, () => typeFilter(page));
        longest.tab = await longestAnswer(page, () => chooseTabs(page));
        longest.search = await longestAnswer(page, () => searchAndClear(page));
        longest.gap = await longestGap(page, SCROLLED);
        longest.jump = await longestGap(page, JUMPED);
      });
      await app.stop();
      const react = { name: "React floor", value: first.baseline };
      const onList = (value: number) => ({ name: "empty list", value });
      return [
        finding("10,000 envelopes: first rows", first.value, 500, react),
        finding(
          "A keystroke in the filter, to the next paint",
          longest.keystroke,
          16,
          onList(floor.keystroke),
        ),
        finding("Choosing a tab, to the next paint", longest.tab, 100),
        finding("Searching all of them, to the next paint", longest.search, 100),
        finding("Scrolling, the longest time without a frame", longest.gap, 33, onList(floor.gap)),
        finding("The same, five times as fast as a wheel", longest.jump, 100, onList(floor.jump)),
      ];
    } finally {
      await browser.close();
    }
  });

const finding = (what: string, value: number, atMost: number, baseline?: Finding["baseline"]): Finding => ({
  what,
  unit: "ms",
  value,
  baseline,
  goal: { of: "value", atMost },
});

/** The longest delay between a key press or click of `act` and its paint, as measured by the browser. */
async function longestAnswer(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries())
        if (name === "keydown" || name === "click") seen.push(duration);
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  await act();
  await page.waitForTimeout(300);
  // Entries below 16 ms are not reported.
  return page.evaluate(() => Math.max(16, ...(window as unknown as { seen: number[] }).seen));
}

async function typeFilter(page: Page): Promise<void> {
  const filter = page.locator("main input").first();
  await filter.pressSequentially("Recipient 99", { delay: 120 });
  await page.waitForTimeout(300);
  await filter.fill("");
  // The URL follows after a pause.
  await page.waitForTimeout(500);
}

async function chooseTabs(page: Page): Promise<void> {
  for (const name of ["Waiting", "Done", "All"]) {
    await page.getByRole("tab", { name }).click();
    await page.waitForTimeout(200);
  }
}

async function searchAndClear(page: Page): Promise<void> {
  const search = page.getByRole("searchbox", { name: "Search" });
  await search.fill("recipient 77");
  await search.press("Enter");
  await page.getByRole("option", { name: /^All envelopes with/ }).click();
  await page.waitForTimeout(300);
  await page.getByRole("button", { name: "Clear search" }).click();
  await page.waitForTimeout(300);
}

/** What a fast wheel scrolls in 80 ms, and what hardly anybody does. */
const SCROLLED = 600;
const JUMPED = 3000;

/** The longest time between two frames while the list is scrolled by this many pixels each 80 ms. */
async function longestGap(page: Page, pixels: number): Promise<number> {
  const watched = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const began = performance.now();
        let last = began;
        let longest = 0;
        const frame = (now: number) => {
          longest = Math.max(longest, now - last);
          last = now;
          if (now - began < 2500) requestAnimationFrame(frame);
          else resolve(longest);
        };
        requestAnimationFrame(frame);
      }),
  );
  await page.mouse.move(640, 500);
  for (let turn = 0; turn < 20; turn += 1) {
    await page.mouse.wheel(0, pixels);
    await page.waitForTimeout(80);
  }
  return watched;
}
