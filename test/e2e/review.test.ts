import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { DAY_MS } from "../../worker/lib/durations";
import { form } from "../support/api/envelopes";
import { startBunSite, violations, waitForFocus } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { CONTRACT, LETTER, openRequestor, PASSPORT, type Requestor } from "../support/browser/submit-page";
import { pdfFile } from "../support/files/files";
import { waitFor } from "../support/wait";

/** The offset of the server's clock. */
let ahead = 0;
const clock = { now: () => new Date(Date.now() + ahead) };
const site = setUpTestSite(() => startBunSite({ clock }));

const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

async function submitFiles({ submissionToken }: { submissionToken: string }, files: Record<string, File>) {
  const response = await fetch(`${site.url}/api/submissions/${submissionToken}`, {
    method: "POST",
    body: form(files),
  });
  expect(response.status, await response.text()).toBe(201);
}

/** A submitted envelope, and its details in the requestor's browser. */
async function openSubmitted(ada: Requestor, more: Record<string, unknown> = {}) {
  const envelope = await ada.requestDocuments([PASSPORT, CONTRACT, LETTER], more);
  await submitFiles(envelope, {
    Passport: pdfFile("passport.pdf"),
    "Signed contract": pdfFile("contract.pdf"),
  });
  return { envelope, ...(await openDetails(ada.page, envelope.id)) };
}

async function openDetails(page: Page, id: number) {
  await page.goto(`${site.url}/?envelope=${id}`);
  const details = page.getByRole("dialog", { name: "Document Request for Charles Babbage" });
  await details.getByRole("heading", { name: "Submitted Documents" }).waitFor();
  const button = (name: string | RegExp) => details.getByRole("button", { name, exact: true });
  return { details, button };
}

const reasonDialog = (page: Page, name: string) =>
  page.getByRole("dialog", { name: `Ask again for ${name}` });
const states = async (ada: Requestor, id: number) =>
  (await ada.readEnvelope(id)).documents.map(({ state }) => state).join(" ");

async function soon<Value>(read: () => Promise<Value>, wanted: Value): Promise<void> {
  await waitFor(String(wanted), async () => (await read()) === wanted);
}

test("documents are accepted, returned in one call, and submitted again", async () => {
  const ada = await openRequestor(site, "ada@example.com");
  const { page } = ada;
  const { envelope, details, button } = await openSubmitted(ada);
  expect(await details.getByText("Received", { exact: true }).count()).toBe(2);
  expect(await violations(page)).toEqual([]);

  await button("Accept Passport").click();
  await details.getByText("Accepted", { exact: true }).first().waitFor();
  await soon(() => states(ada, envelope.id), "accepted received open");

  await button("Ask again for Signed contract").click();
  const dialog = reasonDialog(page, "Signed contract");
  await waitForFocus(dialog.getByLabel("What needs to change?"));
  await page.keyboard.press("Enter");
  await dialog.getByText("A reason is required").waitFor();
  await dialog.getByRole("button", { name: "It is not readable." }).click();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await details.getByText("1 to ask for again").waitFor();
  await button("Ask again for Cover letter").click();
  await page.keyboard.type("We need it after all");
  await page.keyboard.press("Enter");
  await details.getByText("2 to ask for again").waitFor();
  expect(await states(ada, envelope.id)).toBe("accepted received open");
  expect(await violations(page)).toEqual([]);

  await page.reload();
  await details.getByText("2 to ask for again").waitFor();
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/review")) calls.push(request.postData() ?? "");
  });
  await button("Send").click();
  await page.getByText("The recipient will be notified.").first().waitFor();
  await soon(() => states(ada, envelope.id), "accepted returned returned");
  expect(calls).toHaveLength(1);
  await details.getByText("pending", { exact: true }).waitFor();
  await details.getByText("Signed contract: It is not readable.").waitFor();

  await button("Undo for Cover letter").click();
  await soon(() => states(ada, envelope.id), "accepted returned open");
  await details.getByText("Decision undone", { exact: true }).waitFor();
  await button("Undo for Passport").click();
  await soon(() => states(ada, envelope.id), "received returned open");
  await button("Ask again for Passport").waitFor();
  await button("Accept Passport").click();
  await soon(() => states(ada, envelope.id), "accepted returned open");
  await submitFiles(envelope, { "Signed contract": pdfFile("better.pdf") });
  await page.reload();
  await details.getByText("better.pdf").waitFor();
  await details.getByText("Submitted again", { exact: true }).waitFor();
  await details.getByText("Previous reason: It is not readable.").waitFor();
  expect(await details.getByText("contract.pdf").isVisible()).toBe(false);
  await details.getByText("1 earlier file").click();
  await details.getByText("contract.pdf").waitFor();
  expect(await violations(page)).toEqual([]);
  await button("Undo for Passport").click();
  await soon(() => states(ada, envelope.id), "received received open");
  await button("Accept all").click();
  await page.getByText("2 accepted").first().waitFor();
  await soon(() => states(ada, envelope.id), "accepted accepted open");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await soon(() => states(ada, envelope.id), "received received open");
}, 120_000);

test("of a long list, details fold what was accepted before, and the end of what is open", async () => {
  const ada = await openRequestor(site, "long-list@example.com");
  const names = Array.from({ length: 12 }, (_, index) => `Document ${index + 1}`);
  const envelope = await ada.requestDocuments(names.map((name) => ({ name, required: false })));
  await ada.page.goto(`${site.url}/?envelope=${envelope.id}`);
  const waiting = ada.page.getByRole("dialog", { name: "Document Request for Charles Babbage" });
  await waiting.getByText("Document 8", { exact: true }).waitFor();
  expect(await waiting.getByText("Document 9", { exact: true }).isVisible()).toBe(false);
  await waiting.getByText("Show 4 more").click();
  await waiting.getByText("Document 12", { exact: true }).waitFor();

  await submitFiles(envelope, Object.fromEntries(names.map((name) => [name, pdfFile(`${name}.pdf`)])));
  const { details, button } = await openDetails(ada.page, envelope.id);
  await button("Accept Document 3").click();
  await button("Undo for Document 3").waitFor();
  await soon(async () => (await states(ada, envelope.id)).split(" ")[2], "accepted");
  expect(await details.getByText("Document 3.pdf").isVisible()).toBe(true);
  await ada.page.reload();
  await button("Accept Document 4").waitFor();
  expect(await details.getByText("Document 3.pdf").isVisible()).toBe(false);
  await details.getByText("1 accepted", { exact: true }).click();
  await button("Undo for Document 3").waitFor();
  expect(await violations(ada.page)).toEqual([]);
}, 120_000);

test("an expired link is reopened with a new date; the input stays if the server fails", async () => {
  const ada = await openRequestor(site, "grace@example.com", { statuses: [500] });
  const { page } = ada;
  ahead = -9 * DAY_MS;
  const envelope = await ada.requestDocuments([PASSPORT], { expirationDate: dayFromNow(-5) });
  await submitFiles(envelope, { Passport: pdfFile() });
  ahead = 0;
  const { details, button } = await openDetails(page, envelope.id);
  await button("Ask again for Passport").click();
  const dialog = reasonDialog(page, "Passport");
  expect(await dialog.getByRole("button", { name: "Send now" }).count()).toBe(0);
  await page.keyboard.type("It is out of date");
  await page.keyboard.press("Enter");
  await button("Send").click();
  await details.getByText("Please choose a day").waitFor();
  const day = details.getByLabel("Link works until");
  await day.fill(dayFromNow(-1));
  await details.getByText("The date cannot be in the past").waitFor();
  expect(await violations(page)).toEqual([]);
  await day.fill(dayFromNow(20));
  await page.route("**/review", (route) => route.fulfill({ status: 500, json: {} }));
  await button("Send").click();
  await page.getByText("This could not be sent", { exact: true }).waitFor();
  expect(await day.inputValue()).toBe(dayFromNow(20));
  await details.getByText("Reason: It is out of date").waitFor();
  await page.unroute("**/review");
  await button("Send").click();
  await soon(() => states(ada, envelope.id), "returned");
  expect((await ada.readEnvelope(envelope.id)).expirationDate).toBe(dayFromNow(20));
}, 120_000);

test("one document is returned immediately; a date that only the server requires is requested", async () => {
  const ada = await openRequestor(site, "joan@example.com", { statuses: [400] });
  const { page } = ada;
  const { envelope, details, button } = await openSubmitted(ada, { expirationDate: dayFromNow(1) });
  ahead = 5 * DAY_MS;
  await button("Ask again for Passport").click();
  const dialog = reasonDialog(page, "Passport");
  await page.keyboard.type("Blurry");
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").getByRole("button", { name: "Keep editing" }).click();
  await dialog.getByRole("button", { name: "Send now" }).click();
  await dialog.getByRole("button", { name: "Send now" }).waitFor({ state: "detached" });
  ahead = 0;
  expect(await dialog.getByLabel("What needs to change?").inputValue()).toBe("Blurry");
  await page.keyboard.press("Escape");
  await details.getByLabel("Link works until").fill(dayFromNow(9));
  await button("Send").click();
  await soon(() => states(ada, envelope.id), "returned received open");
  await button("Undo for Passport").click();
  await soon(() => states(ada, envelope.id), "received received open");
  await button("Ask again for Passport").click();
  await page.keyboard.type("Cropped");
  await dialog.getByRole("button", { name: "Send now" }).click();
  await dialog.waitFor({ state: "detached" });
  await soon(() => states(ada, envelope.id), "returned received open");
}, 120_000);

test("the details show the note, upload progress, and the reason instead of a file, which is accepted", async () => {
  const ada = await openRequestor(site, "emmy@example.com");
  const { page } = ada;
  const envelope = await ada.requestDocuments([PASSPORT, { ...LETTER, required: true, reasonAllowed: true }]);
  const link = `${site.url}/api/submissions/${envelope.submissionToken}`;
  const [passport, letter] = envelope.documents;
  const bytes = await pdfFile().bytes();
  const response = await fetch(`${link}/uploads`, {
    method: "POST",
    headers: {
      "Tus-Resumable": "1.0.0",
      "Upload-Length": String(bytes.length),
      "Upload-Metadata": `document ${btoa(String(passport?.id))},filename ${btoa("passport.pdf")}`,
      "Content-Type": "application/offset+octet-stream",
    },
    body: bytes,
  });
  expect(response.status).toBe(201);
  await page.goto(`${site.url}/?envelope=${envelope.id}`);
  const details = page.getByRole("dialog");
  await details.getByText("uploading, 1 of 2").waitFor();
  await fetch(`${link}/submit`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      note: "Back on Monday",
      skipped: [{ documentId: letter?.id, reason: "Lost it" }],
    }),
  });
  await page.reload();
  await details.getByText("Back on Monday").waitFor();
  await details.getByText("Reason: Lost it").waitFor();
  await details.getByText("Not available", { exact: true }).waitFor();
  await details.getByRole("button", { name: "Accept Cover letter" }).click();
  await details.getByRole("button", { name: "Undo" }).waitFor();
  expect((await ada.readEnvelope(envelope.id)).review).toMatchObject({ toReview: 1, accepted: 1 });
  await details.getByText("Reason: Lost it").waitFor();
  const download = page.waitForEvent("download");
  // An archive of one file is not offered, so that this is the only download.
  await details.getByRole("button", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("passport.pdf");
  expect(await violations(page)).toEqual([]);
}, 120_000);

test("the details have one primary button in each state, and the first row's tooltip is not cut", async () => {
  const ada = await openRequestor(site, "primary@example.com");
  const { page } = ada;
  const pending = await ada.requestDocuments([CONTRACT]);
  const expiring = await ada.requestDocuments([CONTRACT], { expirationDate: dayFromNow(1) });
  const made = await page.request.post(`${site.url}/api/requests`, {
    data: { isDraft: true, recipientName: "Charles Babbage", subject: "Draft", documents: [CONTRACT] },
  });
  const { envelope: completed, details, button } = await openSubmitted(ada);
  const primary = async (id: number) => {
    await page.goto(`${site.url}/?envelope=${id}`);
    await details.getByRole("heading", { name: "Timeline" }).waitFor();
    return await shown();
  };
  const shown = () => details.locator("button.bg-accent").allTextContents();
  expect({
    draft: await primary((await made.json()).id),
    pending: await primary(pending.id),
    completed: await primary(completed.id),
  }).toEqual({ draft: ["Edit envelope"], pending: ["Copy Link"], completed: ["Review"] });
  await button("Ask again for Passport").click();
  await reasonDialog(page, "Passport").getByRole("textbox").fill("Blurry");
  await page.keyboard.press("Enter");
  await button("Send").waitFor();
  expect(await shown()).toEqual(["Send"]);
  await button("Send").click();
  await button("Copy Link").waitFor();
  expect(await shown()).toEqual(["Copy Link"]);
  await button("Ask again for Signed contract").click();
  await reasonDialog(page, "Signed contract").getByRole("textbox").fill("Blurry");
  await page.keyboard.press("Enter");
  await button("Discard").waitFor();
  expect(await shown()).toEqual(["Send"]);
  await button("Discard").click();
  await button("Discard").waitFor({ state: "detached" });
  await button("Set due date").click();
  await button("Save due date").waitFor();
  expect(await shown()).toEqual(["Copy Link"]);
  ahead = 3 * DAY_MS;
  try {
    expect(await primary(expiring.id)).toEqual(["Extend"]);
  } finally {
    ahead = 0;
  }

  await page.goto(`${site.url}/`);
  const bin = page.getByRole("button", { name: /^Delete / }).first();
  await bin.hover();
  const tip = await bin.evaluate((button) => {
    const style = getComputedStyle(button, "::after");
    const [left = 0, top = 0, width = 0, height = 0] = [style.left, style.top, style.width, style.height].map(
      Number.parseFloat,
    );
    const at = button.getBoundingClientRect();
    const [x, y] = [at.left + left - width / 2, at.top + top];
    const table = button.closest("table")?.tHead?.getBoundingClientRect();
    return {
      text: style.content,
      isWhole: y >= (table?.bottom ?? 0) && x >= 0 && x + width <= innerWidth && y + height <= innerHeight,
    };
  });
  expect(tip).toEqual({ text: '"Delete"', isWhole: true });
}, 120_000);
