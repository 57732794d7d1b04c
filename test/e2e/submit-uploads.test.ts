import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import {
  PHONE,
  startTestSite,
  type TestSite,
  type Visitor,
  violations,
  waitForFocus,
} from "../support/browser";
import { docxFile, jpegFile, largePdfFile, pdfFile, sha256 } from "../support/files";
import {
  CONTRACT,
  choose,
  enterInformation,
  LETTER,
  openLink,
  openRequestor,
  PASSPORT,
  type Requestor,
} from "../support/submit-page";

const MIB = 1024 * 1024;
const LARGE = largePdfFile(4 * MIB);
/** Bytes a second. */
const SLOW = 300 * 1024;

let site: TestSite;
let ada: Requestor;
beforeAll(async () => {
  site = await startTestSite();
  ada = await openRequestor(site, "ada@example.com");
}, 120_000);
afterAll(() => site.stop(), 120_000);

/** Limits what the page may send a second; undefined lifts the limit, 0 cuts the connection. */
async function network(page: Page) {
  const session = await page.context().newCDPSession(page);
  return (uploadBytes?: number) =>
    session.send("Network.emulateNetworkConditions", {
      offline: uploadBytes === 0,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: uploadBytes || -1,
    });
}

const card = (page: Page, name: string): Locator =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });

const uploaded = (page: Page, name: string) => card(page, name).getByText("Uploaded", { exact: true });

/** Waits until the page has sent at least this share of its first file. */
const sent = (page: Page, percent: number) =>
  page.waitForFunction((percent) => (document.querySelector("progress")?.value ?? 0) >= percent, percent);

/** What fails while the test has cut the connection is no problem of the page. */
function forgetCuts({ problems }: Visitor): void {
  const others = problems.filter((problem) => !/net::ERR_/.test(problem));
  problems.splice(0, problems.length, ...others);
}

async function submit(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();
}

/** What the requestor received, as name and digest. */
async function received({ id }: { id: number }): Promise<string[][]> {
  const { submissions } = await ada.look(id);
  const files = await Promise.all(
    submissions.map(async ({ fileName, url }) => {
      const stored = await ada.page.request.get(`${site.url}${url}`);
      return [fileName, await sha256(await stored.body())];
    }),
  );
  return files.toSorted();
}

const digestsOf = async (...files: File[]) =>
  (await Promise.all(files.map(async (file) => [file.name, await sha256(file)]))).toSorted();

test("an upload shows how far it is, leaving asks first, and submitting waits for it", async () => {
  const envelope = await ada.ask([CONTRACT, LETTER]);
  // Without motion, since the turning ring would keep the check for barriers waiting.
  const { page } = await openLink(site, envelope, { reducedMotion: "reduce" });
  const limit = await network(page);
  await enterInformation(page);
  await limit(SLOW / 6);
  await choose(page, "Signed contract", LARGE);
  await page.getByRole("status").getByText("large.pdf is being uploaded.").waitFor({ state: "attached" });
  await card(page, "Signed contract")
    .getByText(/^Uploading \d+ %$/)
    .waitFor();
  const bar = page.getByRole("progressbar", { name: "Upload progress of large.pdf" });
  expect(await bar.getAttribute("max")).toBe("100");
  expect(await violations(page)).toEqual([]);

  const asked = page.waitForEvent("dialog");
  // Resolves only once the question is answered.
  const left = page.reload().catch(() => undefined);
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await left;

  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("Uploading", { exact: true }).waitFor();
  expect(await page.getByText("Uploaded", { exact: true }).count()).toBe(0);
  const button = page.getByRole("button", { name: "Submit Documents" });
  await button.click();
  expect(await page.getByRole("button", { name: "Uploading..." }).isDisabled()).toBe(true);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Cancel" }).click();
  await button.click();
  await limit();
  await page.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();
  expect(await received(envelope)).toEqual(await digestsOf(LARGE));
}, 120_000);

test("a connection that is cut is waited for, and the upload goes on by itself", async () => {
  const envelope = await ada.ask([CONTRACT]);
  const visitor = await openLink(site, envelope);
  const { page } = visitor;
  visitor.expectStatus(423);
  const limit = await network(page);
  await enterInformation(page);
  await limit(SLOW);
  await choose(page, "Signed contract", LARGE);
  await sent(page, 25);
  await limit(0);
  await card(page, "Signed contract").getByText("Waiting for the connection").waitFor();
  await page.getByText("You are offline. Uploads continue by themselves").waitFor();
  expect(await violations(page)).toEqual([]);
  await limit();
  await uploaded(page, "Signed contract").waitFor();
  await page.getByRole("status").getByText("large.pdf was uploaded.").waitFor({ state: "attached" });
  await submit(page);
  expect(await received(envelope)).toEqual(await digestsOf(LARGE));
  forgetCuts(visitor);
}, 120_000);

test("two devices on one link show the same list, and what one removed the other does not submit", async () => {
  const envelope = await ada.ask([LETTER, PASSPORT]);
  const laptop = await openLink(site, envelope);
  const phone = await openLink(site, envelope, { ...PHONE, statuses: [409] });
  for (const { page } of [laptop, phone]) await enterInformation(page);
  await choose(laptop.page, "Cover letter", docxFile());
  await uploaded(laptop.page, "Cover letter").waitFor();
  // The phone does not know of it yet.
  await choose(phone.page, "Cover letter", docxFile("other.docx"));
  await phone.page.getByText("There is already a file for “Cover letter”.").waitFor();
  await uploaded(phone.page, "Cover letter").waitFor();
  await choose(phone.page, "Passport", jpegFile("passport.jpg"));
  await uploaded(phone.page, "Passport").waitFor();
  await phone.page.getByRole("button", { name: "Remove file for Cover letter" }).click();
  await card(phone.page, "Cover letter").getByText("Choose a file").waitFor();

  await laptop.page.getByRole("button", { name: "Next" }).click();
  await laptop.page.getByText("Required Fields", { exact: true }).waitFor();
  await laptop.page.reload();
  await uploaded(laptop.page, "Passport").waitFor();
  expect(await uploaded(laptop.page, "Cover letter").count()).toBe(0);
  await submit(laptop.page);
  expect(await received(envelope)).toEqual(await digestsOf(jpegFile("passport.jpg")));
}, 120_000);

test("a list that another device changed is shown again before it is submitted", async () => {
  const envelope = await ada.ask([LETTER]);
  const laptop = await openLink(site, envelope);
  await enterInformation(laptop.page);
  await choose(laptop.page, "Cover letter", docxFile());
  await uploaded(laptop.page, "Cover letter").waitFor();
  await laptop.page.getByRole("button", { name: "Next" }).click();
  const phone = await openLink(site, envelope, PHONE);
  await enterInformation(phone.page);
  await phone.page.getByRole("button", { name: "Remove file for Cover letter" }).click();
  await phone.page.getByText("Choose a file").waitFor();
  await laptop.page.getByRole("button", { name: "Submit Documents" }).click();
  await laptop.page.getByText("The request was changed in the meantime.").waitFor();
  await laptop.page.getByText("Not Uploaded", { exact: true }).waitFor();
  expect((await ada.look(envelope.id)).status).toBe("pending");
}, 120_000);

test("several files answer one document, each on a line of its own", async () => {
  const envelope = await ada.ask([{ name: "Payslips", required: true, multiple: true }]);
  const { page } = await openLink(site, envelope);
  await enterInformation(page);
  const files = ["january", "february", "march"].map((name) => pdfFile(`${name}.pdf`, name));
  const input = page.getByLabel("Payslips", { exact: true });
  expect(await input.getAttribute("multiple")).not.toBeNull();
  await input.setInputFiles(await Promise.all(files.map(asPayload)));
  await uploaded(page, "Payslips").nth(2).waitFor();
  await page.getByRole("button", { name: "Remove february.pdf from Payslips" }).click();
  await page.getByText("february.pdf", { exact: true }).waitFor({ state: "detached" });
  await waitForFocus(input);
  expect(await violations(page)).toEqual([]);
  await submit(page);
  const kept = files.filter(({ name }) => name !== "february.pdf");
  expect(await received(envelope)).toEqual(await digestsOf(...kept));
}, 120_000);

test("an optional document is skipped with a reason, and a note goes to the requestor", async () => {
  const envelope = await ada.ask([LETTER, PASSPORT]);
  const { page } = await openLink(site, envelope);
  await enterInformation(page);
  await choose(page, "Passport", jpegFile());
  expect(await card(page, "Passport").getByRole("checkbox").count()).toBe(0);
  await page.getByRole("checkbox", { name: "I don’t have this: Cover letter" }).press("Space");
  await page.getByLabel("Reason (optional)").fill("It was never written.");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("I don’t have this: It was never written.").waitFor();
  await page.getByText("No file selected", { exact: true }).waitFor();
  await page.getByLabel("Note to Ada Lovelace").fill("See you on Friday.");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();
  const { note, documents } = await ada.look(envelope.id);
  expect(note).toBe("See you on Friday.");
  expect(documents[0]).toMatchObject({ state: "skipped", reason: "It was never written." });
}, 120_000);

test("a phone offers its camera beside the files, with the same input", async () => {
  const { page } = await openLink(site, await ada.ask([PASSPORT, CONTRACT]), PHONE);
  await enterInformation(page);
  await page.getByText("Choose a file").first().waitFor();
  expect(await page.getByRole("button", { name: /^Take photo/ }).count()).toBe(1);
  const opened = page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<(string | null)[]>();
    HTMLInputElement.prototype.click = function () {
      resolve([this.getAttribute("capture"), this.accept]);
    };
    return promise;
  });
  await page.getByRole("button", { name: "Take photo for Passport" }).click();
  expect(await opened).toEqual(["environment", "image/jpeg,image/png"]);
  const input = page.getByLabel("Passport", { exact: true });
  expect(await input.getAttribute("capture")).toBeNull();
  expect(await input.getAttribute("accept")).toStartWith(".pdf,");
}, 120_000);

const asPayload = async (file: File) => ({
  name: file.name,
  mimeType: file.type,
  buffer: Buffer.from(await file.arrayBuffer()),
});
