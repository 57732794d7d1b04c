import { expect, test } from "bun:test";
import { file } from "bun";
import type { Page } from "playwright-core";
import { form } from "../support/api/envelopes";
import { PHONE, startBunSite, violations, waitForFocus } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { openRequestor, PASSPORT, type Requestor } from "../support/browser/submit-page";
import { pdfFile } from "../support/files/files";

const site = setUpTestSite(() => startBunSite());
const LETTER = { name: "Letter", required: true };
const CLIENTS = ["Ann", "Ben", "Cas"];

/** Three clients, of whom the first two have sent both documents. */
async function openBoard(ada: Requestor, query = "") {
  const envelopes = [];
  for (const recipientName of CLIENTS)
    envelopes.push(await ada.requestDocuments([PASSPORT, LETTER], { recipientName, subject: "=Papers" }));
  for (const { submissionToken } of envelopes.slice(0, 2)) {
    const files = form({ Passport: pdfFile(), Letter: pdfFile() });
    const link = `${site.url}/api/submissions/${submissionToken}`;
    expect((await fetch(link, { method: "POST", body: files })).status).toBe(201);
  }
  await ada.page.goto(`${site.url}/?view=board&sort=recipient${query}`);
  return envelopes;
}

const cell = (page: Page, name: string) => page.getByRole("gridcell", { name, exact: true });

test("the board leads by keyboard to each document and back, and shows what a colleague has decided", async () => {
  const ada = await openRequestor(site, "board@example.com");
  const { page } = ada;
  const [ann] = await openBoard(ada);
  const grid = page.getByRole("grid", { name: "Board" });
  await cell(page, "Cas, Letter, missing").waitFor();
  expect(await grid.getByRole("row").count()).toBe(CLIENTS.length + 1);
  expect(await violations(page)).toEqual([]);

  await page.getByRole("button", { name: "Print" }).focus();
  for (const key of ["Tab", "ArrowDown"]) await page.keyboard.press(key);
  await waitForFocus(grid.getByRole("button", { name: /^Ann/ }));
  for (const key of ["ArrowDown", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  await waitForFocus(cell(page, "Ben, Passport, to review"));
  expect(await page.getByText("Enter goes to the actions").count()).toBe(0);
  await page.keyboard.press("Space");
  await page.getByText("1 selected").first().waitFor();
  await page.keyboard.press("Enter");
  const review = page.getByRole("dialog", { name: /^Review of / });
  await review.getByRole("heading", { name: "Passport", exact: true }).waitFor();
  // Nothing is accepted that was not shown.
  await review
    .getByRole("img", { name: /^Page 1 of / })
    .locator("canvas")
    .waitFor();
  const opened = page.waitForResponse((response) => response.url().includes("/uploads/"));
  await page.keyboard.press("a");
  await review.getByRole("heading", { name: "Letter", exact: true }).waitFor();
  await opened;
  await page.keyboard.press("Escape");
  await waitForFocus(cell(page, "Ben, Passport, accepted"));

  // Of a document that is missing, the whole envelope opens.
  for (const key of ["ArrowDown", "Enter"]) await page.keyboard.press(key);
  await page.getByRole("dialog", { name: "Document Request for Cas" }).waitFor();
  await page.keyboard.press("Escape");
  await waitForFocus(cell(page, "Cas, Passport, missing"));

  await page.request.post(`${site.url}/api/requests/${ann?.id}/review`, {
    data: { accept: [ann?.documents[0]?.id] },
  });
  await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  await cell(page, "Ann, Passport, accepted").waitFor();
  await waitForFocus(cell(page, "Cas, Passport, missing"));

  await page.keyboard.press("ArrowRight");
  for (const _ of CLIENTS) await page.keyboard.press("ArrowUp");
  await waitForFocus(grid.getByRole("button", { name: /^Letter/ }));
  await page.keyboard.press("Enter");
  await waitForFocus(page.getByRole("menuitem", { name: "Accept what is to review (2)" }));
  // Its column is too narrow for a long question.
  await page.getByRole("menu", { name: "Letter" }).getByText("Letter", { exact: true }).waitFor();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Accept submissions of 2 envelopes?" });
  await dialog.getByText("To be accepted: 2 (2 files)").waitFor();
  // The review mode has shown Ben's.
  await dialog.getByText("1 of these files has not been opened by anybody.").waitFor();
  await dialog.getByRole("button", { name: "Accept 2 files" }).click();
  await cell(page, "Ann, Letter, accepted").waitFor();
  await cell(page, "Ben, Letter, accepted").waitFor();
  await waitForFocus(grid.getByRole("button", { name: /^Letter/ }));

  await page.evaluate(() => {
    window.print = () => {
      const sheet = document.querySelector("[data-print-sheet]");
      const rows = sheet?.querySelectorAll("tbody tr").length;
      document.title = `${rows} printed${sheet?.textContent.includes("=Papers") ? " with their subject" : ""}`;
      dispatchEvent(new Event("afterprint"));
    };
  });
  await page.getByRole("button", { name: "Print" }).click();
  await page.waitForFunction(() => document.title === "3 printed with their subject");

  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  const saved = await (await saving).path();
  expect((await file(saved).text()).replace("\ufeff", "").split("\r\n")).toEqual([
    "Client,Subject,Status,Passport,Letter",
    "Ann,'=Papers,completed,accepted,accepted",
    "Ben,'=Papers,completed,accepted,accepted",
    "Cas,'=Papers,pending,missing,missing",
    "",
  ]);
});

test("the board of a phone lists clients, and a selection has a board of its own", async () => {
  const ada = await openRequestor(site, "phone-board@example.com", PHONE);
  const { page } = ada;
  const [, ben, cas] = await openBoard(ada);
  const list = page.getByRole("list", { name: "Board" });
  await list.getByRole("button", { name: "Ann 2 of 2 · 2 to review" }).click();
  expect(await violations(page)).toEqual([]);
  await list.getByRole("button", { name: "Ann, Passport, to review" }).click();
  await page.getByRole("dialog", { name: /^Review of / }).waitFor();
  await page.keyboard.press("Escape");
  await waitForFocus(list.getByRole("button", { name: "Ann, Passport, to review" }));

  await page.goto(`${site.url}/?sort=recipient`);
  for (const { id } of [ben, cas] as { id: number }[]) await page.locator(`#select-${id}`).check();
  await page
    .getByRole("group", { name: "Selected envelopes" })
    .getByRole("button", { name: "More actions" })
    .click();
  await page.getByRole("menuitem", { name: "Board" }).click();
  await list.getByRole("button", { name: /^Cas/ }).waitFor();
  expect(await list.getByRole("button").count()).toBe(2);
  expect(new URL(page.url()).searchParams.get("ids")).toBe(`${ben?.id},${cas?.id}`);
  await page.getByRole("button", { name: "Show all envelopes" }).click();
  await list.getByRole("button", { name: /^Ann/ }).waitFor();
});
