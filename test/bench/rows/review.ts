import type { Page } from "playwright-core";
import { form } from "../../support/api/envelopes";
import { pdfOfPages } from "../../support/files/pdf";
import { type Account, sendEnvelope, signUp } from "../harness/account";
import { openBrowser } from "../harness/browser";
import { startApp, withFolder } from "../harness/process";
import type { Finding, Row } from "../harness/row";

const MB = 1024 * 1024;
/** From the last byte that the first page needs to the frame that shows it. */
const AT_MOST_MS = 300;

/** Opening documents in the review mode: PDFs of one page and of 100 MB, and a photo of 12 megapixels. */
export const review: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder, { MAX_FILE_MB: "150" });
    const browser = await openBrowser();
    try {
      const owner = await signUp(app.url, "owner@example.com");
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const [name = "", value = ""] = owner.cookie.split("=");
      await context.addCookies([{ name, value, url: app.url }]);
      const page = await context.newPage();
      await page.goto(`${app.url}/robots.txt`);
      const picture = await photo(page);
      const baseline = { name: "decoding it alone", value: await timeDecoding(page) };
      const files = {
        Letter: pdfOfPages("letter.pdf", { pages: 1 }),
        Archive: pdfOfPages("archive.pdf", { pages: 200, bytesPerPage: MB / 2 }),
        Photo: new File([picture], "photo.jpg", { type: "image/jpeg" }),
      };
      const id = await submitFiles(app.url, owner, files);
      await page.addInitScript(watchOpening);
      const findings: Finding[] = [];
      await page.goto(`${app.url}/?envelope=${id}`);
      await page.getByRole("button", { name: "Review", exact: true }).click();
      for (const [index, name] of Object.keys(files).entries()) {
        if (index > 0) await page.keyboard.press("j");
        await page.waitForFunction((count) => window.opened.length > count, index);
        const value = await page.evaluate((count) => window.opened[count] ?? Number.NaN, index);
        const what = `${name}: from its last byte to its first page`;
        const goal = { of: "value" as const, atMost: AT_MOST_MS };
        findings.push({ what, unit: "ms", value, goal, ...(name === "Photo" && { baseline }) });
      }
      return findings;
    } finally {
      await browser.close();
    }
  });

declare global {
  interface Window {
    /** How long each document took to open, in ms. */
    opened: number[];
    photo: string;
  }
}

/** Runs in the page: records when the first page of a PDF or a picture is painted. */
function watchOpening(): void {
  window.opened = [];
  const shown = new Set<Element>();
  const note = (element: Element, host: Element | null) => {
    if (!host || shown.has(host)) return;
    shown.add(host);
    requestAnimationFrame(() =>
      setTimeout(() => {
        const ends = performance
          .getEntriesByType("resource")
          .filter(({ name }) => name.includes("/uploads/"))
          .map((entry) => (entry as PerformanceResourceTiming).responseEnd);
        if (element.isConnected) window.opened.push(performance.now() - Math.max(...ends));
      }),
    );
  };
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node instanceof HTMLCanvasElement) note(node, node.closest("[data-page='1']"));
  }).observe(document, { childList: true, subtree: true });
  document.addEventListener(
    "load",
    ({ target }) => {
      if (target instanceof HTMLImageElement && target.closest("[data-viewer]")) note(target, target);
    },
    true,
  );
}

/** How long the browser takes to decode the photo, without any page around it. */
const timeDecoding = (page: Page) =>
  page.evaluate(async () => {
    const image = new Image();
    const started = performance.now();
    image.src = window.photo;
    await image.decode();
    return performance.now() - started;
  });

async function photo(page: Page): Promise<Uint8Array<ArrayBuffer>> {
  const url = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 4000, height: 3000 });
    const drawing = canvas.getContext("2d");
    for (let dot = 0; dot < 20_000; dot += 1) {
      if (drawing) drawing.fillStyle = `hsl(${dot} 70% 50%)`;
      drawing?.fillRect((dot * 7919) % 4000, (dot * 104_729) % 3000, 60, 40);
    }
    window.photo = canvas.toDataURL("image/jpeg", 0.9);
    return window.photo;
  });
  return Uint8Array.fromBase64(url.slice(url.indexOf(",") + 1));
}

async function submitFiles(origin: string, owner: Account, files: Record<string, File>): Promise<number> {
  const token = await sendEnvelope(owner, Object.keys(files));
  const response = await fetch(`${origin}/api/submissions/${token}`, { method: "POST", body: form(files) });
  if (response.status !== 201) throw new Error(`Not handed in: ${await response.text()}`);
  const [envelope] = await (await owner.send("GET", "/api/requests")).json();
  return envelope.id;
}
