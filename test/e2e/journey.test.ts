import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { startWorkerSite } from "../support/browser/worker-site";
import { docxFile, jpegFile, pdfFile, sha256 } from "../support/files/files";

const ASKED = [
  { name: "Passport", types: "pdf", file: pdfFile("passport – Ada.pdf", "Passport") },
  { name: "Proof of address", types: "docx", file: docxFile("address.docx") },
  { name: "Photo", types: "jpg", file: jpegFile("me.jpg") },
];

const site = setUpTestSite(startWorkerSite);

test("documents are requested, submitted and downloaded byte for byte from a Worker", async () => {
  const { page: requestor, email } = await site.signUp("requestor@example.com");
  await writeEnvelope(requestor);
  await requestor.getByText("Envelope created", { exact: true }).waitFor();
  await requestor.getByRole("link", { name: "Papers for your account" }).click();
  const details = requestor.getByRole("dialog", { name: "Document Request for Ada Lovelace" });
  const link = await details.locator("code").textContent();
  expect(link).toStartWith(`${site.url}/submit/`);

  const { page: recipient } = await site.visit(new URL(link ?? "").pathname);
  await submitFiles(recipient, email);
  await recipient.getByText("Submission Complete", { exact: true }).waitFor();
  await recipient
    .getByText("Thank you! Your documents have been successfully submitted.", { exact: true })
    .waitFor();

  await requestor.reload();
  await details.getByRole("heading", { name: "Submitted Documents" }).waitFor();
  expect(await details.getByRole("heading", { name: "Submission Link" }).count()).toBe(0);
  expect(await violations(requestor)).toEqual([]);
  for (const { name, file } of ASKED) {
    const started = requestor.waitForEvent("download");
    await details.getByRole("button", { name: `Download ${name}` }).click();
    const download = await started;
    expect(download.suggestedFilename()).toBe(file.name);
    const received = await Bun.file(await download.path()).bytes();
    expect(await sha256(received)).toBe(await sha256(file));
  }

  await details.getByRole("button", { name: "View Photo" }).click();
  const fileDetails = requestor.getByRole("dialog", { name: "Document Details" });
  for (const label of ["Original Name", "Document Type", "MIME Type", "Size", "Uploaded", "Completed"])
    await fileDetails.getByText(label, { exact: true }).waitFor();
  await fileDetails.getByText("image/jpeg", { exact: true }).waitFor();
  await requestor.waitForFunction(() => [...document.images].some(({ naturalWidth }) => naturalWidth > 0));
  expect(await violations(requestor)).toEqual([]);
  await requestor.reload();
  await fileDetails.getByRole("button", { name: "Close" }).first().waitFor();
  await fileDetails.getByText("image/jpeg", { exact: true }).click();
  await requestor.goBack();
  await fileDetails.waitFor({ state: "detached" });
  await details.waitFor();

  const late = await site.visit(new URL(link ?? "").pathname, { statuses: [410] });
  await late.page.getByText("Submission Expired", { exact: true }).waitFor();
}, 120_000);

async function writeEnvelope(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New Envelope" }).click();
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  const next = wizard.getByRole("button", { name: "Next" });
  await wizard.getByLabel("Recipient Name").fill("Ada Lovelace");
  await wizard.getByLabel("Recipient Email").fill("ada@example.com");
  await next.click();
  await wizard.getByLabel("Subject").fill("Papers for your account");
  await wizard.getByLabel("Message").fill("Please send these by Friday.");
  await next.click();
  for (const [index, { name, types }] of ASKED.entries()) {
    if (index > 0) await wizard.getByRole("button", { name: "Add Document" }).click();
    await wizard.getByLabel("Document Name").nth(index).fill(name);
    await wizard.getByRole("button", { name: "Change", exact: true }).click();
    await wizard.getByLabel("Allowed file types").nth(index).fill(types);
    await page.keyboard.press("Enter");
    await wizard.getByRole("switch", { name: "Required" }).nth(index).click();
  }
  await next.click();
  await wizard.getByRole("button", { name: "Create Envelope" }).click();
}

async function submitFiles(page: Page, email: string): Promise<void> {
  const next = page.getByRole("button", { name: "Next" });
  await page.getByText(email).first().waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
  await page.getByLabel("Email", { exact: true }).fill("ada@example.com");
  await next.click();
  await page.getByRole("heading", { name: "Upload Documents" }).waitFor();
  const pickers = page.locator('input[type="file"]');
  for (const [index, { file }] of ASKED.entries()) {
    const buffer = Buffer.from(await file.arrayBuffer());
    await pickers.nth(index).setInputFiles({ name: file.name, mimeType: file.type, buffer });
    await page.getByText(file.name, { exact: true }).first().waitFor();
  }
  await next.click();
  await page.getByRole("heading", { name: "Review & Submit" }).waitFor();
  // The page ignores the second click of a double click on "Next".
  await page.waitForTimeout(600);
  await page.getByRole("button", { name: "Submit Documents" }).click();
}
