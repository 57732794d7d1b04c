import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { PHONE, startBunSite, type Visitor, violations } from "../support/browser/browser";
import { setUpRequestor } from "../support/browser/site-set-up";
import {
  CONTRACT,
  cardOf,
  choose,
  digestsOf,
  enterInformation,
  LETTER,
  limitUploads,
  openLink,
  received,
  submitAll,
  uploaded,
} from "../support/browser/submit-page";
import { docxFile, largePdfFile } from "../support/files/files";
import { type CuttableProxy, startCuttableProxy } from "../support/servers/cuttable-proxy";
import { makeFolder } from "../support/temporary-folder";

const LARGE = largePdfFile(4 * 1024 * 1024);
/** Bytes per second. */
const SLOW = 400 * 1024;
/** While a connection is broken, requests fail, and the server keeps a lock for a while. */
const BROKEN = { statuses: [423, 500, 503] };

let folder: string;
let server: Awaited<ReturnType<typeof startBunSite>>;
let proxy: CuttableProxy;
const { site, requestor: ada } = setUpRequestor("ada@example.com", async () => {
  folder = makeFolder();
  // Chosen from the disk, a file keeps its modification time.
  await Bun.write(join(folder, LARGE.name), LARGE);
  proxy = await startCuttableProxy();
  await startServer();
  return { ...server, url: proxy.url, stop: () => server.stop() };
});
afterAll(async () => {
  proxy.stop();
});

async function startServer(): Promise<void> {
  server = await startBunSite({ folder: join(folder, "data"), publicUrl: proxy.url });
  proxy.restore(server.url);
}

const chooseLarge = (page: Page) =>
  page.getByLabel("Signed contract", { exact: true }).setInputFiles(join(folder, LARGE.name));

/** Opens the link and uploads the large file slowly until the page has sent this share of it. */
async function beginUpload(envelope: { submissionToken: string }, percent: number) {
  const visitor = await openLink(site, envelope, BROKEN);
  const limit = await limitUploads(visitor.page);
  await enterInformation(visitor.page);
  await limit(SLOW);
  await chooseLarge(visitor.page);
  await visitor.page.waitForFunction(
    (percent) => (document.querySelector("progress")?.value ?? 0) >= percent,
    percent,
  );
  return { visitor, limit };
}

const waiting = ({ page }: Visitor) =>
  cardOf(page, "Signed contract").getByText("Waiting for the connection");

/** Requests that the test has interrupted are not a problem of the page. */
function clearProblems({ problems }: Visitor): void {
  const others = problems.filter((problem) => !/net::ERR_/.test(problem));
  problems.splice(0, problems.length, ...others);
}

test("after a lost connection the upload continues by itself", async () => {
  const envelope = await ada.requestDocuments([CONTRACT]);
  const { visitor, limit } = await beginUpload(envelope, 30);
  const { page } = visitor;
  proxy.cut();
  await waiting(visitor).waitFor();
  expect(await uploaded(page, "Signed contract").count()).toBe(0);
  await limit();
  const resumed = page.waitForRequest((request) => request.method() === "PATCH");
  proxy.restore();
  expect(Number((await resumed).headers()["upload-offset"])).toBeGreaterThan(0);
  await uploaded(page, "Signed contract").waitFor();
  await page.getByRole("status").getByText("large.pdf was uploaded.").waitFor({ state: "attached" });
  await submitAll(page);
  expect(await received(site, ada, envelope)).toEqual(await digestsOf(LARGE));
  clearProblems(visitor);
}, 120_000);

test("going offline is shown immediately, and coming back online retries immediately", async () => {
  const visitor = await openLink(site, await ada.requestDocuments([CONTRACT]), BROKEN);
  const { page } = visitor;
  await enterInformation(page);
  await page.context().setOffline(true);
  await chooseLarge(page);
  await waiting(visitor).waitFor();
  await page.getByText("You are offline. Uploads continue by themselves").waitFor();
  await page.context().setOffline(false);
  await uploaded(page, "Signed contract").waitFor();
  clearProblems(visitor);
}, 120_000);

test("a submission waits for an interrupted upload, and for a restarted server", async () => {
  const envelope = await ada.requestDocuments([CONTRACT]);
  const { visitor, limit } = await beginUpload(envelope, 30);
  const { page } = visitor;
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByRole("button", { name: "Uploading..." }).waitFor();
  proxy.cut();
  await server.stop();
  await page.getByText("Waiting for the connection").waitFor();
  await limit();
  await startServer();
  await page.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();
  expect(await received(site, ada, envelope)).toEqual(await digestsOf(LARGE));
  clearProblems(visitor);
}, 120_000);

test("a link that is opened again after its tab was closed shows the progress and continues from there", async () => {
  const envelope = await ada.requestDocuments([CONTRACT, LETTER]);
  const { visitor: first } = await beginUpload(envelope, 60);
  await choose(first.page, "Cover letter", docxFile());
  await uploaded(first.page, "Cover letter").waitFor();
  // Otherwise the browser still sends the bytes that it has read.
  proxy.cut();
  await first.page.close();
  clearProblems(first);
  proxy.restore();

  const visitor = await openLink(site, envelope, { ...PHONE, ...BROKEN });
  const { page } = visitor;
  await enterInformation(page);
  await uploaded(page, "Cover letter").waitFor();
  const card = cardOf(page, "Signed contract");
  await card.getByText(/^[\d.]+ of 4 MB: choose the file again to continue$/).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Next" }).click();
  await card.getByText("“large.pdf” is not fully uploaded.").waitFor();

  const resumed = page.waitForRequest((request) => request.method() === "PATCH");
  await chooseLarge(page);
  expect(Number((await resumed).headers()["upload-offset"])).toBeGreaterThan(0);
  await uploaded(page, "Signed contract").waitFor();
  await submitAll(page);
  expect(await received(site, ada, envelope)).toEqual(await digestsOf(LARGE, docxFile()));
}, 120_000);

test("another file of the same name and size is uploaded from the beginning", async () => {
  const envelope = await ada.requestDocuments([CONTRACT]);
  const { visitor: first } = await beginUpload(envelope, 40);
  proxy.cut();
  await first.page.close();
  clearProblems(first);
  proxy.restore();

  const { page } = await openLink(site, envelope, BROKEN);
  await enterInformation(page);
  await page.getByText(/choose the file again to continue$/).waitFor();
  const bytes = await LARGE.bytes();
  bytes[bytes.length - 1] = 7;
  const other = new File([bytes], LARGE.name, { type: LARGE.type });
  await choose(page, "Signed contract", other);
  await uploaded(page, "Signed contract").waitFor();
  await submitAll(page);
  expect(await received(site, ada, envelope)).toEqual(await digestsOf(other));
}, 120_000);

/** Delivers the next creation of an upload to the server, and loses its response. */
async function loseNextCreation(page: Page): Promise<void> {
  await page.route(
    "**/uploads",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
}

test("an upload whose creation lost its response is continued instead of begun twice", async () => {
  const envelope = await ada.requestDocuments([CONTRACT]);
  const visitor = await openLink(site, envelope, BROKEN);
  const { page } = visitor;
  await enterInformation(page);
  await loseNextCreation(page);
  await choose(page, "Signed contract", LARGE);
  await uploaded(page, "Signed contract").waitFor();
  await submitAll(page);
  expect(await received(site, ada, envelope)).toEqual(await digestsOf(LARGE));
  clearProblems(visitor);
}, 120_000);

test("removing a file whose creation lost its response ends when the link is closed", async () => {
  const envelope = await ada.requestDocuments([LETTER]);
  const visitor = await openLink(site, envelope, { statuses: [410, 503] });
  const { page } = visitor;
  await enterInformation(page);
  await loseNextCreation(page);
  // The page reads the envelope to find the upload.
  let failure = { status: 503, json: { message: "Unavailable", code: "unavailable" } };
  await page.route("**/api/submissions/*", (route) => route.fulfill(failure));
  await choose(page, "Cover letter", docxFile());
  await cardOf(page, "Cover letter").getByText("Waiting for the connection").waitFor();
  await page.getByRole("button", { name: "Remove file for Cover letter" }).click();
  failure = { status: 410, json: { message: "This submission has expired", code: "completed" } };
  // As when the page becomes visible again, which waits for removals.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.getByRole("heading", { name: "Submission Expired" }).waitFor();
  clearProblems(visitor);
}, 120_000);
