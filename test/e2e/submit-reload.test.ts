import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { PHONE, startTestSite, type TestSite, violations } from "../support/browser";
import { docxFile, pdfFile } from "../support/files";
import { CONTRACT, choose, enterInformation, LETTER, openLink, openRequestor } from "../support/submit-page";

let site: TestSite;
beforeAll(async () => {
  site = await startTestSite();
}, 120_000);
afterAll(() => site.stop(), 120_000);

const stored = (page: Page) => page.evaluate(() => ({ ...sessionStorage }));

test("a reload keeps the input of each link", async () => {
  const ada = await openRequestor(site, "ada@example.com");
  const [one, other] = [await ada.requestDocuments([CONTRACT]), await ada.requestDocuments([LETTER])];
  const { page } = await openLink(site, one);
  await page.getByRole("button", { name: "Next" }).waitFor();
  await page.getByLabel("Theme").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Charles");
  await page.reload();
  await page.waitForFunction(() => document.querySelector("input")?.value === "Charles");
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("");

  await page.goto(`${site.url}/submit/${other.submissionToken}`);
  await page.getByLabel("Theme").waitFor();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("");
}, 120_000);

test("a reload keeps the step, and the files that were uploaded", async () => {
  const ada = await openRequestor(site, "mary@example.com");
  const envelope = await ada.requestDocuments([CONTRACT, LETTER]);
  const { page } = await openLink(site, envelope, PHONE);
  await enterInformation(page);
  const documents = page.getByRole("heading", { name: "Upload Documents" });
  await page.reload();
  await documents.waitFor();
  await choose(page, "Signed contract", pdfFile());
  await choose(page, "Cover letter", docxFile());
  await page.getByText("Uploaded", { exact: true }).nth(1).waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Review & Submit" }).waitFor();
  // No question: everything is on the server.
  await page.reload();
  await documents.waitFor();
  await page.getByText("Uploaded", { exact: true }).nth(1).waitFor();
  for (const { name } of [pdfFile(), docxFile()]) await page.getByText(name, { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Previous" }).click();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Charles Babbage");
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("charles@example.com");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("Charles Babbage", { exact: true }).waitFor();
  expect(Object.values(await stored(page))).toHaveLength(1);
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();
  await page.waitForFunction(() => sessionStorage.length === 0);
}, 120_000);

test("a note survives a reload, which asks first", async () => {
  const ada = await openRequestor(site, "grace@example.com");
  const { page } = await openLink(site, await ada.requestDocuments([LETTER]));
  await enterInformation(page);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Note to Ada Lovelace").fill("I have none.");
  const dialogOpened = page.waitForEvent("dialog");
  const reloaded = page.reload();
  const dialog = await dialogOpened;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.accept();
  await reloaded;
  await page.getByRole("button", { name: "Next" }).click();
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "I have none.");
}, 120_000);
