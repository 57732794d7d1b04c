import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { notifications } from "../../db/schema";
import type { Dependencies } from "../../worker/dependencies";
import { DAY_MS } from "../../worker/lib/durations";
import { ENVELOPE, form, linkOf } from "../support/api/envelopes";
import { PHONE, startBunSite, violations, waitForFocus } from "../support/browser/browser";
import { holdNextCall } from "../support/browser/held-call";
import { setUpTestSite } from "../support/browser/site-set-up";
import { pdfFile } from "../support/files/files";
import { readZip } from "../support/files/zip";

let deps: Dependencies;
const site = setUpTestSite(async () => {
  const server = await startBunSite();
  deps = server.deps;
  return server;
});

async function send(page: Page, changes: object = {}) {
  const response = await page.request.post(`${site.url}/api/requests`, { data: { ...ENVELOPE, ...changes } });
  expect(response.status(), await response.text()).toBe(201);
  return response.json();
}

async function submitFiles(envelope: { submissionToken: string }) {
  const body = form({ Contract: pdfFile() });
  const response = await fetch(site.url + linkOf(envelope), { method: "POST", body });
  expect(response.status, await response.text()).toBe(201);
}

/** An account with two completed envelopes, two pending ones and a draft. */
async function account(email: string, statuses: number[] = []) {
  const { page, email: address } = await site.openAccount(email, { statuses });
  const token = (await site.mailedLink(address, "verify")).split("/").at(-1);
  await page.request.post(`${site.url}/api/user/verify`, { data: { token } });
  for (const subject of ["Taxes", "Lease"]) await submitFiles(await send(page, { subject }));
  await send(page, { subject: "Mortgage", recipientName: "Jürgen Groß", recipientEmail: "jg@example.org" });
  await send(page, { subject: "Visa", documents: [{ name: "Passport scan" }] });
  await send(page, { subject: "Sketch", isDraft: true });
  await page.goto(`${site.url}/`);
  await page.getByRole("row").nth(5).waitFor();
  const subjects = () => page.getByRole("table").getByRole("link").allInnerTexts();
  const tab = (name: string) => page.getByRole("tab", { name });
  const row = (subject: string) => page.getByRole("row").filter({ hasText: subject });
  const box = (subject: string) =>
    page.getByRole("checkbox", { name: new RegExp(`^Select ${subject}(,|$)`) });
  const found = (...expected: string[]) =>
    page.waitForFunction(
      (wanted) => [...document.querySelectorAll("tbody a")].map((link) => link.textContent).join() === wanted,
      expected.join(),
    );
  return { page, subjects, tab, row, box, found };
}

test("envelopes whose message was not delivered are found where there are any", async () => {
  const { page, found } = await account("undelivered@example.com");
  await found("Sketch", "Visa", "Mortgage", "Lease", "Taxes");
  const filter = page.getByRole("button", { name: "Message not delivered" });
  expect(await filter.count()).toBe(0);
  const [, { id: envelopeId, userId }] = await (await page.request.get(`${site.url}/api/requests`)).json();
  const now = new Date().toISOString();
  await deps.db.insert(notifications).values({
    ...{ userId, envelopeId, kind: "reminder", channel: "email", recipient: "rita@example.com", payload: {} },
    ...{ dedupeKey: "rejected", status: "failed", failure: "refused", createdAt: now, nextAttemptAt: now },
  });
  await page.reload();
  await filter.click();
  await page.waitForURL(/messages=undelivered/);
  await found("Visa");
  await page.getByRole("tab", { name: "Waiting 1" }).click();
  await found("Visa");
  expect(await violations(page)).toEqual([]);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/undelivered.png` });
  await filter.click();
  await found("Visa", "Mortgage");
}, 60_000);

/** Sends a reminder from the row with this subject. */
async function remind(page: Page, subject: string) {
  const row = page.getByRole("row").filter({ hasText: subject });
  await row.hover();
  await row.getByRole("button", { name: "Remind" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send reminder" }).click();
  await page.getByText("The reminder is being sent", { exact: true }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

test("tabs count and filter; tab, sort, filter and search survive a reload, and back leaves a tab", async () => {
  const { page, tab, found } = await account("tabs@example.com");
  const names = await page.getByRole("tab").allInnerTexts();
  expect(names.map((name) => name.replace(/\s+/g, " "))).toEqual([
    ...["All 5", "Waiting 2", "Overdue 0", "To review 2", "Done 0", "Expired 0", "Drafts 1"],
  ]);
  expect((await page.getByRole("row").nth(1).boundingBox())?.y).toBeLessThanOrEqual(300);
  await tab("To review").click();
  await found("Lease", "Taxes");
  await page.getByRole("tab", { name: "To review", selected: true }).waitFor();
  expect(page.url()).toContain("tab=toReview");
  // The specified badge alone, and in the second line what is left to do.
  for (const words of ["completed", "1 to review"])
    await page.getByRole("row").filter({ hasText: "Taxes" }).getByText(words, { exact: true }).waitFor();
  await tab("Waiting").click();
  await found("Visa", "Mortgage");
  await page.goBack();
  await found("Lease", "Taxes");
  await page.getByRole("button", { name: "Subject" }).click();
  await page.getByRole("button", { name: "Subject" }).click();
  await found("Taxes", "Lease");
  await page.getByPlaceholder("Filter Doculopes...").fill("jurgen");
  await page.getByText("No results.", { exact: true }).waitFor();
  await tab("All").click();
  await found("Mortgage");
  await page.getByRole("row", { name: "By recipient", exact: true }).waitFor();
  await page.getByPlaceholder("Filter Doculopes...").fill("");
  await page.getByRole("button", { name: "Not opened yet" }).click();
  await found("Visa", "Taxes", "Mortgage", "Lease");
  await page.waitForURL(/opened=never/);
  await page.getByRole("button", { name: "Not opened yet" }).click();
  await found("Visa", "Taxes", "Sketch", "Mortgage", "Lease");
  await tab("To review").click();
  await page.getByPlaceholder("Filter Doculopes...").fill("E");
  await page.waitForURL(/filter=E/);
  await page.reload();
  await found("Taxes", "Lease");
  expect(await page.getByPlaceholder("Filter Doculopes...").inputValue()).toBe("E");
  expect(await page.locator("th[aria-sort]").getAttribute("aria-sort")).toBe("descending");
  // A dialog over the list keeps the list's state.
  await page.getByRole("link", { name: "Taxes" }).click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await found("Taxes", "Lease");
  await tab("Expired").click();
  await page.getByText("No results.", { exact: true }).waitFor();
  // By keyboard: the arrows move the focus, Enter selects.
  await tab("Expired").focus();
  await page.keyboard.press("ArrowRight");
  await waitForFocus(tab("Drafts"));
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await page.getByRole("tab", { name: "All", selected: true }).waitFor();
}, 120_000);

test("the sidebar's search covers subject, recipient, e-mail and documents", async () => {
  const { page, found, tab } = await account("search@example.com");
  await tab("Drafts").click();
  await found("Sketch");
  const search = page.getByRole("searchbox", { name: "Search" });
  const searchFor = async (words: string) => {
    await search.fill(words);
    await search.press("Enter");
    await page.getByRole("option", { name: /^All envelopes with/ }).click();
  };
  for (const [words, ...expected] of [
    ["tax", "Taxes"],
    ["jurgen", "Mortgage"],
    ["EXAMPLE.ORG", "Mortgage"],
    ["passport", "Visa"],
    ["groß mort", "Mortgage"],
    ["rita contract", "Sketch", "Lease", "Taxes"],
  ] as [string, ...string[]][]) {
    await searchFor(words);
    await found(...expected);
  }
  await waitForFocus(search);
  await page.reload();
  await found("Sketch", "Lease", "Taxes");
  await page.getByText("Search: rita contract").waitFor();
  expect(await violations(page)).toEqual([]);
  const list = page.getByRole("tabpanel");
  await page.getByRole("button", { name: "Clear search" }).press("Enter");
  await found("Sketch", "Visa", "Mortgage", "Lease", "Taxes");
  await waitForFocus(list);
}, 120_000);

test("a dialog that is opened during a pause in typing stays open, and Back does not open it again", async () => {
  const { page, found } = await account("pause@example.com");
  const dialog = page.getByRole("dialog");
  await page.getByRole("searchbox", { name: "Filter" }).fill("tax");
  await page.getByRole("link", { name: "Taxes", exact: true }).click();
  await page.waitForURL(({ searchParams }) => searchParams.has("filter") && searchParams.has("envelope"));
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await found("Taxes");
  await page.getByRole("searchbox", { name: "Filter" }).fill("lea");
  await page.getByRole("button", { name: "New Envelope" }).first().click();
  await dialog.getByLabel("Recipient name").fill("Ada");
  await page.waitForURL(/filter=lea/);
  await dialog.getByRole("heading", { name: "Create New Envelope" }).waitFor();
  expect(await dialog.getByLabel("Recipient name").inputValue()).toBe("Ada");
  expect(await page.getByRole("alertdialog").count()).toBe(0);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
  await dialog.waitFor({ state: "detached" });
  await found("Lease");
  await page.goBack();
  expect(await dialog.count()).toBe(0);
  // A page that is still loading.
  const letGo = await holdNextCall(page, "**/assets/templates-*.js");
  await page.getByRole("searchbox", { name: "Filter" }).fill("visa");
  await page.getByRole("link", { name: "Templates", exact: true }).click();
  await page.waitForURL("**/templates");
  // Longer than the pause after which the URL follows.
  await page.waitForTimeout(400);
  letGo();
  await page.getByRole("heading", { name: "Templates", level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/templates");
}, 120_000);

test("a submitted envelope is marked as new until its details are opened", async () => {
  const { page, row } = await account("new@example.com");
  await row("Taxes").getByText("New", { exact: true }).waitFor();
  // Nobody opened its link: a program submitted it, which the strip of a bulk send counts as well.
  await row("Taxes").getByText("Opened", { exact: true }).waitFor();
  expect(await row("Mortgage").getByText("New", { exact: true }).count()).toBe(0);
  const seen = page.waitForResponse(/\/seen$/);
  await page.getByRole("link", { name: "Taxes" }).click();
  await seen;
  await page.keyboard.press("Escape");
  await row("Taxes").getByText("New", { exact: true }).waitFor({ state: "detached" });
  await row("Lease").getByText("New", { exact: true }).waitFor();
  await page.reload();
  await row("Lease").getByText("New", { exact: true }).waitFor();
  expect(await row("Taxes").getByText("New", { exact: true }).count()).toBe(0);
}, 120_000);

test("a list response requested before an envelope was opened does not mark it as new", async () => {
  const { page, row } = await account("seen@example.com");
  const isNew = (subject: string) => row(subject).getByText("New", { exact: true });
  const late = Promise.withResolvers<void>();
  const requested = Promise.withResolvers<void>();
  await page.route(
    "**/api/requests?*",
    async (route) => {
      const response = await route.fetch();
      requested.resolve();
      await late.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  const refresh = page.getByRole("button", { name: "Refresh" });
  await refresh.click();
  await requested.promise;
  const seen = page.waitForResponse(/\/seen$/);
  await page.getByRole("link", { name: "Taxes" }).click();
  await seen;
  await page.keyboard.press("Escape");
  await isNew("Taxes").waitFor({ state: "detached" });
  late.resolve();
  await page.waitForFunction(() => !document.querySelector("button[aria-label=Refresh]:disabled"));
  expect(await isNew("Lease").count()).toBe(1);
  expect(await isNew("Taxes").count()).toBe(0);
}, 120_000);

test("a row reminds, copies its link, and offers what its state allows", async () => {
  const { page, row } = await account("row@example.com");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const actions = async (subject: string) =>
    (
      await row(subject)
        .getByRole("button")
        .evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-label") ?? ""))
    ).map((label) => label.split(" ")[0]);
  expect(await actions("Visa")).toEqual(["Remind", "Copy", "Duplicate", "Delete"]);
  expect(await actions("Taxes")).toEqual(["Review", "Duplicate", "Delete"]);
  expect(await actions("Sketch")).toEqual(["Edit", "Duplicate", "Delete"]);
  await row("Visa").hover();
  await row("Visa").getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied", { exact: true }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("/submit/");
  await row("Visa").hover();
  await row("Visa").getByRole("button", { name: "Remind" }).click();
  const question = page.getByRole("dialog", { name: "Remind Rita Recipient?" });
  await question.getByText("No reminder has been sent yet.", { exact: true }).waitFor();
  await question.getByText("Reminder: Visa", { exact: true }).waitFor();
  await question.frameLocator("iframe").getByText("Passport scan", { exact: false }).first().waitFor();
  expect(await violations(page)).toEqual([]);
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  await remind(page, "Visa");
  await row("Visa").getByText("just now", { exact: true }).waitFor();
  await row("Visa").getByRole("button", { name: "Remind" }).click();
  const tooSoon = "The recipient was reminded less than an hour ago. Please try again later.";
  await question.getByText(tooSoon, { exact: true }).waitFor();
  expect(await question.getByRole("button", { name: "Send reminder" }).isDisabled()).toBe(true);
}, 120_000);

test("rows are selected by click, Shift and keyboard", async () => {
  const { page, box } = await account("select@example.com");
  const chosen = () =>
    page
      .locator("tbody input:checked")
      .evaluateAll((boxes) =>
        boxes.map((one) => one.getAttribute("aria-label")?.replace(/^Select |,.*/g, "")),
      );
  await box("Visa").click();
  await box("Taxes").click({ modifiers: ["Shift"] });
  expect(await chosen()).toEqual(["Visa", "Mortgage", "Lease", "Taxes"]);
  // A shorter range deselects rows outside it.
  await box("Mortgage").click({ modifiers: ["Shift"] });
  expect(await chosen()).toEqual(["Visa", "Mortgage"]);
  await page.getByText("2 selected").locator("visible=true").first().waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Clear selection" }).press("Enter");
  await waitForFocus(page.getByRole("tabpanel"));
  expect(await chosen()).toEqual([]);

  await box("Sketch").focus();
  await page.keyboard.press("ArrowDown");
  await waitForFocus(box("Visa"));
  expect(await chosen()).toEqual([]);
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  expect(await chosen()).toEqual(["Visa", "Mortgage", "Lease"]);
  await page.keyboard.press("Shift+ArrowUp");
  expect(await chosen()).toEqual(["Visa", "Mortgage"]);
  await page.keyboard.press("Enter");
  await waitForFocus(page.getByRole("button", { name: /^Remind \d/ }));
  await page.keyboard.press("Escape");
  await waitForFocus(page.getByRole("tabpanel"));
  expect(await chosen()).toEqual([]);
  await box("Visa").focus();
  await page.keyboard.press("Control+a");
  expect(await chosen()).toHaveLength(5);
  await page.keyboard.press("Escape");
  expect(await chosen()).toEqual([]);
  await page.getByRole("checkbox", { name: "Select all" }).click();
  expect(await chosen()).toHaveLength(5);
  // Rows hidden by a tab are not selected.
  await page.getByRole("tab", { name: "Drafts" }).click();
  await page.getByText("1 selected").locator("visible=true").first().waitFor();
}, 120_000);

test("several are reminded with a note; the dialog leaves out whom somebody reminded, and says what failed", async () => {
  const { page, box } = await account("remind@example.com", [429]);
  await remind(page, "Visa");
  await box("Sketch").click();
  await box("Lease").click({ modifiers: ["Shift"] });
  await page.getByRole("button", { name: "Remind 2", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Remind about 1 envelope?" });
  await dialog.getByText("2 selected envelopes are left out", { exact: false }).waitFor();
  await dialog.getByRole("checkbox", { name: /^Leave out 1 recipient who was reminded/ }).click();
  const both = page.getByRole("dialog", { name: "Remind about 2 envelopes?" });
  await both.getByText("Subjects and recipients", { exact: true }).click();
  const listed = await both.locator("ul > li").allInnerTexts();
  expect(listed.map((lines) => lines.split("\n"))).toEqual([
    ["Visa", "Rita Recipient"],
    ["Mortgage", "Jürgen Groß"],
  ]);
  await both.getByLabel("A sentence of your own").fill("The tax office waits");
  await both.getByRole("combobox", { name: "Preview for" }).selectOption("Jürgen Groß · Mortgage");
  await both.getByText("Reminder: Mortgage", { exact: true }).waitFor();
  const mail = both.frameLocator("iframe");
  await mail.getByText("The tax office waits", { exact: true }).first().waitFor({ state: "attached" });
  expect(await violations(page)).toEqual([]);
  await both.getByRole("button", { name: "Remind", exact: true }).click();
  await both.getByText("1 reminder is being sent", { exact: true }).waitFor();
  const failure = both.getByRole("listitem");
  await failure.getByText("Visa", { exact: true }).waitFor();
  await failure.getByText("The recipient was reminded less than an hour ago", { exact: false }).waitFor();
  await both.getByRole("button", { name: "Close" }).click();
  await both.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Remind 2", exact: true }).click();
  const nobody = page.getByRole("dialog", { name: "All were reminded within 24 hours" });
  await nobody.getByRole("checkbox", { name: "Leave out 2 recipients who were reminded" }).waitFor();
  expect(await nobody.getByRole("button", { name: "Remind", exact: true }).isDisabled()).toBe(true);
}, 120_000);

test("several get a due date at once; what is not waiting for its recipient is left out", async () => {
  const { page } = await account("due@example.com");
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await page.getByRole("button", { name: "Set due date 2", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Set the due date of 2 envelopes?" });
  await dialog.getByText("3 selected envelopes are left out", { exact: false }).waitFor();
  const save = dialog.getByRole("button", { name: "Save due date", exact: true });
  await dialog.getByLabel("Due date").fill("2020-01-01");
  await dialog.getByText("The date cannot be in the past", { exact: true }).waitFor();
  expect(await save.isDisabled()).toBe(true);
  const dueDate = new Date(Date.now() + 7 * DAY_MS).toISOString().slice(0, 10);
  await dialog.getByLabel("Due date").fill(dueDate);
  expect(await violations(page)).toEqual([]);
  await save.click();
  await page.getByText("Due date of 2 envelopes changed", { exact: true }).waitFor();
  const envelopes: { subject: string; dueDate: string | null }[] = await (
    await page.request.get(`${site.url}/api/requests`)
  ).json();
  const due = envelopes.filter((envelope) => envelope.dueDate === dueDate).map(({ subject }) => subject);
  expect(due.sort()).toEqual(["Mortgage", "Visa"]);
}, 120_000);

test("several are accepted after a question that says how many files, and how many were not opened", async () => {
  const { page } = await account("accept@example.com");
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await page.getByRole("button", { name: "Accept 2", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Accept submissions of 2 envelopes?" });
  await dialog.getByText("To be accepted: 2 (2 files)", { exact: true }).waitFor();
  await dialog.getByText("2 of these files have not been opened by anybody.", { exact: true }).waitFor();
  await dialog.getByText("3 selected envelopes are left out", { exact: false }).waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Accept 2 files", exact: true }).click();
  await page.getByText("2 envelopes accepted", { exact: true }).waitFor();
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await page.getByRole("button", { name: "Delete 5", exact: true }).waitFor();
  expect(await page.getByRole("button", { name: /^Accept/ }).count()).toBe(0);
}, 120_000);

test("the files of several envelopes are downloaded as one archive", async () => {
  const { page } = await account("zip@example.com");
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await page.getByRole("button", { name: "Download ZIP" }).click();
  const dialog = page.getByRole("dialog", { name: "Download the files of 2 envelopes?" });
  await dialog.getByText("One ZIP archive with 2 files", { exact: false }).waitFor();
  await dialog.getByText("3 selected envelopes are left out, because they have no files.").waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Download", exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^envelopes \d{4}-\d\d-\d\d\.zip$/);
  await page.getByText("The download has started", { exact: true }).waitFor();
  const files = readZip(await readFile(await download.path()));
  expect([...files.keys()]).toEqual([
    "manifest.csv",
    "Lease - Rita Recipient/Contract - Rita Recipient.pdf",
    "Taxes - Rita Recipient/Contract - Rita Recipient.pdf",
  ]);
}, 120_000);

test("several are deleted after a confirmation that lists them and counts their files", async () => {
  const { page, box, found } = await account("bulk-delete@example.com", [500]);
  await box("Mortgage").click();
  await box("Taxes").click({ modifiers: ["Shift"] });
  await page.getByRole("button", { name: /^Delete \d/ }).click();
  const question = page.getByRole("alertdialog", { name: "Delete 3 envelopes?" });
  for (const words of ["Mortgage", "Lease", "Taxes", "2 uploaded files will be deleted."])
    await question.getByText(words, { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  await page.route("**/api/requests/*", (route) => route.fulfill({ status: 500, body: "" }), { times: 1 });
  await page.getByRole("button", { name: /^Delete \d/ }).click();
  await question.getByRole("button", { name: /^Delete/ }).click();
  await question.getByText("2 envelopes deleted", { exact: true }).waitFor();
  expect(await question.getByRole("listitem").count()).toBe(1);
  await question.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Delete 1", exact: true }).click();
  const second = page.getByRole("alertdialog", { name: "Delete 1 envelope?" });
  await second.getByRole("button", { name: /^Delete/ }).click();
  await page.getByText("1 envelope deleted", { exact: true }).waitFor();
  await found("Sketch", "Visa");
  await page.getByRole("tab", { name: "All 2" }).waitFor();
}, 120_000);

test("on a phone tabs, rows and bulk actions fit and can be reached", async () => {
  const { page, box, row } = await account("home-phone@example.com");
  await page.setViewportSize(PHONE.viewport);
  await page.setViewportSize({ width: 320, height: 640 });
  await box("Visa").click();
  const bar = page.getByRole("group", { name: "Selected envelopes" });
  await bar.getByRole("button", { name: "Remind 1", exact: true }).waitFor();
  const lines = await bar
    .getByRole("button")
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top));
  expect(new Set(lines).size).toBeLessThan(3);
  const more = bar.getByRole("button", { name: "More actions" });
  await more.press("Enter");
  const deletion = page.getByRole("menuitem", { name: "Delete 1", exact: true });
  await waitForFocus(page.getByRole("menuitem").first());
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowUp");
  await waitForFocus(deletion);
  await page.keyboard.press("Escape");
  await waitForFocus(more);
  await more.click();
  await deletion.click();
  await page
    .getByRole("alertdialog")
    .or(page.getByRole("dialog"))
    .getByRole("button", { name: "Cancel" })
    .click();
  const visible = (subject: string) => row(subject).getByRole("button").locator("visible=true");
  const size = await visible("Visa").boundingBox();
  expect([size?.width, size?.height]).toEqual([40, 40]);
  const tops = await page
    .getByRole("tab")
    .evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  const first = await page.getByRole("row").nth(1).boundingBox();
  expect((first?.y ?? 0) + (first?.height ?? 0)).toBeLessThan(568);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBe(320);
  // What is to review has that as its action.
  await visible("Taxes").click();
  await page.getByRole("dialog", { name: /^Review of / }).waitFor();
}, 120_000);

test("arrow keys lead from envelope to envelope, and controls of equal subjects name the recipient", async () => {
  const { page } = await site.signUp("arrows@example.com");
  for (const recipientName of ["Ada", "Ben"])
    await send(page, { subject: "Taxes", recipientName, documents: [{ name: "Return" }] });
  await page.goto(`${site.url}/?sort=recipient`);
  const links = page.getByRole("table").getByRole("link", { name: "Taxes" });
  await links.nth(1).waitFor();
  await links.first().focus();
  await page.keyboard.press("ArrowDown");
  await waitForFocus(links.nth(1));
  await page.keyboard.press("ArrowUp");
  await waitForFocus(links.first());
  await page.getByRole("link", { description: /^Ada / }).waitFor();
  await page.getByRole("checkbox", { name: "Select Taxes, Ben", exact: true }).waitFor();
  await page.getByRole("button", { name: "Delete Taxes, Ben", exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Document Request for Ada" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  // After a deletion, the next envelope has the focus.
  await page.getByRole("button", { name: "Delete Taxes, Ada", exact: true }).press("Enter");
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: /^Delete/ })
    .press("Enter");
  await page.getByRole("link", { description: /^Ada / }).waitFor({ state: "detached" });
  await waitForFocus(page.getByRole("link", { description: /^Ben / }));
}, 120_000);

test("a long list is selected whole and by keyboard, though only its visible rows are rendered", async () => {
  const { page } = await site.signUp("long@example.com");
  for (let count = 1; count <= 120; count += 1)
    await send(page, { subject: `Item ${count}`, isDraft: true, documents: [] });
  const box = (subject: string) =>
    page.getByRole("checkbox", { name: new RegExp(`^Select ${subject}(,|$)`) });
  const rest = Promise.withResolvers<void>();
  await page.route("**/api/requests?*cursor=*", async (route) => {
    await rest.promise;
    await route.continue();
  });
  await page.goto(`${site.url}/`);
  await page.locator("table[aria-rowcount='121']").waitFor();
  await box("Item 120").waitFor();
  await page.locator("tbody tr[aria-hidden]").waitFor({ state: "attached" });
  // The row that has the focus keeps it when the next rows arrive.
  const next = page.waitForResponse((response) => response.url().includes("cursor="));
  await page.evaluate(() => scrollTo(0, 3700));
  await box("Item 57").focus();
  rest.resolve();
  await (await next).finished();
  await waitForFocus(box("Item 57"));
  await page.goto(`${site.url}/?sort=created`);
  await page.locator("table[aria-rowcount='121']").waitFor();
  const selected = (count: number) =>
    page.getByText(`${count} selected`, { exact: true }).locator("visible=true").first().waitFor();
  // The spacer of the rows that are not rendered.
  await page.locator("tbody tr[aria-hidden]").waitFor({ state: "attached" });
  await box("Item 1").focus();
  await page.keyboard.press("Space");
  await selected(1);
  for (let row = 2; row <= 60; row += 1) {
    await page.keyboard.press("Shift+ArrowDown");
    await waitForFocus(box(`Item ${row}`));
  }
  await selected(60);
  expect(await box("Item 1").count()).toBe(0);
  await page.keyboard.press("Control+a");
  await selected(120);
  await page.keyboard.press("Escape");
  await page.setViewportSize(PHONE.viewport);
  const table = await page.getByRole("table").boundingBox();
  const subject = await page.getByRole("columnheader", { name: "Subject" }).boundingBox();
  expect(subject?.width).toBeGreaterThan((table?.width ?? 0) * 0.7);
  await box("Item 60").waitFor();
  expect(await page.getByText("selected", { exact: false }).locator("visible=true").count()).toBe(0);
}, 120_000);

test("rows keep their height at every width, however long their texts are, and wide details stand beside them", async () => {
  const { page, email } = await site.signUp("heights@example.com", { locale: "de-DE" });
  expect(email).toBe("heights@example.com");
  const long = "Steuererklärungsunterlagen und Nebenkostenabrechnungen ".repeat(3).trim();
  await submitFiles(await send(page, { subject: long }));
  const asked = await send(page, { subject: long, recipientName: long, dueDate: "2099-11-30" });
  await page.request.post(`${site.url}/api/requests/${asked.id}/remind`);
  await send(page, { subject: "Kurz", isDraft: true });
  await page.goto(`${site.url}/`);
  await page.getByRole("row").nth(3).waitFor();
  for (const [width, height] of [
    [320, 69],
    [390, 69],
    [768, 61],
    [1024, 61],
    [1279, 61],
    [1280, 61],
    [1920, 61],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll<HTMLElement>("tbody tr")].every((row) => row.offsetHeight === wanted),
      height,
    );
  }

  await page.setViewportSize({ width: 1600, height: 900 });
  await page.getByText("Kurz", { exact: true }).click();
  const details = page.getByRole("dialog");
  await details.waitFor();
  await page.waitForFunction(() => {
    const edge = document.querySelector("[role=dialog]")?.getBoundingClientRect().left ?? 0;
    return [...document.querySelectorAll("table, main button")].every(
      (element) => element.getBoundingClientRect().right <= edge,
    );
  });
  const marked = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("tbody tr")]
      .filter(({ firstElementChild }) => getComputedStyle(firstElementChild as Element).boxShadow !== "none")
      .map(({ textContent }) => textContent?.includes("Kurz")),
  );
  expect(marked).toEqual([true]);
  const other = await page.getByText(long, { exact: true }).first().boundingBox();
  await page.mouse.click((other?.x ?? 0) + 8, (other?.y ?? 0) + 8);
  await details.getByText(long).first().waitFor();
  expect(await details.getByText("Kurz").count()).toBe(0);
  await page.keyboard.press("Escape");
  await details.waitFor({ state: "detached" });
  // The focus returns to the row that was opened last.
  await page.getByRole("link", { name: long }).first().and(page.locator(":focus")).waitFor();
}, 120_000);
