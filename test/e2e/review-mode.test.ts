import { expect, test } from "bun:test";
import { join } from "node:path";
import { file } from "bun";
import type { Page, Route } from "playwright-core";
import { DAY_MS } from "../../worker/lib/durations";
import { form } from "../support/api/envelopes";
import { CHUNK_TYPE, metadataOf, TUS } from "../support/api/tus";
import { DESKTOP, PHONE, startBunSite, violations, waitForFocus } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { openRequestor, type Requestor } from "../support/browser/submit-page";
import { docxFile, pdfFile } from "../support/files/files";
import {
  damagedPicturePdf,
  endlessPdf,
  jbig2Pdf,
  jpeg2000Pdf,
  lockedPdf,
  missingPagePdf,
} from "../support/files/odd-pdfs";
import { pdfOfPages } from "../support/files/pdf";
import { waitFor } from "../support/wait";

const MB = 1024 * 1024;
const ICON = join(import.meta.dir, "../../web/public/icon-512.png");

/** The offset of the server's clock. */
let ahead = 0;
const clock = { now: () => new Date(Date.now() + ahead) };
const site = setUpTestSite(() => startBunSite({ maxFileMb: 150, clock }));

const picture = async (name: string) => new File([await file(ICON).bytes()], name, { type: "image/png" });

/** A submitted envelope with these files, each for the document of its name. */
async function submitFiles(ada: Requestor, files: Record<string, File>, more?: Record<string, unknown>) {
  const documents = Object.keys(files).map((name) => ({
    name,
    required: true,
    allowedFileTypes: ["pdf", "png", "docx"],
  }));
  const envelope = await ada.requestDocuments(documents, more);
  const link = `${site.url}/api/submissions/${envelope.submissionToken}`;
  const response = await fetch(link, { method: "POST", body: form(files) });
  expect(response.status, await response.text()).toBe(201);
  return envelope;
}

async function openDetails(page: Page, id: number) {
  await page.goto(`${site.url}/?envelope=${id}`);
  const details = page.getByRole("dialog", { name: "Document Request for Charles Babbage", exact: true });
  await waitForFocus(details.getByRole("heading", { name: "Document Request for Charles Babbage" }));
  return details;
}

const mode = (page: Page) => page.getByRole("dialog", { name: /^Review of / });
const drawn = (page: Page, number: number) =>
  mode(page)
    .getByRole("img", { name: new RegExp(`^Page ${number} of `) })
    .locator("canvas")
    .waitFor();
const title = (page: Page, name: string) => mode(page).getByRole("heading", { name, exact: true }).waitFor();

/** Waits until the page has given a picture its size: the browser knows its own size earlier, before it is loaded. */
const seen = (page: Page, name: string) =>
  page.waitForFunction(
    (alt) => document.querySelector<HTMLImageElement>(`[data-viewer] img[alt="${alt}"]`)?.style.width,
    name,
  );

/** Accepts, and lets the time pass in which a second press does nothing. */
async function accept(page: Page) {
  await page.keyboard.press("a");
  await page.clock.fastForward(1000);
}

async function openReview(page: Page, id: number) {
  const details = await openDetails(page, id);
  await details.getByRole("button", { name: "Review", exact: true }).click();
  await mode(page).waitFor();
  return details;
}

async function untilStates(ada: Requestor, id: number, wanted: string): Promise<void> {
  const states = async () => (await ada.readEnvelope(id)).documents.map(({ state }) => state).join(" ");
  await waitFor(wanted, async () => (await states()) === wanted);
}

test("a PDF is opened from its details in the review mode, which leads back to the envelope", async () => {
  const ada = await openRequestor(site, "pages@example.com");
  const { page } = ada;
  const { id } = await submitFiles(ada, { One: pdfFile("One.pdf", "One"), Two: pdfFile("Two.pdf", "Two") });
  const details = await openDetails(page, id);
  await details.getByRole("button", { name: "View Two" }).click();
  const file = page.getByRole("dialog", { name: "Document Details" });
  await file.getByText("application/pdf").waitFor();
  expect(await file.getByText("There is no preview").count()).toBe(0);
  await file.getByRole("button", { name: "Open document" }).click();
  await title(page, "Two");
  await drawn(page, 1);
  await page.keyboard.press("Escape");
  await mode(page).waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.closest('[role="dialog"]'));
}, 120_000);

test("a list opens the review mode at a document, and it leads back to the list", async () => {
  const ada = await openRequestor(site, "cell@example.com");
  const { page } = ada;
  const envelope = await submitFiles(ada, { One: pdfFile("One.pdf"), Two: pdfFile("Two.pdf") });
  const [, two] = envelope.documents;
  await page.goto(`${site.url}/?tab=toReview&envelope=${envelope.id}&document=${two?.id}&from=board`);
  await title(page, "Two");
  await drawn(page, 1);
  await page.keyboard.press("a");
  await title(page, "One");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("?tab=toReview");
  await untilStates(ada, envelope.id, "received accepted");
  await page.goto(`${site.url}/?envelope=${envelope.id}&review=next&from=list`);
  await title(page, "One");
}, 120_000);

/** The color of the canvas of a page at a position, as fractions of its size. */
const darkPixels = (page: Page, number: number) =>
  page.evaluate((wanted) => {
    const canvas = document.querySelector<HTMLCanvasElement>(`[data-page="${wanted}"] canvas`);
    const data = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    let dark = 0;
    for (let index = 0; index < data.length; index += 4) if (Number(data[index]) < 100) dark += 1;
    return dark;
  }, number);

test("five documents are reviewed by keyboard with at most 12 key strokes", async () => {
  const ada = await openRequestor(site, "ada@example.com");
  const { page } = ada;
  const names = ["One", "Two", "Three", "Four", "Five"];
  const files = Object.fromEntries(names.map((name) => [name, pdfFile(`${name}.pdf`, name)]));
  let strokes = 0;
  const press = async (key: string) => {
    strokes += 1;
    await page.keyboard.press(key);
  };
  await page.clock.install();
  const accepted = await submitFiles(ada, files);
  const details = await openDetails(page, accepted.id);
  await press("Tab");
  await press("Enter");
  for (const name of names) {
    await title(page, name);
    await drawn(page, 1);
    expect(await darkPixels(page, 1)).toBeGreaterThan(100);
    await press("a");
    await page.clock.fastForward(1000);
  }
  await mode(page).getByText("Nothing left to review.").waitFor();
  expect(await mode(page).getByText("Everything is reviewed.").count()).toBe(0);
  await press("Escape");
  await mode(page).waitFor({ state: "detached" });
  await waitForFocus(details.getByRole("button", { name: "Review", exact: true }));
  await untilStates(ada, accepted.id, "accepted accepted accepted accepted accepted");
  expect(strokes).toBeLessThanOrEqual(12);

  strokes = 0;
  const returned = await submitFiles(ada, files);
  await openDetails(page, returned.id);
  await press("Tab");
  await press("Enter");
  for (const [name, key] of [
    ["One", "a"],
    ["Two", "a"],
    ["Three", "r"],
  ] as const) {
    await title(page, name);
    await drawn(page, 1);
    await press(key);
    await page.clock.fastForward(1000);
  }
  await page.getByRole("dialog", { name: "Ask again for Three" }).waitFor();
  await page.keyboard.type("Blurry, read jack and a rare disk");
  await press("Enter");
  await title(page, "Four");
  await drawn(page, 1);
  await press("a");
  await title(page, "Five");
  await press("r");
  await page.getByRole("dialog", { name: "Ask again for Five" }).waitFor();
  await page.keyboard.type("Cropped");
  await press("Enter");
  await mode(page).getByText("2 to ask for again").waitFor();
  await page.setViewportSize({ width: 320, height: 640 });
  const send = await mode(page).getByRole("button", { name: "Send" }).boundingBox();
  expect((send?.y ?? 640) + (send?.height ?? 0)).toBeLessThanOrEqual(640);
  await page.setViewportSize(DESKTOP.viewport);
  await press("s");
  await untilStates(ada, returned.id, "accepted accepted returned accepted returned");
  expect(strokes).toBeLessThanOrEqual(12);
}, 120_000);

test("30 submissions of two documents are reviewed with 62 keys, in the order of the list", async () => {
  const ada = await openRequestor(site, "queue@example.com");
  const { page } = ada;
  const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  ahead = -9 * DAY_MS;
  await ada.requestDocuments([{ name: "One" }], { recipientName: "Late Client", dueDate: dayFromNow(-5) });
  ahead = 0;
  const files = { One: await picture("One.png"), Two: await picture("Two.png") };
  const names = Array.from({ length: 30 }, (_, index) => `Client ${index + 1}`);
  const ids: number[] = [];
  for (const recipientName of names) ids.push((await submitFiles(ada, files, { recipientName })).id);
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/review")) calls.push(request.postData() ?? "");
  });
  await page.clock.install();
  await page.goto(`${site.url}/?sort=recipient&envelope=${ids[0]}`);
  const details = page.getByRole("dialog", { name: "Document Request for Client 1", exact: true });
  await waitForFocus(details.getByRole("heading", { name: "Document Request for Client 1" }));
  let strokes = 0;
  const press = async (key: string) => {
    strokes += 1;
    await page.keyboard.press(key);
  };
  await press("Tab");
  await press("Enter");
  for (const [index, name] of names.entries()) {
    await mode(page).getByText(name, { exact: true }).first().waitFor();
    const rest = names.length - index - 1;
    if (rest > 0)
      await mode(page)
        .getByText(`Next: ${names[index + 1]} (${rest} left)`)
        .waitFor();
    for (const asked of ["One", "Two"]) {
      await title(page, asked);
      await seen(page, `${asked}.png`);
      await press("a");
      await page.clock.fastForward(1000);
    }
  }
  await mode(page).getByText("Nothing left to review.").waitFor();
  await mode(page).getByText("1 client is overdue").waitFor();
  expect(strokes).toBe(62);
  expect(calls).toHaveLength(60);
  expect(await violations(page)).toEqual([]);
  await mode(page).getByRole("button", { name: "Remind", exact: true }).click();
  await page.getByRole("dialog").getByText("Late Client").waitFor();
  // The keys of the review do nothing here.
  await page.keyboard.press("u");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  const last = page.getByRole("dialog", { name: "Document Request for Client 30" });
  await waitForFocus(last.getByRole("button", { name: "Review", exact: true }));
  expect(calls).toHaveLength(60);
}, 240_000);

test("nothing is accepted unseen or twice at once; it is undone by key, and returns follow to the next client", async () => {
  const ada = await openRequestor(site, "unseen@example.com");
  const { page } = ada;
  const receipts = { name: "Receipts", required: true, multiple: true, allowedFileTypes: ["png"] };
  const two = await ada.requestDocuments([receipts], { recipientName: "Grace Hopper" });
  const link = `${site.url}/api/submissions/${two.submissionToken}`;
  const bytes = await file(ICON).bytes();
  for (const name of ["first.png", "second.png"])
    await fetch(`${link}/uploads`, {
      method: "POST",
      headers: {
        ...TUS,
        "Content-Type": CHUNK_TYPE,
        "Upload-Length": String(bytes.length),
        "Upload-Metadata": metadataOf(two.documents[0]?.id ?? 0, name),
      },
      body: bytes,
    });
  const json = { "Content-Type": "application/json" };
  const body = JSON.stringify({ note: "Two shops" });
  expect((await fetch(`${link}/submit`, { method: "POST", headers: json, body })).status).toBe(201);
  const files = { Letter: await picture("l.png") };
  const taken = await submitFiles(ada, files, { recipientName: "Mary Shelley" });
  const one = await submitFiles(ada, files, { recipientName: "Alan Turing" });

  await page.clock.install();
  const held: Route[] = [];
  await page.route("**/uploads/*", (route) => void held.push(route));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${site.url}/?tab=toReview&sort=created&envelope=${two.id}&review=next&from=list`);
  for (const text of ["Grace Hopper", "Papers for the engine", "Two shops", "1 more file to look at first"])
    await mode(page).getByText(text).first().waitFor();
  await mode(page).getByRole("button", { name: "Accept 2 files of Receipts" }).waitFor();
  await mode(page).getByText("Next: Mary Shelley (2 left)").waitFor();
  const accepted = { accept: taken.documents.map((document) => document.id) };
  const meanwhile = await page.request.post(`${site.url}/api/requests/${taken.id}/review`, {
    data: accepted,
  });
  expect(meanwhile.status()).toBe(200);
  await mode(page).getByText("Loading...", { exact: true }).waitFor();
  expect(await mode(page).getByRole("button", { name: "Accept 2 files of Receipts" }).isDisabled()).toBe(
    true,
  );
  await accept(page);
  await mode(page).getByText("1 of 2", { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  for (const route of held) await route.continue();
  await page.unroute("**/uploads/*");
  await seen(page, "first.png");
  await page.keyboard.press("a");
  await seen(page, "second.png");
  await page.keyboard.press("a");
  await page.clock.fastForward(1000);
  expect((await ada.readEnvelope(two.id)).documents[0]?.state).toBe("received");
  await accept(page);
  await mode(page).getByText("Alan Turing").first().waitFor();
  await title(page, "Letter");
  await page.getByText("Accepted: Receipts").first().waitFor();
  await untilStates(ada, two.id, "accepted");
  await page.clock.fastForward(5000);
  await page.keyboard.press("u");
  await title(page, "Receipts");
  await untilStates(ada, two.id, "received");

  await page.keyboard.press("n");
  await title(page, "Letter");
  await page.keyboard.press("r");
  await page.keyboard.type("Cropped");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Shift+N");
  await title(page, "Receipts");
  await mode(page).getByText("1 to ask for again").waitFor();
  await mode(page).getByRole("button", { name: "Send", exact: true }).click();
  await untilStates(ada, one.id, "returned");
  await mode(page).getByText("1 to ask for again").waitFor({ state: "detached" });
  await waitForFocus(mode(page).locator("[data-viewer]"));
  await seen(page, "first.png");
  await accept(page);
  await mode(page).getByText("Nothing left to review.").waitFor();
}, 120_000);

test("closing asks about returns that are not sent; kept ones survive the tab and are marked in the list", async () => {
  const ada = await openRequestor(site, "unsent@example.com");
  const { page } = ada;
  const { id } = await submitFiles(ada, { One: pdfFile("One.pdf", "One"), Two: pdfFile("Two.pdf", "Two") });
  const question = page.getByRole("alertdialog", { name: "1 request not sent" });
  const details = await openReview(page, id);
  await title(page, "One");
  await page.keyboard.press("r");
  await page.keyboard.type("Blurry");
  await page.keyboard.press("Enter");
  await title(page, "Two");
  await page.keyboard.press("Escape");
  await question.getByText("Blurry").waitFor();
  expect(await violations(page)).toEqual([]);
  // The keys of the review do nothing, and Escape leads back to it.
  await page.keyboard.press("j");
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  await title(page, "Two");
  await page.goBack();
  await question.getByRole("button", { name: "Keep for later" }).click();
  await mode(page).waitFor({ state: "detached" });
  await page.setViewportSize({ width: 390, height: 640 });
  const send = await details.getByRole("button", { name: "Send", exact: true }).boundingBox();
  expect((send?.y ?? 640) + (send?.height ?? 0)).toBeLessThanOrEqual(640);
  // It was answered for this list.
  await page.keyboard.press("Escape");
  await details.waitFor({ state: "detached" });
  await page.getByRole("row", { name: /1 not sent/ }).waitFor();
  expect(await violations(page)).toEqual([]);
  await untilStates(ada, id, "received received");

  const tab = await page.context().newPage();
  const again = await openReview(tab, id);
  await mode(tab).getByText("1 to ask for again").waitFor();
  await tab.goto(`${site.url}/?envelope=${id}`);
  await again.getByRole("button", { name: "Close" }).click();
  const other = tab.getByRole("alertdialog", { name: "1 request not sent" });
  await other.getByRole("button", { name: "Send" }).click();
  await again.waitFor({ state: "detached" });
  await untilStates(ada, id, "returned received");
  await page.getByRole("row", { name: /1 not sent/ }).waitFor({ state: "detached" });
}, 120_000);

test("a PDF, a picture and another file are shown, enlarged and rotated; reload and back keep the position", async () => {
  const ada = await openRequestor(site, "grace@example.com");
  const { page } = ada;
  const picture = new File([await file(ICON).bytes()], "photo.png", { type: "image/png" });
  const files = { Passport: pdfFile("passport.pdf"), Photo: picture, Letter: docxFile("letter.docx") };
  const envelope = await submitFiles(ada, files);
  await openReview(page, envelope.id);
  await drawn(page, 1);
  expect(await violations(page)).toEqual([]);
  const sheet = page.locator("[data-page='1']");
  const box = async () => (await sheet.boundingBox()) ?? { width: 0, height: 0 };
  const before = await box();
  await page.keyboard.press("+");
  expect((await box()).width).toBeCloseTo(before.width * 1.25, 0);
  await page.keyboard.press("0");
  await page.keyboard.press("t");
  expect((await box()).height).toBeLessThan((await box()).width);
  await page.keyboard.press("-");
  expect((await box()).width).toBeCloseTo(before.width / 1.25, 0);

  await page.keyboard.press("j");
  await title(page, "Photo");
  await waitForFocus(page.getByRole("region", { name: "photo.png" }));
  const shown = mode(page).getByRole("img", { name: "photo.png" });
  await shown.waitFor();
  await page.waitForFunction(() => (document.querySelector("img[alt='photo.png']")?.clientWidth ?? 0) > 100);
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await title(page, "Photo");
  await page.keyboard.press("ArrowRight");
  await title(page, "Letter");
  await mode(page).getByText("There is no preview for this kind of file.").waitFor();
  await page.getByRole("region", { name: "letter.docx" }).getByText("letter.docx").waitFor();
  const download = page.waitForEvent("download");
  await page.keyboard.press("d");
  expect((await download).suggestedFilename()).toBe("letter.docx");
  await page.keyboard.press("ArrowRight");
  await title(page, "Passport");
  await page.keyboard.press("k");
  await title(page, "Letter");
  await page.goBack();
  await mode(page).waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Submitted Documents" }).waitFor();

  const phone = await site.visit("/auth", PHONE);
  await phone.page.context().addCookies(await page.context().cookies());
  await phone.page.goto(`${site.url}/?envelope=${envelope.id}&review=999999`);
  await title(phone.page, "Passport");
  await drawn(phone.page, 1);
  await phone.page.getByRole("button", { name: "Accept Passport" }).tap();
  // The next document stays readable above it.
  const accepted = mode(phone.page).getByRole("status").filter({ hasText: "Accepted: Passport" });
  expect((await accepted.boundingBox())?.height).toBeLessThan(80);
  await title(phone.page, "Photo");
  await mode(phone.page).getByText("Accepted", { exact: true }).first().waitFor();
  await mode(phone.page).getByRole("button", { name: "Next file" }).tap();
  await title(phone.page, "Letter");
  expect(await violations(phone.page)).toEqual([]);
}, 120_000);

test("no script of a PDF runs, and no other site is contacted", async () => {
  const ada = await openRequestor(site, "mary@example.com");
  const { page } = ada;
  const script =
    "app.alert('hello'); this.submitForm('https://example.org/'); globalThis.ran = true; fetch('https://example.org/');";
  const envelope = await submitFiles(ada, { Contract: pdfOfPages("contract.pdf", { pages: 2, script }) });
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => dialogs.push(dialog.message()));
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  await openReview(page, envelope.id);
  await drawn(page, 1);
  await page.keyboard.press("Escape");
  await mode(page).waitFor({ state: "detached" });
  expect(dialogs).toEqual([]);
  expect(await page.evaluate(() => "ran" in globalThis)).toBe(false);
  expect(paths.filter((path) => /sandbox|quickjs|wasm/.test(path))).toEqual([]);
  expect(page.workers().map((worker) => new URL(worker.url()).pathname.split("/").at(-1))).toEqual([
    "pdf.worker.js",
  ]);
}, 120_000);

test("only the visible parts of a PDF of 200 pages and 100 MB are loaded and rendered", async () => {
  const ada = await openRequestor(site, "joan@example.com");
  const { page } = ada;
  const large = pdfOfPages("large.pdf", { pages: 200, bytesPerPage: MB / 2 });
  expect(large.size).toBeGreaterThan(99 * MB);
  const envelope = await submitFiles(ada, { Archive: large });
  let received = 0;
  page.on("response", (response) => {
    if (response.url().includes("/uploads/") && response.status() === 206)
      received += Number(response.headers()["content-length"]);
  });
  await openReview(page, envelope.id);
  await drawn(page, 1);
  expect(received).toBeGreaterThan(0);
  expect(received).toBeLessThan(16 * MB);
  await mode(page).getByText("Page 1 of 200", { exact: true }).waitFor();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/uploads/*", async (route) => {
    await released;
    await route.continue();
  });
  const sheet = page.locator("[data-page='150']");
  await sheet.evaluate((sheet) => sheet.scrollIntoView());
  // Until it is drawn, it does not look like an empty page.
  await sheet.locator("svg").waitFor();
  release();
  await drawn(page, 150);
  await sheet.locator("svg").waitFor({ state: "hidden" });
  expect(await darkPixels(page, 150)).toBeGreaterThan(100);
  expect(await page.locator("canvas").count()).toBeLessThan(12);
  expect(received).toBeLessThan(20 * MB);
  expect(await violations(page)).toEqual([]);
}, 120_000);

test("a file that cannot be shown says so, and can be tried again", async () => {
  const ada = await openRequestor(site, "emmy@example.com", { statuses: [404] });
  const { page } = ada;
  const damaged = new File(["%PDF-1.4\nnothing else"], "damaged.pdf", { type: "application/pdf" });
  const files = { Contract: damaged, Endless: endlessPdf("endless.pdf"), Passport: pdfFile() };
  const envelope = await submitFiles(ada, files);
  await openReview(page, envelope.id);
  await mode(page).getByText("This file cannot be shown here.").waitFor();
  await page.keyboard.press("j");
  await title(page, "Endless");
  await mode(page).getByText("This file cannot be shown here.").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.route("**/uploads/*", (route) => route.fulfill({ status: 404, body: "" }));
  await page.keyboard.press("j");
  await title(page, "Passport");
  await mode(page).getByText("This file cannot be shown here.").waitFor();
  await page.unroute("**/uploads/*");
  await mode(page).getByRole("button", { name: "Try again" }).click();
  await drawn(page, 1);
}, 120_000);

test("scans in JBIG2 and JPEG 2000 are drawn; a page that cannot be drawn is reported, and its file can be downloaded", async () => {
  const ada = await openRequestor(site, "lise@example.com");
  const { page } = ada;
  const envelope = await submitFiles(ada, {
    Scan: jbig2Pdf("scan.pdf"),
    Photo: jpeg2000Pdf("photo.pdf"),
    Damaged: damagedPicturePdf("damaged.pdf"),
    Incomplete: missingPagePdf("incomplete.pdf"),
  });
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname.split("/").at(-1) ?? ""));
  await openReview(page, envelope.id);
  await title(page, "Scan");
  await drawn(page, 1);
  // The picture is 400 of 595 points wide: all of it is dark, or its left half.
  const scanned = await darkPixels(page, 1);
  expect(scanned).toBeGreaterThan(50_000);
  await page.keyboard.press("j");
  await title(page, "Photo");
  await drawn(page, 1);
  expect((await darkPixels(page, 1)) / scanned).toBeCloseTo(0.5, 1);
  expect(loaded).toContain("jbig2_nowasm_fallback.js");
  expect(loaded).toContain("openjpeg_nowasm_fallback.js");
  const alert = mode(page)
    .getByRole("alert")
    .getByText("A picture on this page cannot be shown.", { exact: false });
  expect(await alert.count()).toBe(0);
  await page.keyboard.press("j");
  await title(page, "Damaged");
  await alert.waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("j");
  await title(page, "Incomplete");
  await drawn(page, 1);
  await page.locator("[data-page='2']").evaluate((sheet) => sheet.scrollIntoView());
  await page.locator("[data-page='2']").getByText("This page cannot be shown.", { exact: false }).waitFor();
  const download = page.waitForEvent("download");
  await page.keyboard.press("d");
  expect((await download).suggestedFilename()).toBe("incomplete.pdf");
}, 120_000);

test("a PDF with a password is opened with it; its text can be selected, enlarged and rotated", async () => {
  const ada = await openRequestor(site, "vera@example.com");
  const { page } = ada;
  const envelope = await submitFiles(ada, {
    Payslip: lockedPdf("payslip.pdf", "open sesame", "Payslip 4711"),
  });
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  await openReview(page, envelope.id);
  const field = mode(page).getByLabel("Password of the PDF");
  await mode(page).getByRole("button", { name: "Download Payslip" }).first().waitFor();
  expect(await violations(page)).toEqual([]);
  // The keys of the review are letters of the password here.
  await field.click();
  await page.keyboard.type("a dark jar");
  await page.keyboard.press("Enter");
  await mode(page).getByText("This password does not open the file.").waitFor();
  expect((await ada.readEnvelope(envelope.id)).documents[0]?.state).toBe("received");
  await field.fill("open sesame");
  await page.keyboard.press("Enter");
  await drawn(page, 1);
  expect(await darkPixels(page, 1)).toBeGreaterThan(500);
  expect(sent.filter((request) => /sesame/.test(request))).toEqual([]);

  const text = mode(page).getByText("Payslip 4711");
  const [before, sheet] = [await text.boundingBox(), await page.locator("[data-page='1']").boundingBox()];
  if (!before || !sheet) throw new Error("The text has no bounding box");
  // It begins at 60 of 595 points.
  expect((before.x - sheet.x) / sheet.width).toBeCloseTo(60 / 595, 1);
  await text.selectText();
  expect(await page.evaluate(() => String(getSelection()))).toBe("Payslip 4711");
  await page.keyboard.press("+");
  await page.waitForFunction(
    (width) => (document.querySelector(".pdf-text span")?.getBoundingClientRect().width ?? 0) > width * 1.2,
    before.width,
  );
  await page.keyboard.press("t");
  await page.waitForFunction(() => {
    const box = document.querySelector(".pdf-text span")?.getBoundingClientRect();
    return box && box.height > box.width;
  });
  expect(await violations(page)).toEqual([]);
}, 120_000);
