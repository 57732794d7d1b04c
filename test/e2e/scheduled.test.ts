import { expect, test } from "bun:test";
import { addDays } from "../../worker/contract/days";
import { dayIn } from "../../worker/contract/time-zones";
import { violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();
const inDays = (days: number) => addDays(dayIn(null, new Date()), days);
const expiring = (documentId: number) => ({
  ...{ documentId, requestId: 1, name: "Passport", validUntil: inDays(20), renewDays: null },
  ...{ recipient: { name: "Rita", email: "", contactId: null }, state: "valid" },
  ...{ renewal: null, renewalPaused: false },
});

test("an envelope is sent later: from the wizard to the page of schedules, until it is sent now", async () => {
  const { page } = await site.openAccount("later@example.com");
  await page.goto(`${site.url}/?wizard=new`);
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  await wizard.getByLabel("Recipient Name").fill("Rita Recipient");
  await wizard.getByLabel("Recipient Email").fill("rita@example.com");
  const next = wizard.getByRole("button", { name: "Next" });
  await next.click();
  await wizard.getByLabel("Subject").fill("Statements of {lastMonth}");
  await next.click();
  await wizard.getByLabel("Document Name").fill("Statement");
  await next.click();
  await wizard.getByRole("radio", { name: "Later" }).check();
  await wizard.getByLabel("Day", { exact: true }).fill(inDays(4));
  await wizard.getByLabel("Time", { exact: true }).selectOption("15");
  await wizard.getByLabel("Due date").fill(inDays(3));
  await wizard.getByRole("button", { name: "Create Envelope" }).click();
  await wizard.getByText("The date cannot be before the day of sending", { exact: true }).waitFor();
  await wizard.getByLabel("Due date").fill(inDays(9));
  expect(await violations(page)).toEqual([]);
  await wizard.getByRole("button", { name: "Create Envelope" }).click();
  await page.getByText(/^Will be sent on .+ at .*3:00|^Will be sent on .+ at 15:00/).waitFor();
  await page.getByRole("row", { name: /Statements of \{lastMonth\}.*scheduled/ }).waitFor();
  await page.getByRole("tab", { name: "Scheduled 1" }).waitFor();
  await page.getByRole("tab", { name: "Waiting 0" }).waitFor();
  await page.getByRole("link", { name: "Schedules", exact: true }).click();
  await page.getByRole("heading", { name: "Schedules", level: 1 }).waitFor();
  await page.getByRole("tab", { name: "Scheduled 1", selected: true }).waitFor();
  await page.route("**/api/documents/expiring?*", (route) =>
    route.fulfill({
      json: Array.from({ length: 100 }, (_, index) => expiring(index)),
      headers: { link: '</api/documents/expiring?cursor=next>; rel="next"' },
    }),
  );
  await page.reload();
  await page
    .getByRole("time")
    .getByText(/, (3:00 PM|15:00)$/i)
    .waitFor();
  await page.getByRole("tab", { name: "Expiring documents 100+" }).waitFor();
  await page.unroute("**/api/documents/expiring?*");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("link", { name: "Statements of {lastMonth}", exact: true }).click();
  const details = page.getByRole("dialog").first();
  await details
    .getByText(/^Will be sent on /)
    .first()
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await details.getByRole("button", { name: "Send now" }).click();
  await page.getByText("Envelope sent", { exact: true }).waitFor();
  await details.getByText("pending", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Waiting 1" }).waitFor();
  expect(await page.getByRole("tab", { name: /^Scheduled/ }).count()).toBe(0);
  const menu = page.getByRole("button", { name: "More ways to send" });
  await menu.click();
  await page.getByRole("menuitem", { name: "Schedules" }).click();
  await page.getByRole("heading", { name: "Schedules", level: 1 }).waitFor();
  await page.goBack();
  await menu.click();
  await page.getByRole("menuitem", { name: "Recurring" }).click();
  await page.getByRole("dialog", { name: "New recurring envelope" }).waitFor();
}, 120_000);
