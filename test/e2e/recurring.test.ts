import { expect, test } from "bun:test";
import { PHONE, violations, waitForFocus } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();

const SHOTS = process.env.SHOTS;

test("bank statements, monthly: set up, paused, skipped, sent now, changed and deleted", async () => {
  const { page } = await site.openAccount("recurring@example.com");
  const shot = async (name: string) => {
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` });
  };
  await page.goto(`${site.url}/?wizard=new`);
  await page.getByRole("dialog").getByRole("button", { name: "Recurring" }).click();
  const form = page.getByRole("dialog", { name: "New recurring envelope" });
  await form.getByRole("button", { name: "Paste a list" }).click();
  await form
    .getByLabel("Cells from a spreadsheet")
    .fill("Name\tEmail\nAda\tada@example.com\nBob\tbob@example.com");
  await form.getByRole("button", { name: "Use these rows" }).click();
  await form.getByText("2 recipients", { exact: true }).waitFor();
  const next = form.getByRole("button", { name: "Next", exact: true });
  await next.click();
  await form.getByLabel("Subject").fill("Statements of {month}");
  await next.click();
  await form.getByLabel("Document Name").fill("Statement");
  await form.getByRole("button", { name: "Add question" }).click();
  await page.getByRole("menuitem", { name: "Short text" }).click();
  await form.getByRole("textbox", { name: "Question" }).fill("Account");
  await form.getByLabel("Offer earlier answers").check();
  await next.click();
  // The step begins with the schedule, not in the middle of it.
  await waitForFocus(form.getByLabel("Name", { exact: true }));
  await form.getByLabel("Name", { exact: true }).fill("Bank statements");
  await form.getByLabel("Ends", { exact: true }).selectOption("after");
  await form.getByLabel("Times").fill("3");
  await form.getByLabel("Weekends").selectOption("after");
  await shot("1-form");
  const days = form.getByRole("status").filter({ hasText: "Will be sent on" }).getByRole("listitem");
  expect(await days.count()).toBe(3);
  expect(await violations(page)).toEqual([]);
  await form.getByRole("button", { name: "Create", exact: true }).click();

  await page.getByRole("tab", { name: "Recurring 1", selected: true }).waitFor();
  const row = page.getByRole("listitem").filter({ hasText: "Bank statements" });
  await row.getByText(/^Every month · Next: .* · 2 recipients$/).waitFor();
  const [listed] = await (await page.request.get(`${site.url}/api/series`)).json();
  const stored = await (await page.request.get(`${site.url}/api/series/${listed.id}`)).json();
  expect(stored.envelope.prefill).toBe(true);
  await shot("2-tab");
  await row.getByRole("button", { name: "Pause “Bank statements”" }).click();
  await row.getByText("Paused", { exact: true }).waitFor();
  await row.getByRole("button", { name: "Resume “Bank statements”" }).click();
  await row.getByRole("button", { name: "Skip next of “Bank statements”" }).click();
  const skipping = page.getByRole("alertdialog", { name: "Skip the next one?" });
  const consequence = await skipping.getByText(/^Nothing is sent on /).textContent();
  const [, skipped, following] =
    /^Nothing is sent on (.+); the next one is on (.+)\. This/.exec(`${consequence}`) ?? [];
  expect(await violations(page)).toEqual([]);
  await shot("2-skip");
  await skipping.getByRole("button", { name: "Cancel" }).click();
  await row.getByText(`Next: ${skipped}`).waitFor();
  await row.getByRole("button", { name: "Skip next of “Bank statements”" }).click();
  await skipping.getByRole("button", { name: "Skip next", exact: true }).click();
  await row.getByText(`Last one, for ${skipped}: skipped`).waitFor();
  await row.getByText(`Next: ${following}`).waitFor();
  await row.getByRole("button", { name: "Send now: “Bank statements”" }).click();
  const question = page.getByRole("alertdialog", { name: "Send the next one now?" });
  await question.getByText(/^2 recipients get it at once instead of on /).waitFor();
  expect(await violations(page)).toEqual([]);
  await question.getByRole("button", { name: "Send now", exact: true }).click();
  // It is the one of that day, though it was sent earlier.
  await row.getByText(`Last one, for ${following}: 0 of 2 complete`).waitFor();
  expect(await page.getByRole("link", { name: "New recurring envelope" }).count()).toBe(1);
  expect(await violations(page)).toEqual([]);
  await shot("3-sent");

  await page.goto(site.url);
  await page.getByRole("button", { name: /^Bank statements · \w+ \w+( \d+)?: 0 of 2 done$/ }).waitFor();
  await page.getByRole("link", { name: "Schedules" }).click();
  // The first tab has no entry.
  await page.getByRole("tab", { name: "Recurring 1", selected: true }).waitFor();
  await page.waitForURL("**/schedules?schedules=recurring");
  await row.getByRole("link", { name: "Edit “Bank statements”" }).click();
  const edited = page.getByRole("dialog", { name: "Edit recurring envelope" });
  await edited.getByText("2 recipients", { exact: true }).waitFor();
  await edited.getByRole("checkbox", { name: "Send to row 2" }).uncheck();
  await shot("4-edit");
  for (let step = 0; step < 3; step += 1)
    await edited.getByRole("button", { name: "Next", exact: true }).click();
  await edited.getByLabel("Name", { exact: true }).fill("Statements");
  expect(
    await edited.getByRole("status").filter({ hasText: "Will be sent on" }).getByRole("listitem").count(),
  ).toBe(1);
  await edited.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Recurring envelope saved", { exact: true }).waitFor();
  await page.getByText(/ 1 recipient$/).waitFor();
  await page.getByRole("button", { name: "Sign Out" }).focus();
  await page.getByRole("button", { name: "Delete “Statements”" }).press("Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("Recurring envelope deleted", { exact: true }).waitFor();
  await page.getByText("No recurring envelopes yet.", { exact: false }).waitFor();
  await waitForFocus(page.getByRole("tabpanel"));
  // An empty list leads to where an entry is made.
  await page.getByRole("link", { name: "New recurring envelope" }).click();
  await page.getByRole("dialog", { name: "New recurring envelope" }).waitFor();
  await page.goto(`${site.url}/schedules?schedules=scheduled`);
  await page.getByRole("link", { name: "New Envelope" }).click();
  await page.getByRole("dialog", { name: "Create New Envelope" }).waitFor();
  // The envelopes that it has sent stay.
  await page.goto(site.url);
  await page.getByRole("button", { name: /^Statements of \w+: 0 of 2 done$/ }).waitFor();
}, 120_000);

test("a pasted list is read at once, and the days of a template count from the day of the first envelope", async () => {
  const { page } = await site.openAccount("recurring-template@example.com");
  const created = await page.request.post(`${site.url}/api/templates`, {
    data: { name: "Monthly", subject: "Papers", fields: [{ name: "Statement" }], dueInDays: 14 },
  });
  const { id } = await created.json();
  await page.clock.setFixedTime(new Date("2031-03-10T12:00:00Z"));
  await page.goto(`${site.url}/?wizard=recurring&template=${id}`);
  const form = page.getByRole("dialog", { name: "New recurring envelope" });
  await form.getByRole("button", { name: "Paste a list" }).click();
  await form.getByLabel("Cells from a spreadsheet").evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "Name\tEmail\nAda\tada@example.com");
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await form.getByText("1 recipient", { exact: true }).waitFor();
  for (let step = 0; step < 3; step += 1)
    await form.getByRole("button", { name: "Next", exact: true }).click();
  expect(await form.getByLabel("Starts").inputValue()).toBe("2031-04-01");
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>("input[name=dueDate]")?.value === "2031-04-15",
  );
});

test("whom the next one leaves out is said before it is sent, after it, and in its row", async () => {
  const { page } = await site.openAccount("recurring-left-out@example.com");
  const created = await page.request.post(`${site.url}/api/series`, {
    data: {
      ...{ name: "Statements", every: 1, unit: "month", startOn: "2031-03-10", ifOpen: "skip" },
      envelope: { subject: "Statements", documents: [{ name: "Statement" }] },
      recipients: ["Ada", "Bob"].map((name) => ({
        recipientName: name,
        recipientEmail: `${name.toLowerCase()}@example.com`,
      })),
    },
  });
  const { id } = await created.json();
  await page.goto(`${site.url}/schedules?schedules=recurring`);
  const row = page.getByRole("listitem").filter({ hasText: "Statements" });
  const sendNow = async () => {
    await row.getByRole("button", { name: "Send now: “Statements”" }).click();
    const question = page.getByRole("alertdialog", { name: "Send the next one now?" });
    await question.getByText(/ Recipients whose last one is still open are left out\.$/).waitFor();
    await question.getByRole("button", { name: "Send now", exact: true }).click();
  };
  await sendNow();
  await row.getByText(/^Last one, for .+: 0 of 2 complete$/).waitFor();
  await page.request.post(`${site.url}/api/series/${id}/recipients`, {
    data: { recipients: [{ recipientName: "Cid", recipientEmail: "cid@example.com" }] },
  });
  await page.reload();
  await row.getByText(/ 3 recipients$/).waitFor();
  await sendNow();
  await row.getByText(/^Last one, for .+: 0 of 1 complete · 2 left out$/).waitFor();
  await page.getByText("2 left out", { exact: true }).waitFor();
  await sendNow();
  await row.getByText(/^Last one, for .+: not sent to anybody · 3 left out$/).waitFor();
  await row.getByRole("link", { name: "Edit “Statements”" }).click();
  const edited = page.getByRole("dialog", { name: "Edit recurring envelope" });
  for (let step = 0; step < 3; step += 1)
    await edited.getByRole("button", { name: "Next", exact: true }).click();
  const unit = edited.getByLabel("Period");
  expect(await unit.locator("option").allTextContents()).toEqual(["week", "month", "year"]);
  await edited.getByLabel("Every").fill("2");
  expect(await unit.locator("option").allTextContents()).toEqual(["weeks", "months", "years"]);
});

test("on a phone in German, a long name and a time of a recurring envelope are shown in full", async () => {
  const { page } = await site.openAccount("long-name@example.com", {
    ...PHONE,
    viewport: { width: 320, height: 568 },
  });
  await page.request.patch(`${site.url}/api/user/profile`, { data: { languagePreference: "de" } });
  const name = "Kontoauszüge und Belege der Buchhaltung für die Umsatzsteuervoranmeldung der Muster GmbH";
  const created = await page.request.post(`${site.url}/api/series`, {
    data: {
      ...{ name, every: 1, unit: "month", startOn: `${new Date().getUTCFullYear() + 1}-12-31`, sendHour: 14 },
      envelope: { subject: "Belege", documents: [{ name: "Kontoauszug" }] },
      recipients: [{ recipientName: "Ada", recipientEmail: "ada@example.com" }],
    },
  });
  expect(created.ok(), await created.text()).toBe(true);
  await page.goto(`${site.url}/schedules?schedules=recurring`);
  const shown = page.getByText(name, { exact: true });
  await shown.waitFor();
  expect(await shown.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const next = page.getByText(/^Nächster: .*14:00$/);
  const lines = await next.evaluate((element) => {
    const text = document.createRange();
    text.selectNodeContents(element);
    return text.getClientRects().length;
  });
  expect(lines).toBe(1);
}, 60_000);
