import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { PHONE, violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import {
  CONTRACT,
  choose,
  enterInformation,
  LETTER,
  openLink,
  openRequestor,
  PASSPORT,
} from "../support/browser/submit-page";
import { docxFile, pdfFile } from "../support/files/files";

const site = setUpTestSite();

const savedLinks = (page: Page) =>
  page.evaluate(() =>
    Object.entries(localStorage).flatMap(([key, value]) => (key.startsWith("submit ") ? [value] : [])),
  );

test("a reload keeps the input of each link", async () => {
  const ada = await openRequestor(site, "ada@example.com");
  const [one, other] = [await ada.requestDocuments([CONTRACT]), await ada.requestDocuments([LETTER])];
  const { page } = await openLink(site, one);
  await page.getByRole("button", { name: "Next" }).waitFor();
  await page.getByLabel("Theme").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Charles");
  await page.reload();
  await page.waitForFunction(() => document.querySelector("input")?.value === "Charles");
  await page.waitForFunction(() => document.querySelectorAll("input")[1]?.value === "charles@example.com");

  await page.goto(`${site.url}/submit/${other.submissionToken}`);
  await page.waitForFunction(() => document.querySelector("input")?.value === "Charles Babbage");
}, 120_000);

test("a reload keeps the step, and the files that were uploaded with previews of pictures", async () => {
  const ada = await openRequestor(site, "mary@example.com");
  const photo = await ada.page.screenshot({ type: "jpeg" });
  const envelope = await ada.requestDocuments([CONTRACT, LETTER, PASSPORT]);
  const { page } = await openLink(site, envelope, PHONE);
  await enterInformation(page);
  const documents = page.getByRole("heading", { name: "Upload Documents" });
  await page.reload();
  await documents.waitFor();
  await choose(page, "Signed contract", pdfFile());
  await choose(page, "Cover letter", docxFile());
  await choose(page, "Passport", new File([new Uint8Array(photo)], "me.jpg", { type: "image/jpeg" }));
  await page.getByText("Uploaded", { exact: true }).nth(2).waitFor();
  const preview = page.getByRole("listitem").filter({ hasText: "me.jpg" }).locator("img");
  await preview.first().waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Review & Submit" }).waitFor();
  // No question: everything is on the server.
  await page.reload();
  await page.getByRole("heading", { name: "Review & Submit" }).waitFor();
  for (const { name } of [pdfFile(), docxFile()]) await page.getByText(name, { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await preview.first().getAttribute("src")).toStartWith("data:image/jpeg;base64,");
  expect((await preview.first().getAttribute("src"))?.length).toBeLessThan(8000);
  await page.getByRole("button", { name: "Previous" }).click();
  await page.getByText("Uploaded", { exact: true }).nth(2).waitFor();
  await page.getByRole("button", { name: "Previous" }).click();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Charles Babbage");
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("charles@example.com");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("Charles Babbage", { exact: true }).waitFor();
  expect(await savedLinks(page)).toHaveLength(2);
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();
  const [saved = "", ...others] = await savedLinks(page);
  expect(others).toEqual([]);
  expect(JSON.parse(saved)).toMatchObject({
    progress: { typed: { information: { name: "Charles Babbage" }, note: "", skipped: [] } },
    receipt: { files: [{ fileName: "contract.pdf" }, { fileName: "letter.docx" }, { fileName: "me.jpg" }] },
  });
}, 120_000);

test("who closes the tab comes back to where they were, and another device shows what is there", async () => {
  const ada = await openRequestor(site, "edith@example.com");
  const envelope = await ada.requestDocuments([CONTRACT, LETTER]);
  const { page } = await openLink(site, envelope);
  await enterInformation(page);
  await choose(page, "Signed contract", pdfFile());
  await page.getByText("Uploaded", { exact: true }).waitFor();
  const back = await page.context().newPage();
  await page.close();
  await back.goto(`${site.url}/submit/${envelope.submissionToken}`);
  await back.getByRole("heading", { name: "Upload Documents" }).waitFor();
  await back.getByRole("button", { name: "Previous" }).click();
  expect(await back.getByLabel("Name", { exact: true }).inputValue()).toBe("Charles Babbage");
  await back.getByText("Already here: 1 of 2").waitFor();
  const { page: other } = await openLink(site, envelope, PHONE);
  await other.getByText("Already here: 1 of 2").waitFor();
  await other.getByRole("heading", { name: "Your Information" }).waitFor();
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
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "I have none.");
}, 120_000);

test("what is typed before the script or the request arrives is neither lost nor doubled", async () => {
  const ada = await openRequestor(site, "ada.slow@example.com");
  const { submissionToken } = await ada.requestDocuments([CONTRACT]);
  const { page } = await site.visit("/robots.txt", PHONE);
  const held = {
    "**/assets/*.js": Promise.withResolvers<void>(),
    "**/api/submissions/*": Promise.withResolvers<void>(),
  };
  for (const [path, { promise }] of Object.entries(held))
    await page.route(path, async (route) => {
      await promise;
      await route.continue();
    });
  const name = page.getByLabel("Name", { exact: true });
  const email = page.getByLabel("Email", { exact: true });
  await page.goto(`${site.url}/submit/${submissionToken}`, { waitUntil: "commit" });
  await name.tap();
  await page.keyboard.type("Carl");
  held["**/assets/*.js"].resolve();
  await page.getByLabel("Theme").waitFor();
  // An empty field, which the request fills before the first key.
  await email.tap();
  held["**/api/submissions/*"].resolve();
  await page.waitForFunction(() => document.querySelectorAll("input")[1]?.value === "charles@example.com");
  expect(await name.inputValue()).toBe("Carl");
  await page.waitForFunction(() =>
    Object.values(localStorage).some((saved) => saved.includes('"information":{"name":"Carl",')),
  );
  await page.keyboard.type("carl@example.com");
  expect(await email.inputValue()).toBe("carl@example.com");
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll("input")[1]?.value === "carl@example.com");
  expect(await name.inputValue()).toBe("Carl");
}, 120_000);
