import { expect, test } from "bun:test";
import { PHONE, violations, waitForFocus } from "../support/browser/browser";
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
  PASSPORT,
  received,
  submitAll,
  uploaded,
} from "../support/browser/submit-page";
import { docxFile, jpegFile, largePdfFile, pdfFile } from "../support/files/files";

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
  // Resolves only once the dialog is closed.
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
  const removal = phone.page.waitForResponse((response) => response.request().method() === "DELETE");
  await phone.page.getByRole("button", { name: "Remove file for Cover letter" }).click();
  // The page shows it before the server has removed the file.
  await removal;
  await laptop.page.getByRole("button", { name: "Submit Documents" }).click();
  await laptop.page.getByText("The request was changed in the meantime.").waitFor();
  await laptop.page.getByText("Not Uploaded", { exact: true }).waitFor();
  expect((await ada.readEnvelope(envelope.id)).status).toBe("pending");
}, 120_000);

test("a file that waits for its turn is removed, and the others are uploaded", async () => {
  const document = { name: "Photos", required: true, multiple: true, allowedFileTypes: ["pdf"] };
  const { page } = await openLink(site, await ada.requestDocuments([document]));
  const limit = await limitUploads(page);
  await enterInformation(page);
  await limit(SLOW);
  const buffer = Buffer.from(await largePdfFile(200 * 1024).arrayBuffer());
  const files = Array.from({ length: 9 }, (_, index) => ({
    ...{ name: `page-${index + 1}.pdf`, mimeType: "application/pdf", buffer },
  }));
  await page.getByLabel("Photos", { exact: true }).setInputFiles(files);
  await page.getByRole("button", { name: "Remove page-9.pdf from Photos" }).click();
  await limit();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByRole("heading", { name: "Submission Complete" }).waitFor();
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

test("a recipient without a required document writes to the requestor, and sees the message after a reload", async () => {
  const envelope = await ada.requestDocuments([PASSPORT]);
  const { page } = await openLink(site, envelope);
  await enterInformation(page);
  await page
    .getByRole("button", {
      name: "If you don't have this document, please ask Ada Lovelace.",
      description: PASSPORT.name,
    })
    .click();
  const field = page.getByRole("textbox", { name: "Message to Ada Lovelace" });
  await page.waitForFunction((element) => document.activeElement === element, await field.elementHandle());
  await page.getByRole("button", { name: "Send message" }).press("Enter");
  await page.getByText("Please write a message.").waitFor();
  await field.fill("I lost my passport.");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Send message" }).press("Enter");
  await page.getByText("Your message was sent.").waitFor();
  await page.reload();
  await page
    .getByRole("list", { name: "Your messages to Ada Lovelace" })
    .getByText("I lost my passport.")
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await ada.page.goto(`${site.url}/?envelope=${envelope.id}`);
  await ada.page.getByRole("dialog").getByText("I lost my passport.").waitFor();
  await choose(page, "Passport", jpegFile());
  await submitAll(page);
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.endsWith("messages"))),
  ).toEqual([]);
}, 120_000);

test("a document is skipped with a reason, and a note goes to the requestor", async () => {
  const deed = { name: "Deed", required: true, reasonAllowed: true };
  const envelope = await ada.requestDocuments([LETTER, PASSPORT, deed]);
  const { page } = await openLink(site, envelope);
  await enterInformation(page);
  await choose(page, "Passport", jpegFile());
  expect(await cardOf(page, "Passport").getByRole("checkbox").count()).toBe(0);
  await cardOf(page, "Passport").getByRole("button", { name: "Remove file for Passport" }).click();
  await choose(page, "Passport", jpegFile());
  await cardOf(page, "Cover letter").getByLabel("I don't have this").press("Space");
  await page.getByLabel("Reason (optional)").fill("It was never written.");
  await cardOf(page, "Deed").getByLabel("I don't have this").press("Space");
  await page.getByRole("button", { name: "Next" }).click();
  const reason = page.getByLabel("Reason", { exact: true });
  await page.getByText("Please give the reason why you don't have this document.").waitFor();
  await page.waitForFunction((element) => document.activeElement === element, await reason.elementHandle());
  expect(await violations(page)).toEqual([]);
  await reason.fill("It burnt.");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("I don't have this: It was never written.").waitFor();
  await page.getByText("No file selected", { exact: true }).first().waitFor();
  await page.getByLabel("Note to Ada Lovelace").fill("See you on Friday.");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();
  const { note, documents } = await ada.readEnvelope(envelope.id);
  expect(note).toBe("See you on Friday.");
  expect(documents[0]).toMatchObject({ state: "skipped", reason: "It was never written." });
  expect(documents[2]).toMatchObject({ state: "skipped", reason: "It burnt." });

  const data = { return: [{ documentId: documents[1]?.id, reason: "Too dark" }] };
  expect((await ada.page.request.post(`${site.url}/api/requests/${envelope.id}/review`, { data })).ok()).toBe(
    true,
  );
  await page.reload();
  await choose(page, "Passport", jpegFile());
  await uploaded(page, "Passport").waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Submit Documents" }).waitFor();
  expect(await page.getByText("You said you don't have this.").count()).toBe(2);
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
  await page.getByRole("button", { name: "Take photo" }).click();
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
