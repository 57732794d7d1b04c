import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { PHONE, violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();

const formOf = (page: Page) => page.getByRole("dialog", { name: "New envelope for several recipients" });
/** Waits until the focus is at what has this name. */
const untilAt = (page: Page, name: string) =>
  page.waitForFunction((wanted) => {
    const element = document.activeElement;
    return (element?.getAttribute("aria-label") ?? element?.textContent) === wanted;
  }, name);
const isFocused = (control: Locator) =>
  control.evaluate((element) => {
    const { activeElement } = document;
    return activeElement === element;
  });

async function untilFocused(control: Locator): Promise<void> {
  await control.waitFor();
  await control
    .page()
    .waitForFunction((element) => document.activeElement === element, await control.elementHandle());
  expect(await isFocused(control)).toBe(true);
}

/** Presses Tab until the control has the focus. */
async function tabTo(control: Locator): Promise<void> {
  await control.waitFor();
  for (let presses = 0; presses < 40 && !(await isFocused(control)); presses += 1)
    await control.page().keyboard.press("Tab");
  expect(await isFocused(control)).toBe(true);
}

test("an envelope for several recipients is sent by keys alone, from home to its group", async () => {
  const { page } = await site.openAccount("keys@example.com");
  await page.goto(site.url);
  const { keyboard } = page;
  await tabTo(page.getByRole("button", { name: "New Envelope", exact: true }));
  await keyboard.press("Enter");
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  await tabTo(wizard.getByRole("button", { name: "For several recipients" }));
  await keyboard.press("Enter");
  const form = formOf(page);
  const next = form.getByRole("button", { name: "Next", exact: true });
  await untilFocused(form.getByRole("button", { name: "Add contacts" }));
  await tabTo(next);
  await keyboard.press("Enter");
  await form.getByText("Add at least one recipient.", { exact: true }).waitFor();
  const add = form.getByRole("button", { name: "Add a row" });
  await add.focus();
  await keyboard.press("Enter");
  await untilFocused(form.getByLabel("Name, row 1", { exact: true }));
  await keyboard.type("Ida Rhodes");
  await keyboard.press("Tab");
  await keyboard.type("ida@example.com");
  // Enter goes down a row, and after the last one to the button that adds one.
  await keyboard.press("Enter");
  await untilFocused(add);
  await keyboard.press("Enter");
  await untilFocused(form.getByLabel("Name, row 2", { exact: true }));
  await keyboard.type("Ada Lovelace");
  await keyboard.press("Tab");
  await keyboard.type("ada(at)example.com");
  await keyboard.press("ArrowUp");
  await untilAt(page, "Email, row 1");
  await tabTo(next);
  await keyboard.press("Enter");
  // The wrong cell has the focus.
  const address = form.getByLabel("Email, row 2", { exact: true });
  await untilFocused(address);
  await keyboard.type("ada@example.com");
  expect(await address.inputValue()).toBe("ada@example.com");
  await form.getByText("2 recipients", { exact: true }).waitFor();
  await tabTo(next);
  await keyboard.press("Enter");
  await untilFocused(form.getByLabel("Subject"));
  await keyboard.type("Tax return 2025");
  await keyboard.press("Enter");
  await tabTo(form.getByLabel("Document Name"));
  await keyboard.type("Payslips");
  await tabTo(next);
  await keyboard.press("Enter");
  const send = form.getByRole("button", { name: "Send to 2 recipients" });
  await tabTo(send);
  await keyboard.press("Enter");
  await form.waitFor({ state: "detached" });
  await page.getByText("Tax return 2025: 0 of 2 done", { exact: true }).waitFor();
}, 120_000);

test("arrow keys and Enter move between rows, without those that are left out", async () => {
  const { page } = await site.openAccount("arrows@example.com");
  await page.goto(`${site.url}/?wizard=several`);
  const form = formOf(page);
  const { keyboard } = page;
  await form.getByRole("button", { name: "Paste a list" }).click();
  const lines = Array.from(
    { length: 60 },
    (_, index) => `Person ${index + 1}\tperson${index + 1}@example.com`,
  );
  await form.getByLabel("Cells from a spreadsheet").fill(`Name\tEmail\n${lines.join("\n")}`);
  await form.getByRole("button", { name: "Use these rows" }).press("Enter");
  await form.getByText("60 recipients", { exact: true }).waitFor();
  await untilAt(page, "Paste a list");
  await form.getByLabel("Send to row 2", { exact: true }).focus();
  await keyboard.press("Space");
  await untilAt(page, "Send to row 2");
  await keyboard.press("ArrowUp");
  await untilAt(page, "Send to row 1");
  await keyboard.press("Tab");
  await keyboard.press("ArrowDown");
  await untilAt(page, "Name, row 3");
  await keyboard.press("Shift+Enter");
  await untilAt(page, "Name, row 1");
  await keyboard.press("ArrowUp");
  await untilAt(page, "Name, row 1");
  // Rows that were not rendered before are found.
  for (let row = 3; row <= 60; row += 1) {
    await keyboard.press(row % 2 ? "Enter" : "ArrowDown");
    await untilAt(page, `Name, row ${row}`);
  }
  await keyboard.type("The last one");
  // Scrolling away keeps what has the focus.
  await form
    .getByRole("list", { name: "Rows of the file" })
    .evaluate((list) => list.parentElement?.scrollTo(0, 0));
  await form.getByLabel("Name, row 1", { exact: true }).waitFor();
  await untilAt(page, "Name, row 60");
  await keyboard.type(" of all");
  expect(await form.getByLabel("Name, row 60", { exact: true }).inputValue()).toBe("The last one of all");
  await keyboard.press("Enter");
  await untilAt(page, "Add a row");
}, 120_000);

test.each([
  ["phone", PHONE],
  ["desktop", {}],
])("an envelope is copied to other recipients from its details, on a %s", async (device, options) => {
  const { page } = await site.openAccount(`copier-${device}@example.com`, options);
  const sent = await page.request.post(`${site.url}/api/requests`, {
    data: {
      ...{ recipientName: "Person 1", recipientEmail: "person1@example.com", subject: "Tax return 2025" },
      ...{ message: "Dear client", documents: [{ name: "Payslips" }] },
    },
  });
  const { id } = await sent.json();
  await page.goto(`${site.url}/?envelope=${id}`);
  const details = page.getByRole("dialog").first();
  await details.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Copy to other recipients" }).click();
  const form = formOf(page);
  const contacts = form.getByRole("button", { name: "Add contacts" });
  await contacts.waitFor();
  // On a touch screen, the dialog itself has the focus.
  if (device === "desktop") await untilFocused(contacts);
  await form.getByRole("button", { name: "Add a row" }).click();
  await untilFocused(form.getByLabel("Name, row 1", { exact: true }));
  await page.keyboard.type("Ida Rhodes");
  await form.getByLabel("Email, row 1", { exact: true }).fill("ida@example.com");
  await form.getByText("1 recipient", { exact: true }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  const list = form.getByRole("list", { name: "Rows of the file" });
  expect(await list.evaluate(({ parentElement: box }) => (box ? box.scrollWidth - box.clientWidth : 1))).toBe(
    0,
  );
  expect(await violations(page)).toEqual([]);
  await form.getByRole("button", { name: "Next", exact: true }).click();
  expect(await form.getByLabel("Message", { exact: true }).inputValue()).toBe("Dear client");
  // What was typed is not lost by a slip.
  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await form.waitFor();
});

test("a key in a table of 500 rows takes less than 10 ms of script", async () => {
  const { page } = await site.openAccount("fast@example.com");
  await page.goto(`${site.url}/?wizard=several`);
  const form = formOf(page);
  const lines = Array.from({ length: 500 }, (_, n) => `Person ${n},person${n}@example.com,de,${n}`);
  const buffer = Buffer.from(`Name,Email,Language,Customer\n${lines.join("\n")}`);
  await form.locator("input[type=file]").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer });
  await form.getByText("500 recipients", { exact: true }).waitFor();
  const cell = form.getByLabel("Name, row 3", { exact: true });
  await cell.focus();
  // React renders what a key changes before the event's microtasks end.
  const times = await cell.evaluate(async (input) => {
    const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    const found: number[] = [];
    for (let key = 0; key < 31; key += 1) {
      const start = performance.now();
      setter?.call(input, `Person ${key}`);
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      await Promise.resolve();
      found.push(performance.now() - start);
      await new Promise(requestAnimationFrame);
    }
    return found.sort((a, b) => a - b);
  });
  expect(times[15]).toBeLessThan(10);
  expect(await cell.inputValue()).toBe("Person 30");
  await page.keyboard.press("Tab");
  await form.getByText("500 recipients", { exact: true }).waitFor();
}, 120_000);
