import { expect, test } from "bun:test";
import { samplePdf } from "../../worker/cli/seed/load";
import { PHONE, violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();

test("an empty list says what to do; a contact is added, changed and deleted", async () => {
  const { page } = await site.signUp("book@example.com");
  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  expect(await page.title()).toBe("Contacts | Doculopes");
  await page.getByText("No contacts yet", { exact: true }).waitFor();
  await page.getByText("Add your first contact", { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);

  await page.getByRole("button", { name: "Add Contact" }).click();
  const dialog = page.getByRole("dialog", { name: "Add Contact" });
  expect(await dialog.getByLabel("Phone").getAttribute("placeholder")).toBe("(123) 456-7890");
  expect(await dialog.getByLabel("Phone").getAttribute("type")).toBe("tel");
  expect(await dialog.getByLabel("Email").getAttribute("type")).toBe("email");
  await dialog.getByLabel("Email").fill("not an address");
  await dialog.getByRole("button", { name: "Add Contact" }).click();
  await dialog.getByText("First name is required", { exact: true }).waitFor();
  await dialog.getByText("Invalid email", { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);

  for (const [label, value] of [
    ["First Name", "Ada"],
    ["Last Name", "Lovelace"],
    ["Email", "Ada@Example.com"],
    ["Phone", "(555) 123-4567"],
    ["Company", "Analytical Engines"],
    ["Notes", "Prefers letters."],
  ] as const)
    await dialog.getByLabel(label, { exact: true }).fill(value);
  await dialog.getByRole("button", { name: "Add Contact" }).click();
  await page.getByText("Contact created", { exact: true }).waitFor();
  for (const shown of [
    "Ada Lovelace",
    "ada@example.com",
    "(555) 123-4567",
    "Analytical Engines",
    "Prefers letters.",
  ])
    await page.getByText(shown, { exact: true }).waitFor();
  expect(await page.getByText("No contacts yet").count()).toBe(0);

  await page.getByRole("button", { name: "Edit Ada Lovelace" }).click();
  const edit = page.getByRole("dialog", { name: "Edit Contact" });
  expect(await edit.getByLabel("Notes").inputValue()).toBe("Prefers letters.");
  await edit.getByLabel("Last Name").fill("King");
  await edit.getByLabel("Company").fill("");
  await edit.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("Contact updated", { exact: true }).waitFor();
  await page.getByRole("heading", { name: "Ada King" }).waitFor();
  expect(await page.getByText("Analytical Engines").count()).toBe(0);

  await page.getByPlaceholder("Filter contacts...").fill("babbage");
  await page.getByText("No results.", { exact: true }).waitFor();
  await page.getByPlaceholder("Filter contacts...").fill("king");
  await page.getByRole("button", { name: "Request documents from Ada King" }).click();
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  await wizard.getByRole("button", { name: "Contact Ada King" }).waitFor();
  expect(await wizard.getByLabel("Recipient Email").inputValue()).toBe("ada@example.com");
  await page.goBack();

  await page.getByRole("button", { name: "Delete Ada King" }).click();
  const question = page.getByRole("alertdialog");
  await question
    .getByText("Are you sure you want to delete this contact? This action cannot be undone.")
    .waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Delete Ada King" }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: /^Delete/ })
    .dblclick();
  await page.getByText("Contact deleted", { exact: true }).waitFor();
  await page.getByText("No results.", { exact: true }).waitFor();
  await page.waitForFunction(() => document.activeElement !== document.body);
}, 120_000);

test("the dialog has a URL, closes with back, and asks before discarding input", async () => {
  const { page } = await site.openAccount("guard@example.com");
  await page.goto(`${site.url}/contacts`);
  await page.getByRole("button", { name: "Add Contact" }).click();
  const dialog = page.getByRole("dialog", { name: "Add Contact" });
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("");

  await page.goForward();
  await page.reload();
  await dialog.getByLabel("First Name").fill("Grace");
  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  expect(await dialog.getByLabel("First Name").inputValue()).toBe("Grace");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
}, 120_000);

test("a rejection is shown with the server's message, or the app's if there is none", async () => {
  const visitor = await site.openAccount("rejected@example.com");
  const { page } = visitor;
  visitor.expectStatus(404, 500);
  const made = await page.request.post(`${site.url}/api/contacts`, { data: { firstName: "Gone" } });
  const { id } = await made.json();
  await page.goto(`${site.url}/contacts`);
  await page.getByRole("button", { name: "Edit Gone" }).click();
  await page.request.delete(`${site.url}/api/contacts/${id}`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Company").fill("Nowhere");
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("Update failed", { exact: true }).waitFor();
  await page.getByText("Contact not found", { exact: true }).waitFor();
  expect(await dialog.getByLabel("Company").inputValue()).toBe("Nowhere");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Delete Gone" }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: /^Delete/ })
    .click();
  await page.getByText("Delete failed", { exact: true }).waitFor();
  await page.getByText("Contact not found", { exact: true }).waitFor();

  // A response that says nothing: the server can be reached, and fails.
  await page.route("**/api/contacts*", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 500, body: "" }) : route.continue(),
  );
  await page.getByRole("button", { name: "Add Contact" }).click();
  await dialog.getByLabel("First Name").fill("Grace");
  await dialog.getByRole("button", { name: "Add Contact" }).click();
  await page.getByText("Creation failed", { exact: true }).waitFor();
  await page.getByText("Failed to save contact", { exact: true }).waitFor();
  const reason = "Something went wrong. Nothing was lost; please try again.";
  await page.getByText(reason, { exact: true }).waitFor();
  expect(await dialog.getByLabel("First Name").inputValue()).toBe("Grace");
}, 120_000);

test("a list that fails to load offers a retry, and a missing contact says so", async () => {
  const visitor = await site.signUp("unread@example.com");
  const { page } = visitor;
  visitor.expectStatus(404, 500);
  let broken = true;
  await page.route("**/api/contacts?*", (route) =>
    broken ? route.fulfill({ status: 500, json: { code: "internal", message: "x" } }) : route.continue(),
  );
  await page.goto(`${site.url}/contacts`);
  await page.getByText("Your contacts could not be loaded").waitFor();
  broken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("No contacts yet").waitFor();
  await page.goto(`${site.url}/contacts?edit=999999`);
  await page.getByRole("dialog").getByText("This contact no longer exists").waitFor();
}, 120_000);

test("cards have three columns from a medium screen on, and long names fit", async () => {
  const { page } = await site.openAccount("grid@example.com");
  for (const firstName of ["Ada", "Grace", `Wolfeschlegelstein${"hausenberger".repeat(8)}dorff`])
    await page.request.post(`${site.url}/api/contacts`, {
      data: { firstName, company: "Donaudampfschiff".repeat(6), email: "someone@example.com" },
    });
  await page.goto(`${site.url}/contacts`);
  const grid = page.getByRole("list", { name: "Contacts" });
  const columns = () => grid.evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(" ").length);
  await grid.waitFor();
  for (const [width, count] of [
    [1440, 3],
    [768, 3],
    [390, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    expect(await columns()).toBe(count);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  }
}, 120_000);

test("a long list keeps its scroll position and focus while a dialog is open", async () => {
  const { page } = await site.signUp("long@example.com");
  const add = (index: number) =>
    page.request.post(`${site.url}/api/contacts`, { data: { firstName: `Person ${index}` } });
  await add(0);
  await Promise.all(Array.from({ length: 59 }, (_, index) => add(index + 1)));
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/contacts?*", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${site.url}/contacts`);
  await page.getByRole("status").filter({ hasText: "Loading contacts..." }).waitFor();
  release();
  const edit = page.getByRole("button", { name: "Edit Person 0", exact: true });
  await edit.scrollIntoViewIfNeeded();
  const scrollTop = await page.evaluate(() => scrollY);
  expect(scrollTop).toBeGreaterThan(0);
  await edit.click();
  await page.getByRole("dialog").getByLabel("First Name").waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(scrollTop);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Edit Person 0");
  expect(await page.evaluate(() => scrollY)).toBe(scrollTop);
}, 120_000);

test("the list and its dialog have no accessibility violation on a phone", async () => {
  const { page } = await site.openAccount("barrier@example.com", PHONE);
  await page.request.post(`${site.url}/api/contacts`, { data: { firstName: "Ada", phone: "1" } });
  await page.goto(`${site.url}/contacts?dialog=new`);
  await page.getByRole("dialog").getByLabel("Notes").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.goto(`${site.url}/contacts`);
  await page.getByRole("heading", { name: "Ada" }).waitFor();
  expect(await violations(page)).toEqual([]);
}, 120_000);

test("a contact has a page with its details, its envelopes and its documents", async () => {
  const { page } = await site.openAccount("page@example.com");
  const post = async (path: string, data: object) =>
    (await page.request.post(`${site.url}/api/${path}`, { data })).json();
  const contact = await post("contacts", {
    ...{ firstName: "Ada", lastName: "Lovelace", email: "ada@example.com" },
    ...{ phone: "+15551234567", company: "Analytical Engines", notes: "Prefers letters." },
  });
  await page.goto(`${site.url}/contacts`);
  await page.getByRole("link", { name: "Ada Lovelace" }).click();
  await page.getByRole("heading", { level: 1, name: "Ada Lovelace" }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/contacts/${contact.id}`);
  expect(await page.title()).toBe("Ada Lovelace | Doculopes");
  for (const shown of ["ada@example.com", "+15551234567", "Prefers letters."])
    await page.getByText(shown, { exact: true }).waitFor();
  await page.getByText("You have not asked for anything yet.").waitFor();
  await page.getByText("Nothing has been submitted yet.").waitFor();
  expect(await page.getByRole("button", { name: "Download files" }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);

  const request = {
    ...{ recipientName: "Ada", recipientEmail: "ada@example.com" },
    documents: [{ name: "Passport", allowedFileTypes: ["pdf"] }],
  };
  const answered = await post("requests", { ...request, subject: "Tax return" });
  await post("requests", { ...request, subject: "Elsewhere", recipientEmail: "other@example.com" });
  await post("requests", { ...request, subject: "Mortgage", contactId: contact.id });
  await page.request.post(`${site.url}/api/submissions/${answered.submissionToken}`, {
    multipart: {
      Passport: { name: "scan.pdf", mimeType: "application/pdf", buffer: Buffer.from(samplePdf("Hello")) },
    },
  });
  await page.reload();
  const envelopes = page.getByRole("list", { name: "Envelopes" });
  await envelopes.waitFor();
  expect(await envelopes.getByRole("button").allTextContents()).toEqual(["Mortgage", "Tax return"]);
  const documents = page.getByRole("list", { name: "Documents" });
  await documents.getByText("scan.pdf").waitFor();
  await documents.getByText("Received", { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  const download = page.waitForEvent("download");
  await documents.getByRole("button", { name: "Download Passport" }).click();
  expect((await download).suggestedFilename()).toBe("scan.pdf");
  const archive = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download files" }).click();
  expect((await archive).suggestedFilename()).toMatch(/^envelopes .*\.zip$/);

  await documents.getByRole("button", { name: "View Passport" }).click();
  await page.getByRole("dialog", { name: "Document Details" }).waitFor();
  await page.goBack();
  await envelopes.getByRole("button", { name: "Tax return" }).click();
  await page.getByRole("dialog", { name: "Document Request for Ada" }).waitFor();
  await page.reload();
  await page.getByRole("dialog", { name: "Document Request for Ada" }).waitFor();
  await page.goBack();
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const form = page.getByRole("dialog", { name: "Edit Contact" });
  await form.getByLabel("Last Name").fill("King");
  await form.getByRole("button", { name: "Save Changes" }).click();
  await page.getByRole("heading", { level: 1, name: "Ada King" }).waitFor();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: /^Delete/ })
    .click();
  await page.getByText("No contacts yet", { exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/contacts");
}, 120_000);

test("a contact that is missing says so, and what failed to load can be tried again", async () => {
  const visitor = await site.openAccount("nobody@example.com");
  const { page } = visitor;
  visitor.expectStatus(404, 500);
  await page.goto(`${site.url}/contacts/999999`);
  await page.getByText("This contact no longer exists").last().waitFor();
  await page.goto(`${site.url}/contacts/x`);
  await page.getByRole("heading", { name: "404 Page Not Found" }).waitFor();
  const made = await page.request.post(`${site.url}/api/contacts`, { data: { firstName: "Ada" } });
  const { id } = await made.json();
  let broken = true;
  for (const path of [`contacts/${id}`, "requests?contactId=*"])
    await page.route(`**/api/${path}`, (route) =>
      broken ? route.fulfill({ status: 500, json: { code: "internal", message: "x" } }) : route.continue(),
    );
  await page.goto(`${site.url}/contacts/${id}`);
  await page.getByText("The contact could not be loaded").waitFor();
  broken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("You have not asked for anything yet.").waitFor();
}, 120_000);

test("contacts are shown as a list if one wishes, newest first or by name", async () => {
  const { page } = await site.openAccount("rows@example.com");
  for (const [firstName, email, company] of [
    ["Ada", "z@example.com", "Beta"],
    ["Ben", "a@example.com", null],
    ["Cy", null, "Alpha"],
  ] as const) {
    await page.request.post(`${site.url}/api/contacts`, { data: { firstName, email, company } });
  }
  await page.request.post(`${site.url}/api/requests`, {
    data: {
      ...{ recipientName: "Ben", recipientEmail: "a@example.com", subject: "Taxes" },
      documents: [{ name: "Passport" }],
    },
  });
  await page.goto(`${site.url}/contacts`);
  await page.getByRole("radio", { name: "List" }).check();
  const list = page.getByRole("list", { name: "Contacts" });
  await list.getByText("Beta").waitFor();
  await page.reload();
  await list.getByText("Beta").waitFor();
  const found = (...names: string[]) =>
    page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll("main li h2")].map((name) => name.textContent).join() === wanted,
      names.join(),
    );
  for (const [sort, order] of [
    ["Newest first", ["Cy", "Ben", "Ada"]],
    ["Name", ["Ada", "Ben", "Cy"]],
  ] as const) {
    await page.getByLabel("Sort by").selectOption(sort);
    await found(...order);
  }
  expect(await violations(page)).toEqual([]);
  await list.getByText("1 envelope open").waitFor();
  await page.getByLabel("Select Ada").check();
  await page.getByLabel("Select Ben").check();
  const bar = page.getByRole("group", { name: "Selected contacts" });
  await bar.getByText("2 selected").waitFor();
  await bar.getByRole("button", { name: "Tags" }).click();
  await page.getByLabel("Tags to add").fill("VIP, Monthly");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Save changes" }).click();
  await list.getByText("Monthly").nth(1).waitFor();
  await page.getByLabel("Select all", { exact: true }).check();
  await bar.getByText("3 selected").waitFor();
  await page.getByLabel("Tags", { exact: true }).selectOption("VIP");
  await found("Ada", "Ben");
  await bar.getByRole("button", { name: "Request documents" }).click();
  const form = page.getByRole("dialog", { name: "New envelope for several recipients" });
  await form.getByText("2 recipients", { exact: true }).waitFor();
  expect(await form.getByLabel("Name, row 1", { exact: true }).inputValue()).toBe("Ada");
  await form.getByRole("button", { name: "Cancel" }).click();
  await page.goto(`${site.url}/contacts?tag=VIP`);
  await page.getByLabel("Select all", { exact: true }).check();
  await bar.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete 2 contacts" }).click();
  await page.getByText("No results.").waitFor();
  await page.request.post(`${site.url}/api/contacts`, { data: { firstName: "Ben", email: "a@example.com" } });
  await page.goto(`${site.url}/contacts?sortBy=name`);
  await page.getByPlaceholder("Filter contacts...").fill("ben");
  await page.waitForURL(/filter=ben/);
  await found("Ben");
  await list.getByRole("link", { name: "Ben" }).click();
  await page.getByRole("list", { name: "Envelopes" }).getByRole("button", { name: "Taxes" }).waitFor();
  await page.goBack();
  await found("Ben");
  await page.getByPlaceholder("Filter contacts...").fill("CY");
  await page.waitForURL(/filter=CY/);
  await page.getByRole("button", { name: "Edit Cy" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.reload();
  await found("Cy");
  expect(await page.getByLabel("Sort by").inputValue()).toBe("name");
}, 120_000);

test("an international address is shown as it was typed, also where it is edited", async () => {
  const { page } = await site.openAccount("international@example.com");
  await page.goto(`${site.url}/contacts`);
  await page.getByRole("button", { name: "Add Contact" }).first().click();
  const form = page.getByRole("dialog");
  await form.getByLabel("First Name").fill("Jürgen");
  await form.getByLabel("Email", { exact: true }).fill("Jürgen Müller <info@Müller-Söhne.de>");
  await form.getByRole("button", { name: /^(Add|Create|Save)/ }).click();
  await form.waitFor({ state: "detached" });
  await page.getByText("info@müller-söhne.de").first().waitFor();
  const stored = await (await page.request.get(`${site.url}/api/contacts`)).json();
  expect(stored[0].email).toBe("info@xn--mller-shne-kcb9d.de");
  await page.getByRole("button", { name: /^Edit/ }).first().click();
  expect(await form.getByLabel("Email", { exact: true }).inputValue()).toMatch(
    /^info@(?:müller-söhne|xn--mller-shne-kcb9d)\.de$/,
  );
  await form.getByRole("button", { name: /^(Update|Save)/ }).click();
  await form.waitFor({ state: "detached" });
});
