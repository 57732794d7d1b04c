import { expect, test } from "bun:test";
import { PHONE, violations, waitForFocus } from "../support/browser";
import { docxFile, jpegFile, largePdfFile, pdfFile } from "../support/files";
import { setUpRequestor } from "../support/site-set-up";
import {
  CONTRACT,
  cardOf,
  choose,
  digestsOf,
  enterInformation,
  LETTER,
  limitUploads,
  openLink,
  PASSPORT,
  received,
  submitAll,
  uploaded,
} from "../support/submit-page";

const MIB = 1024 * 1024;
const LARGE = largePdfFile(4 * MIB);
/** Bytes per second. */
const SLOW = 50 * 1024;

const { site, requestor: ada } = setUpRequestor("ada@example.com");

test("an upload shows its progress, leaving asks first, and submitting waits for it", async () => {
  const envelope = await ada.requestDocuments([CONTRACT, LETTER]);
  // Without motion, because axe waits for the spinner's animation.
  const { page } = await openLink(site, envelope, { reducedMotion: "reduce" });
  const limit = await limitUploads(page);
  await enterInformation(page);
  await limit(SLOW);
  await choose(page, "Signed contract", LARGE);
  await page.getByRole("status").getByText("large.pdf is being uploaded.").waitFor({ state: "attached" });
  await cardOf(page, "Signed contract")
    .getByText(/^Uploading \d+ %$/)
    .waitFor();
  const bar = page.getByRole("progressbar", { name: "Upload progress of large.pdf" });
  expect(await bar.getAttribute("max")).toBe("100");
  expect(await violations(page)).toEqual([]);

  const dialogOpened = page.waitForEvent("dialog");
  // Resolves only once the question is answered.
  const left = page.reload().catch(() => undefined);
  const dialog = await dialogOpened;
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
  expect(await received(site, ada, envelope)).toEqual(await digestsOf(LARGE));
}, 120_000);

test("two devices on one link show the same list, and a file that one removed is not submitted by the other", async () => {
  const envelope = await ada.requestDocuments([LETTER, PASSPORT]);
  const laptop = await openLink(site, envelope);
  const phone = await openLink(site, envelope, { ...PHONE, statuses: [409] });
  for (const { page } of [laptop, phone]) await enterInformation(page);
  await choose(laptop.page, "Cover letter", docxFile());
  await uploaded(laptop.page, "Cover letter").waitFor();
  // The phone does not show it yet.
  await choose(phone.page, "Cover letter", docxFile("other.docx"));
  await phone.page.getByText("There is already a file for “Cover letter”.").waitFor();
  await uploaded(phone.page, "Cover letter").waitFor();
  await choose(phone.page, "Passport", jpegFile("passport.jpg"));
  await uploaded(phone.page, "Passport").waitFor();
  await phone.page.getByRole("button", { name: "Remove file for Cover letter" }).click();
  await cardOf(phone.page, "Cover letter").getByText("Choose a file").waitFor();

  await laptop.page.getByRole("button", { name: "Next" }).click();
  await laptop.page.getByText("Required Fields", { exact: true }).waitFor();
  await laptop.page.reload();
  await uploaded(laptop.page, "Passport").waitFor();
  expect(await uploaded(laptop.page, "Cover letter").count()).toBe(0);
  await submitAll(laptop.page);
  expect(await received(site, ada, envelope)).toEqual(await digestsOf(jpegFile("passport.jpg")));
}, 120_000);

test("a list that another device changed is shown again before it is submitted", async () => {
  const envelope = await ada.requestDocuments([LETTER]);
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
  expect((await ada.readEnvelope(envelope.id)).status).toBe("pending");
}, 120_000);

test("a document with several files shows each on its own line", async () => {
  const envelope = await ada.requestDocuments([{ name: "Payslips", required: true, multiple: true }]);
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
  await submitAll(page);
  const remaining = files.filter(({ name }) => name !== "february.pdf");
  expect(await received(site, ada, envelope)).toEqual(await digestsOf(...remaining));
}, 120_000);

test("an optional document is skipped with a reason, and a note goes to the requestor", async () => {
  const envelope = await ada.requestDocuments([LETTER, PASSPORT]);
  const { page } = await openLink(site, envelope);
  await enterInformation(page);
  await choose(page, "Passport", jpegFile());
  expect(await cardOf(page, "Passport").getByRole("checkbox").count()).toBe(0);
  await page.getByRole("checkbox", { name: "I don't have this: Cover letter" }).press("Space");
  await page.getByLabel("Reason (optional)").fill("It was never written.");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("I don't have this: It was never written.").waitFor();
  await page.getByText("No file selected", { exact: true }).waitFor();
  await page.getByLabel("Note to Ada Lovelace").fill("See you on Friday.");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();
  const { note, documents } = await ada.readEnvelope(envelope.id);
  expect(note).toBe("See you on Friday.");
  expect(documents[0]).toMatchObject({ state: "skipped", reason: "It was never written." });
}, 120_000);

test("a phone offers its camera beside the files, with the same input, and a desktop does not", async () => {
  const envelope = await ada.requestDocuments([PASSPORT, CONTRACT]);
  const { page: desktop } = await openLink(site, envelope);
  await enterInformation(desktop);
  await desktop.getByText("or drop it here").first().waitFor();
  expect(await desktop.getByRole("button", { name: /^Take photo/ }).count()).toBe(0);

  const { page } = await openLink(site, envelope, PHONE);
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
