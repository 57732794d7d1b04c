import { expect, test } from "bun:test";
import { DESKTOP, PHONE, violations, waitForFocus } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();

const FIELDS = [{ name: "Passport", required: true, allowedFileTypes: ["pdf", "jpg"] }, { name: "Payslip" }];

test("a template is created from an empty list, changed, and used in the wizard", async () => {
  const { page } = await site.signUp("templates@example.com");
  await page.getByRole("link", { name: "Templates" }).click();
  await page.getByRole("heading", { level: 1, name: "Templates" }).waitFor();
  await page.getByText("No templates yet", { exact: true }).waitFor();
  await page.getByText("Create your first template", { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);

  await page.getByRole("button", { name: "New Template" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Document Template" });
  await dialog.getByRole("heading", { name: "Required Documents" }).waitFor();
  expect(await dialog.getByLabel("Document Name").count()).toBe(1);
  expect(await dialog.getByRole("switch", { name: "Required" }).getAttribute("aria-checked")).toBe("false");
  await dialog.getByText("pdf, doc, docx", { exact: true }).waitFor();
  expect(await dialog.getByRole("button", { name: "Remove Document 1" }).count()).toBe(0);

  await dialog.getByRole("button", { name: "Add Document" }).click();
  expect(await dialog.getByLabel("Document Name").count()).toBe(2);
  await dialog.getByRole("button", { name: "Create Template" }).click();
  await dialog.getByText("Name is required", { exact: true }).waitFor();
  expect(await dialog.getByText("Field name is required", { exact: true }).count()).toBe(2);
  expect(await violations(page)).toEqual([]);

  await dialog.getByLabel("Template Name").fill("Mortgage");
  await dialog.getByLabel("Description").first().fill("What a bank asks for");
  await dialog.getByLabel("Document Name").first().fill("Passport");
  await dialog.getByLabel("Document Name").last().fill("passport ");
  await dialog.getByRole("switch").first().click();
  await dialog.getByRole("button", { name: "Change", exact: true }).first().click();
  await dialog.getByLabel("Allowed file types").first().fill("jpg");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Create Template" }).click();
  await dialog.getByText("Document names must be unique", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Remove passport" }).last().click();
  expect(await dialog.getByLabel("Document Name").count()).toBe(1);
  // Enter adds the next document, and ends the list where there is no name; pasted lines make one each.
  const names = dialog.getByLabel("Document Name");
  await names.press("Enter");
  await waitForFocus(names.nth(1));
  await names.nth(1).press("Enter");
  await waitForFocus(dialog.getByRole("button", { name: "Add Document" }));
  expect(await names.count()).toBe(1);
  await names.press("Enter");
  await names.nth(1).evaluate((input) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", "- Receipts\r\n- passport\r\n- Contract\r\n");
    input.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await waitForFocus(names.nth(2));
  expect(await names.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))).toEqual([
    "Passport",
    "Receipts",
    "Contract",
  ]);
  await dialog.getByRole("button", { name: "Remove Contract" }).click();
  await waitForFocus(dialog.getByRole("button", { name: "Details of Receipts" }));
  await names.nth(1).focus();
  await names.first().focus();
  await dialog.getByRole("button", { name: "File types Photo or scan" }).waitFor();
  await dialog.getByRole("button", { name: "Remove Receipts" }).click();
  await waitForFocus(dialog.getByRole("button", { name: "Details of Passport" }));
  await dialog.getByRole("button", { name: "Create Template" }).click();
  await page.getByText("Template created", { exact: true }).waitFor();
  await page.getByRole("heading", { name: "Mortgage" }).waitFor();
  await page.getByText("What a bank asks for", { exact: true }).waitFor();

  await page.getByRole("button", { name: "Edit Mortgage" }).click();
  const edit = page.getByRole("dialog", { name: "Edit Document Template" });
  expect(await edit.getByRole("switch", { name: "Required" }).getAttribute("aria-checked")).toBe("true");
  await edit.getByLabel("Template Name").fill("Mortgage 2");
  await edit.getByRole("button", { name: "Update Template" }).click();
  await page.getByText("Template updated", { exact: true }).waitFor();

  await page.getByRole("button", { name: "Use Template Mortgage 2" }).click();
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  await wizard.getByLabel("Recipient Name").fill("Ada");
  await wizard.getByLabel("Recipient Email").fill("ada@example.com");
  await wizard.getByRole("button", { name: "Next" }).click();
  await wizard.getByLabel("Subject").fill("Papers");
  await wizard.getByRole("button", { name: "Next" }).click();
  expect(await wizard.getByLabel("Document Name").inputValue()).toBe("Passport");
  await wizard.getByText("pdf, doc, docx, jpg", { exact: true }).waitFor();
}, 120_000);

test("a template is deleted after confirmation, but not while it is in use", async () => {
  const visitor = await site.openAccount("in-use@example.com");
  const { page } = visitor;
  visitor.expectStatus(409, 500);
  const made = await page.request.post(`${site.url}/api/templates`, {
    data: { name: "KYC", fields: FIELDS },
  });
  const { id } = await made.json();
  const envelope = await page.request.post(`${site.url}/api/requests`, {
    data: { isDraft: true, templateId: id, documents: FIELDS },
  });
  await page.goto(`${site.url}/templates`);
  const remove = async () => {
    await page.getByRole("button", { name: "Delete KYC" }).click();
    const question = page.getByRole("alertdialog");
    await question
      .getByText("Are you sure you want to delete this template? This action cannot be undone.")
      .waitFor();
    await question.getByRole("button", { name: /^Delete/ }).click();
    await question.waitFor({ state: "detached" });
  };
  await remove();
  await page.getByText("Delete failed", { exact: true }).waitFor();
  await page
    .getByText(
      "Cannot delete template because it has associated documents. Please delete the documents first.",
      { exact: true },
    )
    .waitFor();

  await page.route("**/api/templates/*", (route) => route.fulfill({ status: 500, body: "" }), { times: 1 });
  await remove();
  await page.getByText("Failed to delete template", { exact: true }).waitFor();

  await page.request.delete(`${site.url}/api/requests/${(await envelope.json()).id}`);
  await remove();
  await page.getByText("Template deleted", { exact: true }).waitFor();
  await page.getByText("No templates yet").waitFor();
}, 120_000);

test("a rejected template keeps the input and says why", async () => {
  const visitor = await site.openAccount("rejected@example.com");
  const { page } = visitor;
  visitor.expectStatus(404, 500);
  const made = await page.request.post(`${site.url}/api/templates`, {
    data: { name: "KYC", fields: FIELDS },
  });
  await page.goto(`${site.url}/templates?edit=${(await made.json()).id}`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Template Name").fill("Gone");
  await page.request.delete(`${site.url}/api/templates/${(await made.json()).id}`);
  await dialog.getByRole("button", { name: "Update Template" }).click();
  await page.getByText("Failed to update template", { exact: true }).waitFor();
  await page.getByText("Template not found", { exact: true }).waitFor();
  expect(await dialog.getByLabel("Template Name").inputValue()).toBe("Gone");
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await page.goto(`${site.url}/templates?dialog=new`);
  await page.route("**/api/templates*", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 500, body: "" }) : route.continue(),
  );
  await dialog.getByLabel("Template Name").fill("New");
  await dialog.getByLabel("Document Name").fill("Passport");
  await dialog.getByRole("button", { name: "Create Template" }).click();
  await page.getByText("Failed to create template", { exact: true }).waitFor();
  await page.getByText("Failed to save template", { exact: true }).waitFor();
  expect(await dialog.getByLabel("Document Name").inputValue()).toBe("Passport");
}, 120_000);

test("a template's questions are all required at once, and their bounds are written as in the language", async () => {
  const { page } = await site.openAccount("bounds@example.com");
  await page.goto(`${site.url}/templates?dialog=new`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Template Name").fill("Household");
  await dialog.getByLabel("Document Name").fill("Lease");
  const add = async (kind: string, name: string) => {
    await dialog.getByRole("button", { name: "Add question" }).click();
    await page.getByRole("menuitem", { name: kind, exact: true }).click();
    await dialog.getByLabel("Question", { exact: true }).last().fill(name);
  };
  await add("Number", "Rent");
  const least = dialog.getByLabel("At least", { exact: true }).first();
  await least.fill("1.000,50");
  await add("Date", "Moved in");
  await dialog.getByText("None of these is required.", { exact: false }).waitFor();
  await dialog.getByRole("button", { name: "Require all" }).click();
  await waitForFocus(dialog.getByRole("switch", { name: "Required", checked: true }).nth(2));
  await dialog.getByLabel("At least", { exact: true }).last().fill("2000-01-31");
  await dialog.getByRole("checkbox", { name: "At most: today" }).check();
  await dialog.getByRole("button", { name: "Create Template" }).click();
  await dialog.getByText("Enter a number or, for a date, a day", { exact: true }).waitFor();
  await waitForFocus(least);
  await least.fill("1,000.50");
  await dialog.getByRole("button", { name: "Create Template" }).click();
  await dialog.waitFor({ state: "detached" });
  const [template] = await (await page.request.get(`${site.url}/api/templates`)).json();
  expect(template.fields).toMatchObject([
    { required: true, min: null, max: null },
    { required: true, min: "1000.50", max: null },
    { required: true, min: "2000-01-31", max: "today" },
  ]);
  await page.goto(`${site.url}/templates?edit=${template.id}`);
  await dialog.getByRole("button", { name: "Details of Rent" }).click();
  expect(await least.inputValue()).toBe("1,000.50");
}, 120_000);

test("more than twelve templates are filtered by their names, which the address keeps", async () => {
  const { page } = await site.openAccount("filter@example.com");
  const names = [...Array.from({ length: 12 }, (_, index) => `KYC ${index}`), "Taxes of Müller"];
  for (const name of names)
    await page.request.post(`${site.url}/api/templates`, { data: { name, fields: FIELDS } });
  await page.goto(`${site.url}/templates`);
  const cards = page.getByRole("list", { name: "Templates" }).getByRole("listitem");
  const filter = page.getByRole("searchbox", { name: "Filter templates..." });
  await filter.fill("muller taxes");
  await cards.nth(1).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Edit Taxes of Müller" }).click();
  await page.getByRole("dialog", { name: "Edit Document Template" }).getByLabel("Template Name").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("heading", { name: "Taxes of Müller" }).waitFor();
  expect([await filter.inputValue(), await cards.count()]).toEqual(["muller taxes", 1]);
  await filter.fill("nothing of this name");
  await page.getByText("No results.", { exact: true }).waitFor();
  await filter.fill("");
  await cards.nth(12).waitFor();
  await waitForFocus(filter);
}, 120_000);

test("the grid and its dialog have no accessibility violation on a phone, and on a desktop three columns", async () => {
  const { page } = await site.openAccount("barrier@example.com", PHONE);
  await page.request.post(`${site.url}/api/templates`, { data: { name: "KYC", fields: FIELDS } });
  await page.goto(`${site.url}/templates?dialog=new`);
  await page.getByRole("dialog").getByLabel("Document Name").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.goto(`${site.url}/templates`);
  await page.getByRole("heading", { name: "KYC" }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize(DESKTOP.viewport);
  const grid = page.getByRole("list", { name: "Templates" });
  expect(await grid.evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(" ").length)).toBe(3);
}, 120_000);

test("a dialog opened by its address stays open while its form's texts are still loading", async () => {
  const { page } = await site.signUp("address@example.com");
  const created = await page.request.post(`${site.url}/api/templates`, {
    data: { name: "Mortgage", fields: FIELDS },
  });
  const { id } = await created.json();
  const [templates, texts] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(/\/api\/templates/, async (route) => {
    await templates.promise;
    await route.continue();
  });
  await page.route("**/locales/en/envelopes.json", async (route) => {
    await texts.promise;
    await route.continue();
  });
  await page.goto(`${site.url}/templates?edit=${id}`);
  const dialog = page.getByRole("dialog", { name: "Edit Document Template" });
  await dialog.waitFor();
  const requested = page.waitForRequest("**/locales/en/envelopes.json");
  templates.resolve();
  await requested;
  // The browser tells of what has disappeared with the next frame.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 5; frame += 1) await new Promise(requestAnimationFrame);
  });
  texts.resolve();
  await dialog.getByLabel("Template Name").waitFor();
  expect(await dialog.getByLabel("Template Name").inputValue()).toBe("Mortgage");
});
