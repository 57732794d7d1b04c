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

const kept = (page: Page) => page.evaluate(() => ({ ...sessionStorage }));

/** Reloads, and answers the browser's question about files that are not sent. */
async function reload(page: Page): Promise<void> {
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
}

test("a reload keeps what was typed, and each link has its own", async () => {
  const ada = await openRequestor(site, "ada@example.com");
  const [one, other] = [await ada.ask([CONTRACT]), await ada.ask([LETTER])];
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

test("a reload keeps the step, and asks kindly for files that the browser let go of", async () => {
  const ada = await openRequestor(site, "mary@example.com");
  const envelope = await ada.ask([CONTRACT, LETTER]);
  const { page } = await openLink(site, envelope, PHONE);
  await enterInformation(page);
  const documents = page.getByRole("heading", { name: "Upload Documents" });
  const again = page.getByText(/your files need to be chosen again/);
  await page.reload();
  await documents.waitFor();
  await page.getByLabel("Signed contract", { exact: true }).waitFor();
  expect(await again.count()).toBe(0);

  await choose(page, "Signed contract", pdfFile());
  await choose(page, "Cover letter", docxFile());
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Review & Submit" }).waitFor();
  await reload(page);
  await documents.waitFor();
  await again.waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Previous" }).click();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Charles Babbage");
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("charles@example.com");
  await page.getByRole("button", { name: "Next" }).click();
  await choose(page, "Signed contract", pdfFile());
  await again.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("Charles Babbage", { exact: true }).waitFor();
  expect(Object.values(await kept(page))).toHaveLength(1);
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();
  await page.waitForFunction(() => sessionStorage.length === 0);
}, 120_000);
