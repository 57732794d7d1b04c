import { expect, test } from "bun:test";
import { file } from "bun";
import type { Page } from "playwright-core";
import { PHONE, violations, waitForFocus } from "../support/browser/browser";
import { setUpRequestor } from "../support/browser/site-set-up";
import { choose, enterInformation, openLink, submitAll } from "../support/browser/submit-page";
import { pdfFile } from "../support/files/files";

const { site, requestor: ada } = setUpRequestor("ada@example.com");

const QUESTIONS = [
  { name: "Income from abroad?", kind: "yesNo", required: true },
  {
    name: "Statement of foreign income",
    required: true,
    showIf: { name: "Income from abroad?", is: ["yes"] },
  },
  { name: "Rent per month", kind: "number", description: "In euros", required: true },
  { name: "Pays for", kind: "choices", options: ["Car", "School"] },
  { name: "Tax number", kind: "text", confidential: true },
  { name: "Name of the school", kind: "text", showIf: { name: "Pays for", is: ["School"] } },
];

test("a recipient answers questions, half now and half later", async () => {
  const envelope = await ada.requestDocuments(QUESTIONS as never);
  const { page, expectStatus } = await openLink(site, envelope);
  await enterInformation(page);
  await page.getByRole("group", { name: "Income from abroad?" }).waitFor();
  expect(await page.getByText("Statement of foreign income").count()).toBe(0);
  await page.getByRole("radio", { name: "Yes" }).check();
  await page.getByRole("heading", { name: "Statement of foreign income" }).waitFor();
  await page.getByRole("radio", { name: "No", exact: true }).check();
  await page.getByRole("heading", { name: "Statement of foreign income" }).waitFor({ state: "detached" });
  const rent = page.getByLabel("Rent per month");
  await rent.fill("1,2");
  await rent.blur();
  await page.getByText("Enter a number, such as 1234.50").waitFor();
  await rent.fill("1.234");
  await rent.blur();
  await page.getByText("Decimal places allowed: 2").waitFor();
  await rent.fill("1,234.5");
  await page.getByText("Understood as 1,234.5").waitFor();
  const taxNumber = page.getByLabel("Tax number");
  const isKept = page.getByText("Answered. Replace");
  await taxNumber.fill("123/45");
  await page.getByRole("listitem").filter({ hasText: "Tax number" }).getByText("Saved").waitFor();
  expect(await taxNumber.inputValue()).toBe("123/45");
  await taxNumber.blur();
  await isKept.waitFor();
  expect(await taxNumber.inputValue()).toBe("");
  // It does not look empty.
  expect(await taxNumber.getAttribute("placeholder")).toBe("••••••••");
  await page.getByRole("button", { name: "Replace" }).click();
  await waitForFocus(taxNumber);
  await taxNumber.pressSequentially("123/456");
  expect(await taxNumber.inputValue()).toBe("123/456");
  await taxNumber.blur();
  await isKept.waitFor();
  // What is kept is still there when the recipient comes back from the last step.
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Change Rent per month" }).click();
  await waitForFocus(rent);
  await isKept.waitFor();
  expect(await rent.inputValue()).toBe("1,234.5");
  expect(await violations(page)).toEqual([]);

  const asked = QUESTIONS.map((entry) => (entry.kind === "number" ? { ...entry, max: "1000" } : entry));
  const changed = await ada.page.request.put(`${site.url}/api/requests/${envelope.id}`, {
    data: { ...envelope, documents: asked },
  });
  expect(changed.status()).toBe(200);
  expectStatus(400);
  const kept = page.waitForResponse((response) => response.request().method() === "PUT" && response.ok());
  await rent.fill("1,500");
  await page.getByRole("checkbox", { name: "School" }).check();
  await page.getByRole("status").getByText("1 more question").waitFor();
  await page.getByText("This question has changed").waitFor();
  await kept;
  await page.reload();
  await page.getByText("This question has changed").waitFor();
  expect(await rent.inputValue()).toBe("");
  await page.getByRole("button", { name: "Previous" }).click();
  await page.getByText("Already here: 3 of 5").waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  expect(await page.getByRole("checkbox", { name: "School" }).isChecked()).toBe(true);
  await rent.fill("950.5");
  await rent.blur();
  expect(await page.getByRole("radio", { name: "No", exact: true }).isChecked()).toBe(true);
  await isKept.waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Review & Submit" }).waitFor();
  await page.getByText("950.5").waitFor();
  expect(await page.getByText("123/456").count()).toBe(0);
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();
  const receipt = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save receipt" }).click();
  const text = await file(await (await receipt).path()).text();
  expect(text).toContain('<strong>Rent per month</strong><span class="text">950.5</span>');
  expect(text).toContain('<strong>Tax number</strong><span class="text">Answered</span>');
  expect(text).not.toContain("123/456");

  const { documents } = await ada.readEnvelope(envelope.id);
  expect(
    (documents as unknown as { answer?: { value: unknown } | null }[]).map((one) => one.answer?.value),
  ).toEqual(["no", undefined, "950.5", ["School"], null, undefined]);
}, 120_000);

test("the card of the request counts only what is asked of the recipient now", async () => {
  const envelope = await ada.requestDocuments(QUESTIONS as never);
  const { page } = await openLink(site, envelope);
  await page.getByText("Documents and questions: 4").waitFor();
  await enterInformation(page);
  await page.getByRole("radio", { name: "Yes" }).check();
  await page.getByRole("button", { name: "Previous" }).click();
  await page.getByText("Documents and questions: 5").waitFor();
  await page.getByText("Already here: 1 of 5").waitFor();
}, 120_000);

test("what an answer opens, that it is saved and what is wrong with it are heard once each", async () => {
  const { page } = await openLink(site, await ada.requestDocuments(QUESTIONS as never));
  await enterInformation(page);
  await page.getByRole("radio", { name: "Yes" }).check();
  const heard = page.getByRole("status");
  const opened = heard.filter({ hasText: /^1 more to answer$/ });
  await opened.waitFor();
  await heard.filter({ hasText: /^Saved$/ }).waitFor();
  const rent = page.getByLabel("Rent per month");
  await rent.fill("1,2");
  await rent.press("Tab");
  await page.getByRole("alert").getByText("Enter a number, such as 1234.50").waitFor();
  await opened.waitFor();
}, 120_000);

test("an answer is chosen although a line appears above it while it is pressed", async () => {
  const asked = [
    { name: "Landlord", kind: "text" },
    { name: "Rent per month", kind: "number" },
    { name: "Pays for", kind: "choices", options: ["Car", "School"] },
  ];
  const { page } = await openLink(site, await ada.requestDocuments(asked as never));
  await enterInformation(page);
  const hold = async (option: string, until: Promise<unknown>) => {
    const target = page.getByRole("checkbox", { name: option });
    await target.hover();
    await page.mouse.down();
    await until;
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    await page.mouse.up();
    expect(await target.isChecked()).toBe(true);
  };
  const question = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  await page.getByLabel("Landlord").fill("Ida");
  await hold(
    "School",
    page.waitForResponse((response) => response.request().method() === "PUT"),
  );
  await question("Landlord").getByText("Saved").waitFor();
  await page.getByLabel("Rent per month").fill("a lot");
  await hold("Car", Promise.resolve());
  await question("Rent per month").getByText("Enter a number, such as 1234.50").waitFor();
}, 120_000);

test("after the submission a recipient reads what was left out, also in the saved receipt", async () => {
  const envelope = await ada.requestDocuments([
    { name: "Rent per month", kind: "number" },
    { name: "Pays for", kind: "yesNo" },
    { name: "Name of the school", kind: "text", showIf: { name: "Pays for", is: ["yes"] } },
    { name: "Lease", required: true, reasonAllowed: true },
    { name: "Deed" },
  ] as never);
  const { page } = await openLink(site, envelope);
  await enterInformation(page);
  await page.getByLabel("Rent per month").fill("900");
  const lease = page.getByRole("listitem").filter({ hasText: "Lease" });
  await lease.getByLabel("I don't have this").check();
  await lease.getByLabel("Reason").fill("I own the house");
  await submitAll(page);
  const left = page.getByRole("heading", { name: "Not submitted" }).locator("xpath=following-sibling::ul[1]");
  expect(await left.getByRole("listitem").allTextContents()).toEqual([
    "Pays forNo answer",
    "LeaseI don't have this: I own the house",
    "DeedNo file selected",
  ]);
  const receipt = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save receipt" }).click();
  const text = await file(await (await receipt).path()).text();
  expect(text).toContain(
    '<h2>Not submitted</h2><ul><li><strong>Pays for</strong><span class="text">No answer',
  );
}, 120_000);

test("a recipient reads the bounds of a date and an IBAN in groups", async () => {
  const envelope = await ada.requestDocuments([
    { name: "Date of birth", kind: "date", max: "today" },
    { name: "Account", kind: "text", format: "iban" },
  ] as never);
  const { page } = await openLink(site, envelope, PHONE);
  await enterInformation(page);
  const birth = page.getByLabel("Date of birth");
  await birth.fill("2958-03-14");
  await birth.blur();
  await page.getByText("Please check your answer (allowed: up to today)", { exact: true }).waitFor();
  await birth.fill("1958-03-14");
  await page.getByLabel("Account").fill("de89370400440532013000");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("DE89 3704 0044 0532 0130 00", { exact: true }).waitFor();
}, 120_000);

test("a long question is readable in its field on a phone, and stays one line", async () => {
  const { page } = ada;
  const name = "Were you married or in a civil partnership on the last day of the year before last?";
  const fields = [{ name }, { name: "Short" }];
  const made = await page.request.post(`${site.url}/api/templates`, { data: { name: "Long", fields } });
  await page.setViewportSize(PHONE.viewport);
  await page.goto(`${site.url}/templates?edit=${(await made.json()).id}`);
  const [long, short] = [page.getByLabel("Document Name").first(), page.getByLabel("Document Name").last()];
  const heightOf = (shown: typeof long) => shown.evaluate((field) => field.clientHeight);
  expect(await long.evaluate((field) => field.scrollHeight - field.clientHeight)).toBeLessThan(1);
  expect(await heightOf(long)).toBeGreaterThan(2 * (await heightOf(short)) - 10);
  await short.fill("Both\nsides");
  expect(await short.inputValue()).toBe("Both sides");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "Update Template" }).click();
  await page.getByText("Template updated", { exact: true }).waitFor();
}, 120_000);

test("a question without its text is not said to lack the name of a document", async () => {
  const { page } = await site.openAccount("blank-question@example.com");
  await page.goto(`${site.url}/templates?dialog=new`);
  await page.getByLabel("Document Name").fill("Lease");
  await page.getByRole("button", { name: "Add question" }).click();
  await page.getByRole("menuitem", { name: "Short text", exact: true }).click();
  await page.getByRole("button", { name: "Create Template" }).click();
  await page.getByText("Name is required", { exact: true }).waitFor();
  const question = page.getByLabel("Question", { exact: true });
  const described = await question.getAttribute("aria-describedby");
  expect(await page.locator(`[id="${described}"]`).textContent()).toBe("This is required");
}, 60_000);

test("a requestor asks questions in the wizard, reads the answers, and sees a confidential one on request", async () => {
  const { page } = ada;
  await page.goto(`${site.url}/?wizard=new`);
  await page.getByLabel("Recipient Name").fill("Charles Babbage");
  await page.getByLabel("Recipient Email").fill("charles@example.com");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Subject").fill("Your household");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Document Name").fill("Lease");
  // A list that is typed name by name, and ended.
  await page.getByLabel("Document Name").press("Enter");
  await page.getByLabel("Document Name").last().press("Enter");
  const add = async (kind: string, name: string) => {
    await page.getByRole("button", { name: "Add question" }).click();
    await page.getByRole("menuitem", { name: kind, exact: true }).click();
    await page.getByLabel("Question", { exact: true }).last().fill(name);
  };
  await add("One choice", "You live in");
  await page.getByLabel("Options").fill("A house\nA flat");
  await page.getByText("move it below a question with choices").waitFor();
  await add("Number", "Rent");
  // The question before it is folded.
  expect(await page.getByLabel("Options").isVisible()).toBe(false);
  await page
    .getByRole("button", { name: /^Ask only if/ })
    .last()
    .click();
  await page.getByRole("option", { name: "You live in" }).click();
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByText("Choose at least one answer", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Ask only if You live in" }).and(page.locator(":focus")).waitFor();
  await page.getByRole("checkbox", { name: "A flat" }).check();
  await add("Short text", "Tax number");
  // The last entry's details are in view.
  const details = await page.getByRole("switch", { name: "Confidential" }).last().boundingBox();
  const actions = await page.getByRole("button", { name: "Next" }).boundingBox();
  expect((details?.y ?? 900) + (details?.height ?? 0)).toBeLessThan(actions?.y ?? 0);
  await page.getByRole("switch", { name: "Confidential" }).last().check();
  // What follows a question of yes or no is usually asked after "Yes".
  await add("Yes or no", "Do you rent?");
  await add("Short text", "Landlord");
  await page
    .getByRole("button", { name: /^Ask only if/ })
    .last()
    .click();
  await page.getByRole("option", { name: "Do you rent?" }).click();
  expect(await page.getByRole("checkbox", { name: "Yes", exact: true }).isChecked()).toBe(true);
  for (const name of ["Landlord", "Do you rent?"])
    await page.getByRole("button", { name: `Remove ${name}` }).click();
  expect(await violations(page)).toEqual([]);
  await tryQuestions(page);
  await page.getByRole("button", { name: "Next" }).click();
  // The step begins at its top, although the list before it was scrolled.
  const first = await page.getByText("Now", { exact: true }).boundingBox();
  const steps = await page.getByRole("list", { name: "Step 4 of 4" }).boundingBox();
  expect(first?.y ?? 0).toBeGreaterThan((steps?.y ?? 900) + (steps?.height ?? 0));
  const sent = page.waitForResponse(
    (response) => response.url().endsWith("/api/requests") && response.request().method() === "POST",
  );
  await page.getByRole("button", { name: /^(?:Create|Send)/ }).click();
  const envelope = await (await sent).json();
  const [, home, rent, tax] = envelope.documents;
  expect(rent.showIf).toEqual({ name: "You live in", is: ["A flat"] });
  const answers = { [home.id]: "A flat", [rent.id]: "950", [tax.id]: "123/456" };
  const response = await page.request.post(`${site.url}/api/submissions/${envelope.submissionToken}/submit`, {
    data: { answers },
  });
  expect(response.status()).toBe(201);
  await page.goto(`${site.url}/?envelope=${envelope.id}`);
  await page.getByText("A flat", { exact: true }).first().waitFor();
  await page.getByText("950", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Show the answer to Tax number" }).click();
  await page.getByText("123/456", { exact: true }).waitFor();
  // A short answer shares a line with its buttons.
  const copy = await page.getByRole("button", { name: "Copy the answer to Rent" }).boundingBox();
  const accept = await page.getByRole("button", { name: "Accept Rent" }).boundingBox();
  expect(accept?.y ?? 900).toBeLessThan((copy?.y ?? 0) + (copy?.height ?? 0));
  await page.getByRole("button", { name: "Ask again for Rent" }).click();
  const again = page.getByRole("dialog", { name: "Ask again for Rent" });
  await again.getByRole("button", { name: "The answer is incomplete." }).waitFor();
  expect(await again.getByRole("button", { name: "Pages are missing." }).count()).toBe(0);
  await again.getByRole("button", { name: "Cancel" }).click();
  await again.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Accept Rent" }).click();
  await page.getByText("Accepted", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Review", exact: true }).click();
  const mode = page.getByRole("dialog", { name: /^Review of / });
  await mode.getByRole("region", { name: "You live in" }).getByText("A flat").waitFor();
  await page.keyboard.press("a");
  await mode.getByRole("heading", { name: "Tax number" }).waitFor();
  await page.reload();
  await mode.getByRole("button", { name: "Show the answer to Tax number" }).waitFor();
  expect(await mode.getByText("123/456").count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await page.goto(site.url);
  await page.getByRole("checkbox", { name: "Select Your household" }).check();
  const spreadsheet = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download answers 1" }).click();
  expect(await file(await (await spreadsheet).path()).text()).toContain(",A flat,950,Confidential");
}, 120_000);

test("a requestor attaches a form to a document, and the recipient downloads it", async () => {
  const { page } = ada;
  await page.goto(`${site.url}/?wizard=new`);
  await page.getByLabel("Recipient Name").fill("Charles Babbage");
  await page.getByLabel("Recipient Email").fill("charles@example.com");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Subject").fill("Your tax form");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Document Name").fill("W-9");
  const attach = async (name: string, file: File) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Attach a form" }).click();
    const buffer = Buffer.from(await file.arrayBuffer());
    await (await chooser).setFiles({ name, mimeType: "application/pdf", buffer });
  };
  await attach("Old form.pdf", pdfFile());
  await page.getByRole("button", { name: "Remove Old form.pdf" }).click();
  await page.getByRole("link", { name: "Old form.pdf" }).waitFor({ state: "detached" });
  await attach("Form W-9.pdf", pdfFile());
  await page.getByRole("link", { name: "Form W-9.pdf" }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Next" }).click();
  const sent = page.waitForResponse(
    (response) => response.url().endsWith("/api/requests") && response.request().method() === "POST",
  );
  await page.getByRole("button", { name: /^(?:Create|Send)/ }).click();
  const envelope = await (await sent).json();
  await page.goto(`${site.url}/?envelope=${envelope.id}`);
  await page.getByRole("link", { name: "Form W-9.pdf" }).waitFor();

  const recipient = await openLink(site, envelope);
  await enterInformation(recipient.page);
  const download = recipient.page.waitForEvent("download");
  await recipient.page.getByRole("link", { name: "Download the form" }).click();
  expect((await download).suggestedFilename()).toBe("Form W-9.pdf");
  expect(await violations(recipient.page)).toEqual([]);
}, 120_000);

test("a recipient says until when a file is valid, and the requestor changes it", async () => {
  const documents = [{ name: "Passport", required: true, asksValidUntil: true, renewDays: 30 }];
  const envelope = await ada.requestDocuments(documents as never);
  const { page } = await openLink(site, envelope);
  await enterInformation(page);
  const day = page.getByLabel("Valid until");
  expect(await day.count()).toBe(0);
  await choose(page, "Passport", pdfFile());
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("This is required", { exact: true }).waitFor();
  await day.and(page.locator(":focus")).waitFor();
  await day.fill("2020-05-03");
  await page.getByText("This document has expired").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Review & Submit" }).waitFor();
  await page.getByText(/^Valid until: .*2020/).waitFor();
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();

  await ada.page.goto(`${site.url}/?envelope=${envelope.id}`);
  await ada.page.getByText(/^Expired: valid until .*2020/).waitFor();
  await ada.page.getByRole("button", { name: "Change until when Passport is valid" }).click();
  const form = ada.page.getByRole("form", { name: "Change until when Passport is valid" });
  await form.getByLabel("Valid until").and(ada.page.locator(":focus")).waitFor();
  const soon = new Date(Date.now() + 20 * 24 * 60 * 60 * 1000).toISOString().slice(0, "2026-03-14".length);
  await ada.page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  await ada.page.getByRole("button", { name: "Accept Passport" }).waitFor();
  await ada.page.keyboard.press("Enter");
  await form.getByLabel("Valid until").fill(soon);
  expect(await violations(ada.page)).toEqual([]);
  await form.getByRole("button", { name: "Save" }).click();
  await ada.page.getByText(/^Valid until \d/).waitFor();

  await ada.page.goto(`${site.url}/schedules?schedules=expiring`);
  const expiring = ada.page.getByRole("list", { name: "Expiring documents" });
  await expiring.getByRole("button", { name: "Charles Babbage · Passport" }).waitFor();
  expect(await violations(ada.page)).toEqual([]);
  await expiring.getByRole("button", { name: "Stop asking again for Passport" }).click();
  await expiring.getByText("asked for again").waitFor({ state: "detached" });

  // Accepting one without a day asks for it.
  const [passport] = (await ada.readEnvelope(envelope.id)).documents;
  await ada.page.request.patch(`${site.url}/api/requests/${envelope.id}/documents/${passport?.id}`, {
    data: { validUntil: null },
  });
  await ada.page.goto(`${site.url}/?envelope=${envelope.id}`);
  await ada.page.getByText("Valid until: not given").waitFor();
  await ada.page.getByRole("button", { name: "Accept Passport" }).click();
  await form.getByLabel("Valid until").and(ada.page.locator(":focus")).waitFor();
}, 120_000);

/** "Try it" shows the questions as the recipient gets them: they can be answered, and nothing is stored or sent. */
async function tryQuestions(page: Page) {
  const calls: string[] = [];
  page.on("request", (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const stored = () =>
    page.evaluate(() =>
      Object.keys({ ...localStorage })
        .sort()
        .join(),
    );
  const before = await stored();
  await page.getByRole("button", { name: "Try it" }).click();
  const dialog = page.getByRole("dialog", { name: "Try it" });
  const frame = dialog.frameLocator("iframe");
  await frame.getByRole("group", { name: "You live in" }).waitFor();
  expect(await frame.getByLabel("Rent").count()).toBe(0);
  await frame.getByRole("radio", { name: "A flat" }).check();
  await frame.getByLabel("Rent").fill("1,2");
  await frame.getByLabel("Rent").blur();
  await frame.getByText("Enter a number, such as 1234.50").waitFor();
  await frame.getByLabel("Tax number").fill("123/456");
  await frame
    .locator("input[type=file]")
    .setInputFiles({ name: "a.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF") });
  await frame.getByText("a.pdf").first().waitFor();
  expect(await violations(page)).toEqual([]);
  await frame.getByLabel("Tax number").press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(calls.filter((call) => /submissions|^(?:PUT|PATCH)/.test(call))).toEqual([]);
  expect(await stored()).toBe(before);
  await page.getByRole("button", { name: "Try it" }).click();
  await frame.getByLabel("Tax number").waitFor();
  expect(await frame.getByLabel("Tax number").inputValue()).toBe("");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
}
