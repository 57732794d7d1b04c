import { expect, test } from "bun:test";
import { PHONE, violations } from "../support/browser/browser";
import { setUpRequestor } from "../support/browser/site-set-up";
import {
  CONTRACT,
  cardOf,
  choose,
  enterInformation,
  LETTER,
  openLink,
  PASSPORT,
  submitAll,
  uploaded,
} from "../support/browser/submit-page";
import { docxFile, jpegFile, pdfFile } from "../support/files/files";

const { site, requestor: ada } = setUpRequestor("ada@example.com");

test("a returned document shows its reason, accepts a file, and is submitted again; the others are locked", async () => {
  const envelope = await ada.requestDocuments([PASSPORT, CONTRACT, LETTER]);
  const { page } = await openLink(site, envelope, PHONE);
  await enterInformation(page);
  await choose(page, "Passport", jpegFile());
  await choose(page, "Signed contract", pdfFile("contract.pdf"));
  await choose(page, "Cover letter", docxFile());
  await submitAll(page);

  const { documents } = await ada.readEnvelope(envelope.id);
  const idOf = (name: string) => documents.find((document) => document.name === name)?.id;
  const reviewed = await ada.page.request.post(`${site.url}/api/requests/${envelope.id}/review`, {
    data: {
      accept: [idOf("Passport")],
      return: [{ documentId: idOf("Signed contract"), reason: "Page 2 is blurry" }],
    },
  });
  expect(reviewed.status()).toBe(200);

  const { page: other } = await openLink(site, envelope);
  await other.getByRole("heading", { name: "Needed again: 1" }).waitFor();
  await other.getByText("Signed contract: Page 2 is blurry").waitFor();
  await other.getByText("Documents requested: 1").waitFor();
  expect(await violations(other)).toEqual([]);

  // The same device does not ask for name and e-mail again.
  await page.reload();
  await page.getByRole("heading", { name: "Upload Documents" }).waitFor();
  await page.getByRole("heading", { name: "Needed again: 1" }).waitFor();
  await cardOf(page, "Signed contract")
    .getByText("Please send this document again: Page 2 is blurry", { exact: true })
    .waitFor();
  // What is left to do comes first.
  const listed = page.getByRole("listitem").getByRole("heading", { level: 3 });
  expect(await listed.allTextContents()).toEqual(["Signed contract", "Passport", "Cover letter"]);
  for (const name of ["Passport", "Cover letter"]) {
    await cardOf(page, name).getByText("Received", { exact: true }).waitFor();
    expect(await cardOf(page, name).locator("input, button").count()).toBe(0);
  }
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("Required Fields", { exact: true }).first().waitFor();
  await choose(page, "Signed contract", pdfFile("contract again.pdf"));
  await uploaded(page, "Signed contract").waitFor();
  await submitAll(page);
  await page.getByText("contract again.pdf", { exact: true }).waitFor();

  const after = await ada.readEnvelope(envelope.id);
  const states = Object.fromEntries(after.documents.map(({ name, state }) => [name, state]));
  expect([after.status, states]).toEqual([
    "completed",
    { Passport: "accepted", "Signed contract": "received", "Cover letter": "received" },
  ]);
  const current = after.submissions.filter(({ superseded }) => !superseded).map(({ fileName }) => fileName);
  expect(current.sort()).toEqual(["contract again.pdf", "letter.docx", "photo.jpg"]);
}, 120_000);
