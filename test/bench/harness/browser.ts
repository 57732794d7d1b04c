import { type Browser, chromium, type Page } from "playwright-core";
import { findChromium } from "../../support/browser/find-chromium";

export type Loaded = { kilobytes: number; requests: number; usable: number };
type Visit = { cookie?: string; slow?: boolean; selector: string };

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });

/** Opens the page as a new visitor. `slow` is 1.6 Mbit/s, 150 ms latency and a processor four times slower. */
export async function load(
  browser: Browser,
  url: string,
  { cookie, slow = false, selector }: Visit,
  then: (page: Page) => Promise<void> = async () => {},
): Promise<Loaded> {
  const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 800 } });
  try {
    if (cookie) {
      const [name = "", value = ""] = cookie.split("=");
      await context.addCookies([{ name, value, url }]);
    }
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    let bytes = 0;
    let requests = 0;
    session.on("Network.requestWillBeSent", ({ request }) => {
      if (request.url.startsWith("http") && !/favicon|webmanifest|\.png$/.test(request.url)) requests += 1;
    });
    session.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    if (slow) {
      await session.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: 150,
        downloadThroughput: 200_000,
        uploadThroughput: 94_000,
      });
      await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    }
    const started = performance.now();
    await page.goto(url, { waitUntil: "commit" });
    // Looked for in each frame: a locator looks again after 500 ms only.
    await page.waitForFunction(
      (css) => [...document.querySelectorAll(css)].some((element) => element.checkVisibility()),
      selector,
    );
    const usable = performance.now() - started;
    await page.waitForLoadState("networkidle");
    await then(page);
    return { kilobytes: bytes / 1024, requests, usable };
  } finally {
    await context.close();
  }
}
