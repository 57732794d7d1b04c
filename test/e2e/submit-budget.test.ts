import { expect, test } from "bun:test";
import { PHONE, startBunSite } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { CONTRACT, LETTER, openRequestor, PASSPORT } from "../support/browser/submit-page";
import { createMemoryMailer } from "../support/memory/memory-mailer";
import { waitFor } from "../support/wait";

const MAX_BYTES = 90 * 1024;

const mailer = createMemoryMailer();
const site = setUpTestSite(() => startBunSite({ mailer }));

test.each([
  ["ada@example.com", 8, false],
  // Its script and its logo come after the first view too.
  ["ada.brand@example.com", 8, true],
])(
  "the first step of %s needs at most 90 KB in at most %i requests without a font, and pictures and brand come after it",
  async (address, maxRequests, branded) => {
    const ada = await openRequestor(site, address);
    await ada.page.goto(site.url);
    await ada.page.getByRole("heading", { level: 1 }).waitFor();
    const photo = await ada.page.screenshot({ type: "jpeg", quality: 95 });
    expect(photo.length).toBeGreaterThan(30 * 1024);
    await ada.choosePicture(photo);
    if (branded) await ada.setBrand({ brandName: "Lovelace Tax", brandColor: "#ffd400" }, photo);
    const { submissionToken } = await ada.requestDocuments([PASSPORT, CONTRACT, LETTER]);
    const { page } = await site.visit("/robots.txt", { locale: "de-DE" });
    const network = await page.context().newCDPSession(page);
    await network.send("Network.enable");
    const requests: { id: string; type: string | undefined; url: string; loadedBefore: number }[] = [];
    const loaded = new Map<string, number>();
    network.on("Network.requestWillBeSent", ({ requestId: id, type, request: { url } }) => {
      requests.push({ id, type, url, loadedBefore: loaded.size });
    });
    network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      loaded.set(requestId, encodedDataLength);
    });
    await page.goto(`${site.url}/submit/${submissionToken}`, { waitUntil: "networkidle" });
    await page.getByLabel("Name", { exact: true }).waitFor();

    expect(requests.map(({ type }) => type)).not.toContain("Font");
    expect(requests.length).toBeLessThanOrEqual(maxRequests);
    const isLater = ({ type, url }: { type: string | undefined; url: string }) =>
      type === "Image" || /\/brand-\w+\.js$/.test(url);
    const later = requests.filter(isLater);
    expect(later.map(({ type }) => type).toSorted()).toEqual(
      branded ? ["Image", "Image", "Script"] : ["Image"],
    );
    for (const { id, loadedBefore } of later) {
      // The end of the last one before it may be reported after its start.
      expect(loadedBefore).toBeGreaterThanOrEqual(requests.length - later.length - 1);
      loaded.delete(id);
    }
    const bytes = loaded.values().reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
    process.stdout.write(
      `${requests.length} requests, ${(bytes / 1024).toFixed(1)} KB before pictures and brand\n`,
    );
  },
  120_000,
);

test("the button of an invitation and of a reminder is within the first 480 px of a phone, whatever the message", async () => {
  const ada = await openRequestor(site, "ada.mail@example.com");
  const { page } = await site.visit("/robots.txt", { viewport: { width: 380, height: 480 } });
  for (const [recipient, message] of [
    ["none", null],
    ["short", "Dear Charles,\nplease send me the papers for the engine.\n\nThank you,\nAda"],
    ["wide", "チャールズ様、書類を今月末までにお送りください。".repeat(4)],
    ["long", "Please send me the papers for the engine. ".repeat(50)],
  ] as const)
    for (const language of ["en", "de", "es"]) {
      const recipientEmail = `${recipient}.${language}@example.com`;
      const envelope = await ada.requestDocuments([PASSPORT, CONTRACT], {
        recipientEmail,
        message,
        language,
        dueDate: "2099-12-31",
      });
      const mailed = (count: number) =>
        waitFor(
          `${count} mails to ${recipientEmail}`,
          async () => mailer.sent.filter(({ to }) => to === recipientEmail)[count - 1],
        );
      await mailed(1);
      // The note of a reminder is as long.
      const note = message?.slice(0, 500) ?? null;
      await ada.page.request.post(`${site.url}/api/requests/${envelope.id}/remind`, { data: { note } });
      for (const count of [1, 2]) {
        const { html, subject } = await mailed(count);
        const source = Buffer.from(html.replaceAll(/src="cid:[^"]*"/g, "")).toString("base64");
        await page.goto(`data:text/html;base64,${source}`);
        const box = await page.locator(".button a").boundingBox();
        if (!box) throw new Error("The button is not shown");
        expect([subject, recipientEmail, box.y + box.height < 480]).toEqual([subject, recipientEmail, true]);
      }
    }
}, 120_000);

test("the layout is stable when the details load", async () => {
  const ada = await openRequestor(site, "mary@example.com");
  const { submissionToken } = await ada.requestDocuments([CONTRACT], { expirationDate: "2099-12-31" });
  const { page } = await site.visit("/robots.txt", PHONE);
  await page.goto(`${site.url}/submit/${submissionToken}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  const moved = await page.evaluate(async () => {
    type Shift = PerformanceEntry & { value: number };
    const { promise, resolve } = Promise.withResolvers<number>();
    const sum = (entries: PerformanceEntry[]) =>
      resolve((entries as Shift[]).reduce((whole, { value }) => whole + value, 0));
    new PerformanceObserver((list) => sum(list.getEntries())).observe({
      type: "layout-shift",
      buffered: true,
    });
    // After two frames, all shifts have been reported.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
    return promise;
  });
  expect(moved).toBeLessThan(0.05);
}, 120_000);

test("the page contains no data of an envelope, and its first step needs no script", async () => {
  const ada = await openRequestor(site, "grace@example.com");
  const { submissionToken } = await ada.requestDocuments([CONTRACT]);
  const [one, other] = await Promise.all(
    [submissionToken, "another"].map(async (token) => (await fetch(`${site.url}/submit/${token}`)).text()),
  );
  expect(one).toBe(other ?? "");
  expect(one).toContain("Loading submission details...");
  expect(one).toContain('name="email"');
  expect(one).not.toMatch(/ style=|<script[^>]*>[^<]*(?:localhost|Babbage)/);
});
