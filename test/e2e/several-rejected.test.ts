import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { startBunSite, violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

const LIMIT = 3;
const site = setUpTestSite(() =>
  startBunSite({ variables: { RATE_LIMITS: "on", NEW_ACCOUNT_INVITATIONS_PER_DAY: String(LIMIT) } }),
);

const BULK = "**/api/requests/bulk";
const formOf = (page: Page) => page.getByRole("dialog", { name: "New envelope for several recipients" });
const next = (form: Locator) => form.getByRole("button", { name: "Next", exact: true }).click();
const previous = (form: Locator) => form.getByRole("button", { name: "Previous", exact: true }).click();

async function verify({ page, email }: { page: Page; email: string }): Promise<void> {
  const token = (await site.mailedLink(email, "verify")).split("/").at(-1);
  expect((await page.request.post(`${site.url}/api/user/verify`, { data: { token } })).ok()).toBe(true);
}

/** Fills the form for this many recipients, up to the last step. */
async function fill(page: Page, count: number): Promise<Locator> {
  await page.goto(`${site.url}/?wizard=several`);
  const form = formOf(page);
  await form.getByRole("button", { name: "Paste a list" }).click();
  const lines = Array.from({ length: count }, (_, index) => `Person ${index + 1}\tp${index + 1}@example.com`);
  await form.getByLabel("Cells from a spreadsheet").fill(`Name\tEmail\n${lines.join("\n")}`);
  await form.getByRole("button", { name: "Use these rows" }).click();
  await form.getByText(`${count} recipients`, { exact: true }).waitFor();
  await next(form);
  await form.getByLabel("Subject").fill("Tax return 2025");
  await next(form);
  await form.getByLabel("Document Name").fill("Payslips");
  await next(form);
  return form;
}

/** Everything that was typed is still in the form, which shows its last step. */
async function expectKept(form: Locator): Promise<void> {
  await previous(form);
  expect(await form.getByLabel("Document Name").inputValue()).toBe("Payslips");
  await previous(form);
  expect(await form.getByLabel("Subject").inputValue()).toBe("Tax return 2025");
  await previous(form);
  expect(await form.getByLabel("Email, row 2", { exact: true }).inputValue()).toBe("p2@example.com");
}

test("beyond a limit the form says so, nothing typed is lost, and fewer recipients can be sent to", async () => {
  const { page, expectStatus } = await site.signUp("limited@example.com");
  expectStatus(429);
  const form = await fill(page, LIMIT + 1);
  await form.getByRole("button", { name: `Send to ${LIMIT + 1} recipients` }).click();
  const notice = form.getByRole("alert").filter({ hasText: "Nothing was sent" });
  await notice.getByText(`A new account can send ${LIMIT} envelopes a day.`).waitFor();
  expect(await form.getByText("Nothing was sent", { exact: true }).count()).toBe(1);
  expect(await violations(page)).toEqual([]);
  await expectKept(form);
  await form.getByLabel("Send to row 4", { exact: true }).uncheck();
  for (let step = 0; step < 3; step += 1) await next(form);
  // It is about the attempt before.
  expect(await notice.count()).toBe(0);
  await form.getByRole("button", { name: `Send to ${LIMIT} recipients` }).click();
  await page.getByText(`Tax return 2025: 0 of ${LIMIT} done`, { exact: true }).waitFor();
}, 120_000);

test("an account whose address is not verified gets the mail again, and then sends what it typed", async () => {
  const { page, email, expectStatus } = await site.signUp("unverified@example.com", { unproved: true });
  expectStatus(403);
  const form = await fill(page, 2);
  await form.getByRole("button", { name: "Send to 2 recipients" }).click();
  const notice = form.getByRole("alert").filter({ hasText: "Nothing was sent" });
  await notice.getByText(/verify your email address/i).waitFor();
  await notice.getByRole("button", { name: "Send the email again" }).click();
  await notice.getByRole("button", { name: "Email sent" }).waitFor();
  await expectKept(form);
  // The same call succeeds once the address is verified.
  await verify({ page, email });
  for (let step = 0; step < 3; step += 1) await next(form);
  await form.getByRole("button", { name: "Send to 2 recipients" }).click();
  await page.getByText("Tax return 2025: 0 of 2 done", { exact: true }).waitFor();
}, 120_000);

test("what the server rejects in a row is shown in its cell, which gets the focus", async () => {
  const { page, expectStatus } = await site.signUp("rows@example.com");
  expectStatus(400);
  const form = await fill(page, 3);
  await page.route(BULK, (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const issues = [
      { path: "recipients.1.recipientEmail", message: "Invalid email" },
      { path: "recipients.2", message: "There is no value for {company}" },
    ];
    return route.fulfill({ status: 400, json: { code: "validation", message: "Invalid input", issues } });
  });
  await form.getByRole("button", { name: "Send to 3 recipients" }).click();
  const address = form.getByLabel("Email, row 2", { exact: true });
  await address.waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Email, row 2");
  expect(await address.getAttribute("aria-invalid")).toBe("true");
  await form.getByText("Invalid email", { exact: true }).first().waitFor();
  await form.getByText("No value for {company}", { exact: true }).waitFor();
  await form.getByText("2 rows need a correction", { exact: true }).waitFor();
  await form.getByLabel("Name, row 1", { exact: true }).waitFor({ state: "detached" });
  expect(await violations(page)).toEqual([]);
  await page.unroute(BULK);
  await page.keyboard.type("other@example.com");
  await form.getByLabel("Send to row 3", { exact: true }).uncheck();
  await form.getByText("2 recipients", { exact: true }).waitFor();
  for (let step = 0; step < 3; step += 1) await next(form);
  await form.getByRole("button", { name: "Send to 2 recipients" }).click();
  await page.getByText("Tax return 2025: 0 of 2 done", { exact: true }).waitFor();
}, 120_000);

test("a file's formulas are named and sent as text", async () => {
  const { page } = await site.openAccount("formulas@example.com");
  await page.goto(`${site.url}/?wizard=several`);
  const form = formOf(page);
  const lines = [
    "Name,Email,Phone,Note",
    '"=HYPERLINK(""http://x"")",a@example.com,+44 20 7946 0000,-5',
    "Ada,@ada,,-1+cmd|' /C calc'!A0",
  ];
  const buffer = Buffer.from(lines.join("\n"));
  await form.locator("input[type=file]").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer });
  await form.getByText("3 cells with formulas are read as text", { exact: true }).waitFor();
  expect(await form.getByLabel("Name, row 1", { exact: true }).inputValue()).toBe('=HYPERLINK("http://x")');
  expect(await form.getByLabel("Phone, row 1", { exact: true }).inputValue()).toBe("+44 20 7946 0000");
}, 120_000);
