import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { chooseLastOption, PHONE, violations, waitForFocus } from "../support/browser/browser";
import { holdNextCall } from "../support/browser/held-call";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();

const passport = {
  name: "Passport",
  description: "Photo page",
  required: true,
  allowedFileTypes: ["pdf", "jpg"],
};

async function post(page: Page, path: string, data: object) {
  const response = await page.request.post(`${site.url}/api/${path}`, { data });
  expect(response.status(), await response.text()).toBe(201);
  return response.json();
}

const envelope = (change: object = {}) => ({
  recipientName: "Ada Lovelace",
  recipientEmail: "ada@example.com",
  subject: "Mortgage",
  message: "Please send these.",
  documents: [passport],
  ...change,
});

test("the empty home says what to do and opens the wizard", async () => {
  const { page, expectStatus } = await site.signUp("empty@example.com");
  await page.getByText("No Doculopes yet").waitFor();
  await page.getByText("Create your first document envelope to get started").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "New Envelope" }).click();
  await page.getByRole("dialog", { name: "Create New Envelope" }).waitFor();
  await page.goBack();
  await page.getByRole("dialog").waitFor({ state: "detached" });

  // What a link names and does not exist is said, and the wizard is empty.
  expectStatus(404);
  for (const [search, text] of [
    ["template=99999", "Template not found"],
    ["contact=99999", "Contact not found"],
  ] as const) {
    await page.goto(`${site.url}/?wizard=new&${search}`);
    const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
    expect(await wizard.getByLabel("Recipient Name").inputValue()).toBe("");
    await wizard.getByText(text, { exact: true }).waitFor();
  }
}, 120_000);

test("the table filters, sorts and shows the progress of each envelope", async () => {
  const { page } = await site.openAccount("table@example.com");
  await post(page, "requests", envelope({ subject: "banana", expirationDate: "2999-12-03" }));
  await post(page, "requests", envelope({ subject: "Apple", recipientName: "Grace Hopper" }));
  await post(page, "requests", { isDraft: true, subject: "cherry" });
  await page.goto(`${site.url}/`);
  const table = page.getByRole("table");
  const subjects = () => table.getByRole("row").getByRole("link").allInnerTexts();
  await table.getByRole("link", { name: "cherry" }).waitFor();
  expect(await subjects()).toEqual(["cherry", "Apple", "banana"]);
  expect(await table.getByRole("columnheader").allInnerTexts()).toEqual([
    "Subject",
    "Recipient",
    "Status",
    "Created",
    ...["Due", "Opened", "Reminded"],
    "Actions",
  ]);
  const row = (name: string) => table.getByRole("row").filter({ hasText: name });
  await row("Apple").getByText("Grace Hopper", { exact: true }).locator("visible=true").waitFor();
  await row("Apple").getByText("pending", { exact: true }).locator("visible=true").waitFor();
  await row("cherry").getByText("draft", { exact: true }).locator("visible=true").waitFor();
  await row("banana")
    .getByText("0 of 1 document · link works until 3 Dec 2999")
    .locator("visible=true")
    .waitFor();
  expect(await row("Apple").getByRole("button", { name: "Edit" }).count()).toBe(0);
  await row("cherry").getByRole("button", { name: "Edit" }).waitFor();

  const failing = "not delivered";
  expect(await table.getByText(failing, { exact: true }).count()).toBe(0);
  await page.route("**/api/requests?*", async (route) => {
    const response = await route.fetch();
    const rows: { subject: string }[] = await response.json();
    const json = rows.map((each) => (each.subject === "Apple" ? { ...each, delivery: "failed" } : each));
    await route.fulfill({ response, json });
  });
  await page.reload();
  await row("Apple").getByText(failing, { exact: true }).waitFor();
  expect(
    await row("Apple")
      .getByRole("link")
      .evaluate((link) => link.ariaDescribedByElements?.map(({ textContent }) => textContent).join(" ")),
  ).toStartWith(`Grace Hopper ${failing} · 0 of 1 document`);
  await row("Apple").getByText("pending", { exact: true }).locator("visible=true").waitFor();
  expect(await table.getByText(failing, { exact: true }).count()).toBe(1);
  // A phone has room for one of them.
  const unopened = row("Apple").getByText("not opened yet", { exact: true });
  await page.setViewportSize({ width: 1000, height: 720 });
  await unopened.waitFor();
  await page.setViewportSize({ width: 390, height: 720 });
  await unopened.waitFor({ state: "hidden" });
  await row("Apple").getByText(failing, { exact: true }).locator("visible=true").waitFor();
  await page.setViewportSize({ width: 1280, height: 720 });

  const bySubject = table.getByRole("button", { name: "Subject" });
  for (const sorted of ["Apple,banana,cherry", "cherry,banana,Apple"]) {
    await bySubject.click();
    await page.waitForFunction(
      (wanted) => [...document.querySelectorAll("tbody a")].map((link) => link.textContent).join() === wanted,
      sorted,
    );
  }
  await page.getByPlaceholder("Filter Doculopes...").fill("APP");
  await row("banana").waitFor({ state: "detached" });
  expect(await subjects()).toEqual(["Apple"]);
  expect(await violations(page)).toEqual([]);
  await page.getByPlaceholder("Filter Doculopes...").fill("nothing like it");
  await page.getByText("No results.", { exact: true }).waitFor();
}, 120_000);

test("a click on any text of a row opens its details, with the middle button in a new tab", async () => {
  const { page } = await site.openAccount("rows@example.com");
  await post(page, "requests", envelope());
  await page.goto(`${site.url}/`);
  const row = page.getByRole("row").filter({ hasText: "Mortgage" });
  const details = page.getByRole("dialog");
  const cells = [envelope().recipientName, "pending"].map((text) => row.getByText(text, { exact: true }));
  for (const cell of [...cells, row]) {
    await cell.click();
    await details.getByText("Timeline", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "detached" });
  }
  const opened = page.context().waitForEvent("page");
  await cells[0]?.click({ button: "middle" });
  await (await opened).waitForURL(/envelope=/);
  expect(await details.count()).toBe(0);
}, 120_000);

test("deleting an envelope asks for confirmation", async () => {
  const { page } = await site.openAccount("delete@example.com", { statuses: [500] });
  await post(page, "requests", envelope());
  await page.goto(`${site.url}/`);
  const row = page.getByRole("row").filter({ hasText: "Mortgage" });
  await row.hover();
  await row.getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog");
  await question
    .getByText("Are you sure you want to delete this envelope? This action cannot be undone.")
    .waitFor();
  await question.getByText("Envelope: Mortgage · Ada Lovelace", { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  await row.hover();
  await row.getByRole("button", { name: "Delete" }).click();
  await page.route("**/api/requests/*", (route) => route.fulfill({ status: 500, body: "" }), { times: 1 });
  await question.getByRole("button", { name: /^Delete/ }).click();
  await page.getByText("Delete failed", { exact: true }).waitFor();
  await page.getByText("Failed to delete envelope", { exact: true }).waitFor();
  // A row on a phone has its first action alone.
  await page.setViewportSize(PHONE.viewport);
  await page.getByRole("link", { name: "Mortgage" }).click();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete envelope" }).click();
  await question.getByRole("button", { name: /^Delete/ }).click();
  await page.getByText("Envelope deleted", { exact: true }).waitFor();
  await page.getByText("The envelope has been successfully deleted", { exact: true }).waitFor();
  await page.getByText("No Doculopes yet").waitFor();
}, 120_000);

test("a phone number sets its country, keeps all digits and is sent in full", async () => {
  const { page } = await site.openAccount("phones@example.com");
  await page.goto(`${site.url}/?wizard=new`);
  const dialog = page.getByRole("dialog", { name: "Create New Envelope" });
  const phone = dialog.getByLabel("Phone");
  const next = dialog.getByRole("button", { name: "Next" });
  await dialog.getByLabel("Recipient Name").fill("Grete");
  await dialog.getByLabel("Recipient Email").fill("grete@example.com");
  await phone.fill("01512 34567890");
  expect(await phone.inputValue()).toBe("0151234567890");
  await next.click();
  await dialog.getByText("Invalid phone number format. Must include country code", { exact: true }).waitFor();
  await phone.fill("+49 01512 3456789");
  await dialog.getByRole("button", { name: "Country Code +49" }).waitFor();
  expect(await phone.inputValue()).toBe("01512 3456789");
  expect(await violations(page)).toEqual([]);
  await next.click();
  await dialog.getByLabel("Subject").fill("Unterlagen");
  await next.click();
  await dialog.getByLabel("Document Name").fill("Ausweis");
  await dialog.getByText("None of these is required.", { exact: false }).waitFor();
  await dialog.getByRole("switch", { name: "Required" }).click();
  expect(await dialog.getByText("None of these is required.", { exact: false }).count()).toBe(0);
  await next.click();
  // The recipient is new, and becomes a contact.
  await dialog.getByRole("switch", { name: "Save the recipient as a contact", checked: true }).waitFor();
  await dialog.getByRole("button", { name: "Create Envelope" }).click();
  await dialog.waitFor({ state: "detached" });
  const read = async (path: string) => (await page.request.get(`${site.url}/api/${path}`)).json();
  const [sent] = await read("requests");
  expect(sent.recipientPhone).toBe("+4915123456789");
  const contact = { firstName: "Grete", lastName: null, email: "grete@example.com", phone: "+4915123456789" };
  expect(await read("contacts")).toMatchObject([{ id: sent.contactId, ...contact }]);
}, 120_000);

/** Opens the wizard and fills it to its last step. */
async function fillWizard(page: Page, subject: string): Promise<Locator> {
  await page.goto(`${site.url}/?wizard=new`);
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  const next = wizard.getByRole("button", { name: "Next" });
  await wizard.getByLabel("Recipient Name").fill("Grete");
  await wizard.getByLabel("Recipient Email").fill("grete@example.com");
  await next.click();
  await wizard.getByLabel("Subject").fill(subject);
  await next.click();
  await wizard.getByLabel("Document Name").fill("Passport");
  await next.click();
  return wizard;
}

test("an envelope and a contact whose response was lost are not created again by a second press", async () => {
  const { page } = await site.signUp("lost@example.com", { statuses: [503] });
  const unavailable = { status: 503, json: { code: "unavailable", message: "Please try again" } };
  let lost = false;
  await page.route("**/api/requests", async (route) => {
    if (lost || route.request().method() !== "POST") return route.continue();
    lost = true;
    await route.fetch();
    await route.fulfill(unavailable);
  });
  // Nor does the page learn of the contact.
  await page.route("**/api/contacts?*", (route) => (lost ? route.fulfill(unavailable) : route.continue()));
  const wizard = await fillWizard(page, "Once");
  await wizard.getByRole("button", { name: "Create Envelope" }).click();
  await page.getByText("Failed to create envelope", { exact: true }).waitFor();
  const release = await holdNextCall(page, "**/api/requests");
  await wizard.getByRole("button", { name: "Create Envelope" }).click();
  // Nothing is lost yet, so nothing asks, and nothing leaves.
  await page.keyboard.press("Escape");
  await page.goBack();
  expect(await page.getByRole("alertdialog").count()).toBe(0);
  release();
  await wizard.waitFor({ state: "detached" });
  const created = ["requests", "contacts"].map(async (list) =>
    (await page.request.get(`${site.url}/api/${list}`)).json(),
  );
  for (const list of await Promise.all(created)) expect(list).toHaveLength(1);
}, 120_000);

test("an envelope that needs verification is saved as a draft, and the mail can be sent again", async () => {
  const { page } = await site.signUp("unverified@example.com", { statuses: [403] });
  await page.route("**/api/requests", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const json = { code: "verify_email", message: "Please verify", params: { draftId: 1 } };
    await route.fulfill({ status: 403, json });
  });
  const wizard = await fillWizard(page, "Papers");
  await wizard.getByRole("button", { name: "Create Envelope" }).click();
  const dialog = page.getByRole("dialog", { name: "Verify your email address" });
  await dialog.getByText("Your envelope was saved as a draft. It has not been sent yet.").waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Send the email again" }).click();
  await dialog.getByRole("button", { name: "Email sent" }).waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });
}, 120_000);

test("the wizard checks each step, takes contact and template, and sends", async () => {
  const { page } = await site.openAccount("wizard@example.com");
  await post(page, "contacts", {
    firstName: "Grace",
    lastName: "Hopper",
    email: "grace@example.com",
    phone: "+442079460000",
  });
  await post(page, "templates", { name: "New client", fields: [passport, { name: "Proof of address" }] });
  await page.goto(`${site.url}/?wizard=new`);
  const dialog = page.getByRole("dialog", { name: "Create New Envelope" });
  const next = dialog.getByRole("button", { name: "Next" });
  expect(await dialog.getByRole("button", { name: "Previous" }).isDisabled()).toBe(true);
  await next.click();
  await page.getByText("Required Fields", { exact: true }).waitFor();
  await page.getByText("Please fill in all required fields before proceeding.", { exact: true }).waitFor();
  await dialog.getByText("Recipient name is required", { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);

  await dialog.getByLabel("Recipient Name").fill("Somebody");
  await dialog.getByLabel("Recipient Email").fill("not an address");
  await next.click();
  await dialog.getByText("Invalid email", { exact: true }).waitFor();
  // At first that of the browser's region.
  await dialog.getByRole("button", { name: "Country Code +44 United Kingdom" }).click();
  await page.getByRole("option", { name: "+1 United States/Canada" }).click();
  await dialog.getByLabel("Phone").pressSequentially("555abc1234567999");
  expect(await dialog.getByLabel("Phone").inputValue()).toBe("(555) 123-4567");

  await dialog.getByRole("button", { name: /contact/i }).click();
  await page.getByPlaceholder("Search contacts").fill("nobody");
  await page.getByText("No contacts found", { exact: true }).waitFor();
  await page.getByPlaceholder("Search contacts").fill("hop");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("option", { name: /Grace Hopper/ }).click();
  expect(await dialog.getByLabel("Recipient Name").inputValue()).toBe("Grace Hopper");
  expect(await dialog.getByLabel("Recipient Email").inputValue()).toBe("grace@example.com");
  expect(await dialog.getByLabel("Phone").inputValue()).toBe("20 7946 0000");
  await dialog.getByRole("button", { name: "Country Code +44" }).waitFor();
  await next.click();
  await page.getByText("Required Fields", { exact: true }).waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Previous" }).click();
  await dialog.getByRole("button", { name: "Contact Grace Hopper" }).waitFor();
  await next.click();

  await dialog.getByLabel("Subject").fill("Welcome papers");
  await dialog.getByLabel("Message").fill("Hello Grace");
  expect(await violations(page)).toEqual([]);
  await next.click();
  await dialog.getByRole("button", { name: /^Template/ }).click();
  await page.getByRole("option", { name: /New client/ }).click();
  expect(await dialog.getByLabel("Document Name").count()).toBe(2);
  await dialog.getByRole("button", { name: "Add Document" }).click();
  await dialog.getByLabel("Document Name").nth(2).fill("passport");
  await next.click();
  await dialog.getByText("Document names must be unique").waitFor();
  await dialog.getByRole("button", { name: "Remove passport", exact: true }).click();
  const proof = dialog
    .getByRole("listitem")
    .filter({ has: page.getByRole("button", { name: "Move Proof of address" }) });
  await waitForFocus(proof.getByRole("button", { name: "Details of Proof of address" }));
  await proof.getByRole("button", { name: /^File types/ }).click();
  await chooseLastOption(page, "Other types...");
  await proof.getByLabel("Allowed file types").fill("png");
  await page.keyboard.press("Enter");
  expect(await violations(page)).toEqual([]);
  await next.click();

  await dialog.getByLabel(/Expir/).fill("2020-01-01");
  await dialog.getByText("The date cannot be in the past", { exact: true }).waitFor();
  await dialog.getByLabel(/Expir/).fill("1800-01-01");
  await dialog.getByText("The date cannot be before 1900", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Create Envelope" }).click();
  await dialog.getByLabel(/Expir/).fill("2999-12-31");
  await dialog.getByRole("button", { name: /^Reminder Frequency/ }).click();
  await page.getByRole("option", { name: "Weekly" }).click();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create Envelope" }).click();
  await page.getByText("Envelope created", { exact: true }).waitFor();
  await page.getByText("The envelope has been sent to the recipient.", { exact: true }).waitFor();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Welcome papers" }).waitFor();

  const [sent] = await (await page.request.get(`${site.url}/api/requests`)).json();
  expect(sent).toMatchObject({
    title: "Document Request for Grace Hopper",
    recipientPhone: "+442079460000",
    reminderFrequency: "weekly",
    status: "pending",
    contact: { firstName: "Grace", lastName: "Hopper" },
  });
  expect(sent.documents[1].allowedFileTypes).toEqual(["pdf", "doc", "docx", "png"]);
}, 120_000);

test("a template replaces typed documents, Undo restores them, and an invalid file type is named", async () => {
  const { page } = await site.openAccount("undo@example.com");
  await post(page, "templates", { name: "New client", fields: [passport, { name: "Proof of address" }] });
  await page.goto(`${site.url}/?wizard=new`);
  const dialog = page.getByRole("dialog", { name: "Create New Envelope" });
  await dialog.getByLabel("Recipient Name").fill("Ada");
  await dialog.getByLabel("Recipient Email").fill("ada@example.com");
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByLabel("Subject").fill("Papers");
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByLabel("Document Name").fill("Typed by hand");
  const change = dialog.getByRole("button", { name: "Change", exact: true });
  const description = await change.getAttribute("aria-describedby");
  expect(await page.locator(`[id="${description}"]`).textContent()).toBe("Allowed file types");
  await change.click();
  await dialog.getByLabel("Allowed file types").fill("png weird!");
  await page.keyboard.press("Enter");
  await dialog.getByText("“weird!” is not a file extension.").waitFor();
  expect(await dialog.getByLabel("Allowed file types").inputValue()).toBe("weird!");
  await dialog.getByLabel("Allowed file types").fill("");
  await dialog.getByText("“weird!” is not a file extension.").waitFor({ state: "detached" });

  await dialog.getByRole("button", { name: "File types PDF, Word, or Photo" }).click();
  await page.getByRole("option", { name: "Photo or scan" }).click();
  for (const type of ["jpg", "heic"]) await dialog.getByText(type, { exact: true }).waitFor();
  expect(await dialog.getByText("docx", { exact: true }).count()).toBe(0);

  await dialog.getByRole("button", { name: /^Template/ }).click();
  await page.getByRole("option", { name: /New client/ }).click();
  await page.getByText("Your list was replaced.", { exact: true }).waitFor();
  expect(await dialog.getByLabel("Document Name").count()).toBe(2);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" });
  expect(await dialog.getByLabel("Document Name").count()).toBe(1);
  expect(await dialog.getByLabel("Document Name").inputValue()).toBe("Typed by hand");
  await dialog.getByText("jpg, jpeg, png, heic, pdf", { exact: true }).waitFor();
}, 120_000);

test("documents are duplicated, and moved by keys and by the pointer", async () => {
  const { page } = await site.openAccount("rows@example.com");
  const documents = ["Payslip", "Contract"].map((name) => ({ ...passport, name }));
  const draft = await post(page, "requests", envelope({ isDraft: true, documents }));
  await page.goto(`${site.url}/?edit=${draft.id}`);
  const dialog = page.getByRole("dialog", { name: "Edit Envelope" });
  for (const field of ["Subject", "Document Name"]) {
    await dialog.getByRole("button", { name: "Next" }).click();
    await dialog.getByLabel(field).first().waitFor();
  }
  const names = () =>
    dialog
      .getByLabel("Document Name")
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  // What a row hides is named below it.
  await dialog.getByText("Photo page", { exact: true }).first().waitFor();
  expect(await dialog.getByLabel("Description").first().isVisible()).toBe(false);
  await dialog.getByRole("button", { name: "Details of Payslip" }).click();
  await dialog.getByLabel("Description").first().fill("Of December");
  await dialog.getByRole("button", { name: "Duplicate Payslip" }).click();
  await waitForFocus(dialog.getByLabel("Document Name").nth(1));
  expect(await names()).toEqual(["Payslip", "Payslip 2", "Contract"]);
  expect(await violations(page)).toEqual([]);

  const handle = (name: string) => dialog.getByRole("button", { name: `Move ${name}`, exact: true });
  await handle("Payslip").focus();
  await page.keyboard.press("ArrowDown");
  await waitForFocus(handle("Payslip"));
  const down = dialog.getByRole("button", { name: "Move down: Payslip", exact: true });
  await down.click();
  await waitForFocus(handle("Payslip"));
  expect(await down.isDisabled()).toBe(true);
  await dialog.getByText("Payslip, now 3 of 3", { exact: true }).waitFor({ state: "attached" });
  expect(await names()).toEqual(["Payslip 2", "Contract", "Payslip"]);
  const [from, to] = [await handle("Payslip").boundingBox(), await handle("Payslip 2").boundingBox()];
  await page.mouse.move((from?.x ?? 0) + 8, (from?.y ?? 0) + 8);
  await page.mouse.down();
  await page.mouse.move((to?.x ?? 0) + 8, (to?.y ?? 0) + 8, { steps: 12 });
  await page.mouse.up();
  expect(await names()).toEqual(["Payslip", "Payslip 2", "Contract"]);
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByRole("button", { name: "Save as Draft" }).click();
  await dialog.waitFor({ state: "detached" });
  const [saved] = await (await page.request.get(`${site.url}/api/requests`)).json();
  expect(
    saved.documents.map(({ name, description }: { name: string; description: string }) => [
      name,
      description,
    ]),
  ).toEqual([
    ["Payslip", "Of December"],
    ["Payslip 2", "Of December"],
    ["Contract", "Photo page"],
  ]);
}, 120_000);

test("a draft is saved, reopened in full, and sent", async () => {
  const { page } = await site.openAccount("draft@example.com");
  const draft = await post(
    page,
    "requests",
    envelope({ isDraft: true, recipientPhone: "+15551234567", expirationDate: "2999-05-05" }),
  );
  await page.goto(`${site.url}/?edit=${draft.id}`);
  const dialog = page.getByRole("dialog", { name: "Edit Envelope" });
  expect(await dialog.getByLabel("Recipient Name").inputValue()).toBe("Ada Lovelace");
  expect(await dialog.getByLabel("Phone").inputValue()).toBe("");
  await dialog.getByText("+15551234567 stays on file unless you type another number.").waitFor();
  const next = dialog.getByRole("button", { name: "Next" });
  await next.click();
  await dialog.getByLabel("Subject").fill("Mortgage, second try");
  await next.click();
  expect(await dialog.getByRole("button", { name: /^Remove Passport/ }).count()).toBe(0);
  await next.click();
  expect(await dialog.getByLabel(/Expir/).inputValue()).toBe("2999-05-05");
  await dialog.getByRole("button", { name: "Save as Draft" }).click();
  await page.getByText("Draft updated", { exact: true }).waitFor();
  await page.getByText("The envelope has been saved as a draft.", { exact: true }).waitFor();

  const row = page.getByRole("row").filter({ hasText: "Mortgage, second try" });
  await row.hover();
  await row.getByRole("button", { name: "Edit" }).click();
  for (let step = 0; step < 3; step += 1) await next.click();
  await dialog.getByRole("button", { name: "Update Envelope" }).click();
  await page.getByText("Envelope updated", { exact: true }).waitFor();
  const [sent] = await (await page.request.get(`${site.url}/api/requests`)).json();
  expect(sent).toMatchObject({ status: "pending", recipientPhone: "+15551234567" });
}, 120_000);

test("leaving a partly filled wizard asks first, also by Cancel", async () => {
  const { page } = await site.signUp("leave@example.com");
  await page.getByRole("button", { name: "New Envelope" }).click();
  const dialog = page.getByRole("dialog", { name: "Create New Envelope" });
  const question = page.getByRole("alertdialog");
  await dialog.getByLabel("Recipient Name").fill("Half");
  const cancel = () => dialog.getByRole("button", { name: "Cancel" }).click();
  for (const leave of [() => page.keyboard.press("Escape"), () => page.goBack(), cancel]) {
    await leave();
    await question.getByText("Leave without saving?").waitFor();
    await question.getByRole("button", { name: "Keep editing" }).click();
    await question.waitFor({ state: "detached" });
    expect(await dialog.getByLabel("Recipient Name").inputValue()).toBe("Half");
  }
  await cancel();
  await question.getByRole("button", { name: "Leave" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "New Envelope" }).click();
  expect(await dialog.getByLabel("Recipient Name").inputValue()).toBe("");
  await cancel();
  await dialog.waitFor({ state: "detached" });
}, 120_000);

test("the wizard goes on by Enter, survives a reload at its step, shows the mail, and is left as a draft", async () => {
  const { page } = await site.signUp("resume@example.com");
  await page.getByRole("button", { name: "New Envelope" }).click();
  const dialog = page.getByRole("dialog", { name: "Create New Envelope" });
  await waitForFocus(dialog.getByLabel("Recipient Name"));
  await page.keyboard.type("Grace Hopper");
  await dialog.getByLabel("Recipient Email").fill("grace@example.com");
  await page.keyboard.press("Enter");
  await waitForFocus(dialog.getByLabel("Subject"));
  await page.keyboard.type("Papers for 2026");
  await page.keyboard.press("Enter");
  await waitForFocus(dialog.getByLabel("Document Name"));
  await page.keyboard.type("Contract");
  await page.reload();
  const note = dialog.getByText("What you had typed was restored.");
  await note.waitFor();
  expect(await dialog.getByLabel("Document Name").inputValue()).toBe("Contract");
  expect(await violations(page)).toEqual([]);

  await dialog.getByRole("button", { name: "Recipient", exact: true }).click();
  expect(await dialog.getByLabel("Recipient Name").inputValue()).toBe("Grace Hopper");
  await dialog.getByLabel("Recipient Email").fill("");
  await dialog.getByRole("button", { name: "Documents", exact: true }).click();
  await dialog.getByText("Recipient email is required").waitFor();
  await dialog.getByLabel("Recipient Email").fill("grace@example.com");
  await dialog.getByRole("button", { name: "Documents", exact: true }).click();
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByRole("button", { name: "Preview the message" }).click();
  const mail = dialog.getByRole("region", { name: "Email" });
  await mail.getByText("grace@example.com", { exact: true }).waitFor();
  const shown = mail.frameLocator("iframe");
  await shown.getByText("Contract", { exact: true }).waitFor();
  // Styles that the app's policy would block, and the pictures of the mail itself.
  const ground = () => shown.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
  expect(await ground()).toBe("rgb(251, 250, 247)");
  const picture = shown.locator("img");
  expect(await picture.evaluate((image: HTMLImageElement) => image.decode())).toBeUndefined();
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(56);
  expect(await shown.locator("[href]").count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await mail.getByRole("radio", { name: "Dark" }).check();
  await mail.getByRole("radio", { name: "Phone" }).check();
  expect(await ground()).toBe("rgb(14, 18, 23)");
  expect(await shown.locator(".outer").evaluate((cell) => getComputedStyle(cell).padding)).toBe("16px 12px");
  await dialog.getByRole("radio", { name: "Recipient's page" }).check();
  const view = dialog.getByRole("region", { name: "Recipient's page" });
  await view.getByRole("radio", { name: "Dark" }).check();
  const linkPage = view.frameLocator("iframe");
  await linkPage.getByText("Upload Documents").waitFor();
  await linkPage.getByText("Papers for 2026").waitFor();
  expect(await linkPage.locator("html").getAttribute("data-theme")).toBe("dark");
  expect(await linkPage.locator("body").evaluate((body) => (body as HTMLElement).inert)).toBe(true);

  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").getByRole("button", { name: "Save as Draft" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Draft saved", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Papers for 2026" }).waitFor();
  await page.getByRole("button", { name: "New Envelope" }).click();
  expect(await dialog.getByLabel("Recipient Name").inputValue()).toBe("");
  await dialog.getByLabel("Recipient Name").fill("Half");
  await page.reload();
  await note.waitFor();
  await dialog.getByRole("button", { name: "Start over" }).click();
  expect(await dialog.getByLabel("Recipient Name").inputValue()).toBe("");
}, 120_000);

test("Copy Link copies the shown link as text, or the one that has replaced it", async () => {
  const { page } = await site.openAccount("copied-link@example.com");
  const { id, submissionToken } = await post(page, "requests", envelope());
  await page.goto(`${site.url}/?envelope=${id}`);
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => void document.body.setAttribute("data-copied", text);
  });
  const copied = (token: string) =>
    page.locator(`body[data-copied="${site.url}/submit/${token}"]`).waitFor({ state: "attached" });
  const button = page.getByRole("dialog").getByRole("button", { name: "Copy Link" });
  await button.click();
  await copied(submissionToken);
  const response = await page.request.post(`${site.url}/api/requests/${id}/link`);
  const replaced = await response.json();
  await button.click();
  await copied(replaced.submissionToken);
}, 120_000);

test("the details have their own URL; back and reload work", async () => {
  const { page } = await site.openAccount("detail@example.com");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await post(page, "requests", envelope());
  await page.goto(`${site.url}/`);
  await page.getByRole("link", { name: "Mortgage" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Document Request for Ada Lovelace" });
  for (const title of ["Timeline", "Recipient", "Submission Link", "Message", "Requested Documents"])
    await dialog.getByRole("heading", { name: title, exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  const message = dialog.getByText("Please send these.", { exact: true }).last();
  expect(await message.isVisible()).toBe(false);
  await dialog.getByRole("heading", { name: "Message", exact: true }).click();
  await message.waitFor();
  await dialog.getByRole("button", { name: "Copy Link" }).click();
  // In the toast and in the timeline.
  await page.getByText("Link copied", { exact: true }).nth(1).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toStartWith(`${site.url}/submit/`);
  await page.reload();
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: "detached" });

  const phone = await site.visit("/auth", PHONE);
  await phone.page.context().addCookies(await page.context().cookies());
  await phone.page.goto(`${site.url}/?envelope=999999`);
  phone.expectStatus(404);
  await phone.page.getByText("This envelope no longer exists").waitFor();
}, 120_000);
