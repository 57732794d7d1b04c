import { chromium } from "playwright-core";
import { CHROMIUM_FLAGS } from "../browser/browser";
import { findChromium } from "../browser/find-chromium";
import type { Engine, Tab } from "./tab";

/** Chromium, driven by Playwright. */
export async function startChromium(): Promise<Engine> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
  return {
    async open(): Promise<Tab> {
      const context = await browser.newContext({ locale: "en-GB" });
      const page = await context.newPage();
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(`${page.url()}: ${error.stack ?? error}`));
      page.on("console", (message) => {
        if (message.type() === "error") problems.push(`${page.url()}: ${message.text()}`);
      });
      return {
        problems,
        goto: async (url) => void (await page.goto(url)),
        resize: (width, height) => page.setViewportSize({ width, height }),
        evaluate: (expression) => page.evaluate(expression),
        clickAt: (x, y) => page.mouse.click(x, y),
        press: (key) => page.keyboard.press(key),
        type: (text) => page.keyboard.type(text),
        setFiles: (selector, paths) => page.locator(selector).first().setInputFiles(paths),
        screenshot: () => page.screenshot(),
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}
