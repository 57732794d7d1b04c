import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { addDays } from "../../worker/contract/days";
import { dayIn } from "../../worker/contract/time-zones";
import { PHONE, violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();

const inDays = (days: number) => addDays(dayIn(null, new Date()), days);
const ENVELOPE = {
  recipientName: "Rita Recipient",
  recipientEmail: "rita@example.com",
  subject: "Tax papers",
  documents: [{ name: "Contract" }],
};

async function send(page: Page, envelope: object): Promise<{ id: number; submissionToken: string }> {
  const response = await page.request.post(`${site.url}/api/requests`, { data: envelope });
  expect(response.status()).toBe(201);
  return response.json();
}

test("an envelope gets a due date, shows it to both sides, and the details change it", async () => {
  const { page } = await site.openAccount("due@example.com");
  const sent = await send(page, ENVELOPE);
  await page.goto(`${site.url}/?envelope=${sent.id}`);
  const details = page.getByRole("dialog").first();
  const hasFocus = () => page.waitForFunction(() => document.activeElement?.closest("[role=dialog]"));
  await details.getByRole("button", { name: "Set due date" }).click();
  await details.getByLabel("Due date").press("Escape");
  await details.getByRole("button", { name: "Set due date" }).click();
  await details.getByRole("button", { name: "Cancel" }).press("Enter");
  await hasFocus();
  await details.getByRole("button", { name: "Set due date" }).click();
  await details.getByLabel("Due date").fill(inDays(-1));
  await details.getByRole("button", { name: "Save due date" }).click();
  await details.getByText("The date cannot be in the past", { exact: true }).waitFor();
  await details.getByLabel("Due date").fill(inDays(3));
  expect(await violations(page)).toEqual([]);
  await details.getByRole("button", { name: "Save due date" }).press("Enter");
  await details.getByText("due in 3 days", { exact: true }).waitFor();
  await hasFocus();
  await page.keyboard.press("Escape");
  await page.getByRole("row", { name: /Tax papers.*0 of 1 document/ }).waitFor();
  await page.getByRole("tab", { name: "Overdue 0" }).waitFor();
  const visitor = await site.visit(`/submit/${sent.submissionToken}`, PHONE);
  await visitor.page.getByText(/^Please send by /).waitFor();
  expect(await violations(visitor.page)).toEqual([]);
}, 120_000);

test("a duplicate has everything, and the recipient can be changed", async () => {
  const { page } = await site.openAccount("copy@example.com");
  const message = "Dear Rita";
  const dates = { dueDate: inDays(5), reminderDays: [1] };
  await send(page, { ...ENVELOPE, ...dates, message });
  await page.goto(site.url);
  const row = page.getByRole("row", { name: /Tax papers/ });
  await row.hover();
  await row.getByRole("button", { name: "Duplicate Tax papers" }).click();
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  expect(await wizard.getByLabel("Recipient Name").inputValue()).toBe("Rita Recipient");
  await wizard.getByLabel("Recipient Name").fill("Eve Other");
  await wizard.getByLabel("Recipient Email").fill("eve@example.com");
  const next = wizard.getByRole("button", { name: "Next" });
  await next.click();
  expect(await wizard.getByLabel("Message", { exact: true }).inputValue()).toBe(message);
  // At the cursor of the field that had the focus.
  await wizard.getByLabel("Subject").fill("For  of ");
  await wizard.getByRole("button", { name: "Company", exact: true }).click();
  await wizard.getByLabel("Subject").evaluate((input) => (input as HTMLInputElement).setSelectionRange(4, 4));
  await wizard.getByRole("button", { name: "First name", exact: true }).click();
  expect(await wizard.getByLabel("Subject").inputValue()).toBe("For {firstName} of {company}");
  await wizard.getByText("There is no value for {company} for this recipient", { exact: true }).waitFor();
  await next.click();
  await next.click();
  expect(await wizard.getByLabel("Due date").inputValue()).toBe(inDays(5));
  expect(await wizard.getByRole("button", { name: "1 day before" }).getAttribute("aria-pressed")).toBe(
    "true",
  );
  expect(await violations(page)).toEqual([]);
  await wizard.getByRole("button", { name: "Create Envelope" }).click();
  await wizard.locator('[aria-invalid="true"]').waitFor();
  // Under its field, and not a second time below the placeholders.
  expect(await wizard.getByText("There is no value for {company} for this recipient").count()).toBe(1);
  await wizard.getByLabel("Subject").fill("For {firstName}");
  await next.click();
  await next.click();
  await wizard.getByText("For Eve", { exact: true }).waitFor();
  await wizard.getByText("Around the due date, until everything is submitted: 1 day before.").waitFor();
  await wizard.getByRole("button", { name: "Create Envelope" }).click();
  await page.getByRole("row", { name: /For Eve.*Eve Other/ }).waitFor();
}, 120_000);

test("an envelope becomes a template, which fills the wizard with the days from today", async () => {
  const { page } = await site.openAccount("template@example.com");
  const sent = await send(page, { ...ENVELOPE, dueDate: inDays(9), reminderDays: [7] });
  await page.goto(`${site.url}/?envelope=${sent.id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Save as template" }).click();
  const naming = page.getByRole("dialog", { name: "Save as template" });
  await naming.getByLabel("Template Name").fill("Taxes");
  await naming.getByRole("button", { name: "Save as template" }).click();
  await page.getByText("Template created", { exact: true }).waitFor();
  await page.goto(`${site.url}/templates`);
  await page.getByText(/due after 9 days/).waitFor();
  await page.getByRole("button", { name: "Edit Taxes" }).click();
  const form = page.getByRole("dialog", { name: "Edit Document Template" });
  await form.getByLabel("Due after (days)").fill("400");
  await form.getByRole("button", { name: "Update Template" }).click();
  await form.getByText("Enter a whole number from 0 to 365", { exact: true }).waitFor();
  await form.getByLabel("Due after (days)").fill("12");
  expect(await violations(page)).toEqual([]);
  await form.getByRole("button", { name: "Update Template" }).click();
  await page.getByText("Template updated", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Duplicate Taxes" }).click();
  await page.getByRole("heading", { name: "Taxes 2" }).waitFor();
  // Chosen in the first step, it fills in all steps.
  await page.goto(`${site.url}/?wizard=new`);
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  await wizard.getByLabel("Recipient Name").fill("Ada");
  const skip = wizard.getByRole("button", { name: "Skip to Settings" });
  expect(await skip.count()).toBe(0);
  await wizard.getByRole("button", { name: /^Template/ }).click();
  await page.getByRole("option", { name: /^Taxes 2/ }).click();
  await skip.click();
  await wizard.getByText("Recipient email is required").waitFor();
  await wizard.getByLabel("Recipient Email").fill("ada@example.com");
  await skip.click();
  expect(await wizard.getByLabel("Due date").inputValue()).toBe(inDays(12));
  // The wizard makes templates, too.
  await wizard.getByRole("button", { name: "Save as template" }).click();
  await naming.getByLabel("Template Name").fill("Taxes again");
  await naming.getByRole("button", { name: "Save as template" }).click();
  await naming.waitFor({ state: "detached" });
  const templates = await (await page.request.get(`${site.url}/api/templates`)).json();
  expect(templates).toContainEqual(expect.objectContaining({ name: "Taxes again", dueInDays: 12 }));
}, 120_000);
