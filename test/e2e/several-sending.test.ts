import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { form } from "../support/api/envelopes";
import { violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { pdfFile } from "../support/files/files";

const site = setUpTestSite();

const ENVELOPE = { subject: "Tax return 2025", documents: [{ name: "Payslips" }] };
const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    recipientName: `Person ${index}`,
    recipientEmail: `person${index}@example.com`,
  }));

async function sendMany(page: Page, recipients: object[]): Promise<number> {
  const data = { envelope: ENVELOPE, recipients };
  const response = await page.request.post(`${site.url}/api/requests/bulk`, { data });
  expect(response.status()).toBe(202);
  return (await response.json()).id;
}

const paste = async (page: Page, text: string) => {
  const form = page.getByRole("dialog", { name: "New envelope for several recipients" });
  await form.getByRole("button", { name: "Paste a list" }).click();
  await form.getByLabel("Cells from a spreadsheet").fill(text);
  await form.getByRole("button", { name: "Use these rows" }).click();
  return form;
};

test("a sending goes on after its page was closed, and home shows the group and filters by it", async () => {
  const { page } = await site.openAccount("closing@example.com");
  await page.goto(`${site.url}/?wizard=several`);
  const lines = people(60).map(({ recipientName, recipientEmail }) => `${recipientName}\t${recipientEmail}`);
  const form = await paste(page, `Name\tEmail\n${lines.join("\n")}`);
  await form.getByText("60 recipients", { exact: true }).waitFor();
  // What was typed survives a reload.
  await page.reload();
  await form.getByText("60 recipients", { exact: true }).waitFor();
  await form.getByText("What you had typed was restored.", { exact: true }).waitFor();
  const next = form.getByRole("button", { name: "Next", exact: true });
  await next.click();
  await form.getByLabel("Subject").fill("Tax return 2025");
  await next.click();
  await form.getByLabel("Document Name").fill("Payslips");
  await next.click();
  const accepted = page.waitForResponse(
    (response) => response.url().endsWith("/api/requests/bulk") && response.request().method() === "POST",
  );
  await form.getByRole("button", { name: "Send to 60 recipients" }).click();
  const response = await accepted;
  expect(response.request().headers()["idempotency-key"]).toBeTruthy();
  const context = page.context();
  await page.close();

  const later = await context.newPage();
  await later.request.post(`${site.url}/api/requests`, {
    data: { ...ENVELOPE, ...people(1)[0], subject: "Alone" },
  });
  await later.goto(site.url);
  await later.getByRole("button", { name: "Tax return 2025: 0 of 60 done" }).press("Enter");
  await later.locator("div:focus").getByRole("progressbar", { name: "Done" }).waitFor();
  await later.getByRole("tab", { name: "All 60" }).waitFor();
  expect(await later.getByText("Alone").count()).toBe(0);
  expect(await violations(later)).toEqual([]);
  await later.reload();
  await later.getByRole("tab", { name: "All 60" }).waitFor();
  await later.goBack();
  await later.getByRole("tab", { name: "All 61" }).waitFor();
  await later.goForward();
  await later.getByRole("button", { name: "Show all envelopes" }).press("Enter");
  await later.getByRole("tab", { name: "All 61" }).waitFor();
  await later.locator("div:focus").getByRole("button", { name: "Tax return 2025" }).waitFor();
}, 120_000);

test("the group counts what has just been accepted", async () => {
  const { page } = await site.openAccount("counting@example.com");
  const id = await sendMany(page, people(2));
  await page.goto(`${site.url}/?bulkId=${id}`);
  await page.getByRole("tab", { name: "All 2" }).waitFor();
  const [first] = await (await page.request.get(`${site.url}/api/requests?bulkId=${id}`)).json();
  const link = `${site.url}/api/submissions/${first.submissionToken}`;
  const body = form({ Payslips: pdfFile() });
  expect((await fetch(link, { method: "POST", body })).status).toBe(201);
  await page.goto(`${site.url}/?bulkId=${id}&tab=toReview`);
  await page.getByText("Tax return 2025: 0 of 2 done", { exact: true }).waitFor();
  // The group may be shown before the list, of which all would be nothing.
  await page.getByRole("link", { name: "Tax return 2025", exact: true }).waitFor();
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await page.getByRole("button", { name: "Accept 1", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Accept 1 file", exact: true }).click();
  await page.getByText("Tax return 2025: 1 of 2 done", { exact: true }).waitFor();
}, 120_000);

test("who was left out is named with the reason, and tried again with another address", async () => {
  const { page } = await site.openAccount("retry@example.com");
  const unwilling = { recipientName: "Person 1", recipientEmail: "unwilling@example.com" };
  await page.request.post(`${site.url}/api/requests`, { data: { ...ENVELOPE, ...unwilling } });
  const link = await site.mailedLink(unwilling.recipientEmail, "unsubscribe");
  const token = link.split("/").at(-1);
  expect((await page.request.post(`${site.url}/api/unsubscribe/${token}`)).ok()).toBe(true);
  const id = await sendMany(page, [...people(2), unwilling]);
  await page.goto(`${site.url}/?bulkId=${id}`);
  await page.getByText("1 recipient was left out", { exact: true }).waitFor();
  await page.getByText(/does not want emails from you/).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Try these again" }).click();
  const form = page.getByRole("dialog", { name: "New envelope for several recipients" });
  await form.getByText("1 recipient", { exact: true }).waitFor();
  await form.getByLabel("Email, row 1", { exact: true }).fill("other@example.com");
  const next = form.getByRole("button", { name: "Next", exact: true });
  await next.click();
  expect(await form.getByLabel("Subject").inputValue()).toBe("Tax return 2025");
  await next.click();
  await next.click();
  await form.getByRole("button", { name: "Send to 1 recipient" }).click();
  await page.getByText("Tax return 2025: 0 of 1 done", { exact: true }).waitFor();
  await page.getByRole("row", { name: /Tax return 2025.*Person 1/ }).waitFor();
}, 120_000);

test("lists that are too long, empty or no list are a sentence", async () => {
  const { page } = await site.openAccount("long@example.com");
  await page.goto(`${site.url}/?wizard=several`);
  const form = page.getByRole("dialog", { name: "New envelope for several recipients" });
  const choose = (buffer: Buffer) =>
    form.locator("input[type=file]").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer });
  const list = (count: number) =>
    Buffer.from(
      `Name,Email\n${Array.from({ length: count }, (_, n) => `P ${n},p${n}@example.com\n`).join("")}`,
    );
  for (const [buffer, sentence] of [
    [list(10_000), "The file has more than 500 rows. Please split it."],
    [Buffer.from(`Name\n${"x".repeat(5_000_000)}`), /^This file does not look like a list/],
    [
      Buffer.from([0x50, 0x4b, 3, 4, 20]),
      /^This is not a text file. Save the table as CSV, or copy its cells/,
    ],
    [Buffer.from("Name,Email\n"), "The file has no rows."],
  ] as const) {
    await choose(buffer);
    await form.getByText(sentence).waitFor();
  }
  await choose(list(500));
  await form.getByText("500 recipients", { exact: true }).waitFor();
  await form.getByRole("button", { name: "Add a row" }).click();
  await form
    .getByText("Up to 500 recipients fit into one sending. Leave out 1 row.", { exact: true })
    .waitFor();
}, 120_000);
