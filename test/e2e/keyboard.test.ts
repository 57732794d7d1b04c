import { expect, test } from "bun:test";
import { errors, type Locator, type Page } from "playwright-core";
import { form } from "../support/api/envelopes";
import { PASSWORD, PHONE, waitUntilLoaded } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { CONTRACT, openLink, openRequestor, PASSPORT } from "../support/browser/submit-page";
import { pdfFile } from "../support/files/files";

const site = setUpTestSite();
/** More elements than any screen has. */
const MAX_PRESSES = 80;

type FocusedElement = { name: string; visible: boolean; reached: boolean };

/**
 * Whether the element has the focus, and whether the focus can be seen: by an outline of the focused element, of what
 * contains it, or of a layer over it. The browser itself outlines the button within a date's field, which then does not
 * match `:focus`.
 */
const focused = (target: Locator): Promise<FocusedElement> =>
  target.evaluate((wanted) => {
    const element = document.activeElement ?? document.body;
    const outlined = (shown: Element, pseudo?: string) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(shown, pseudo);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    };
    const chain = element.nextElementSibling ? [element.nextElementSibling] : [];
    for (let shown: Element | null = element; shown && chain.length < 5; shown = shown.parentElement)
      chain.push(shown);
    const { left, top, width, height } = element.getBoundingClientRect();
    const inside = left < innerWidth && top < innerHeight && left + width > 0 && top + height > 0;
    return {
      name: element.outerHTML.slice(0, 160),
      visible:
        (element instanceof HTMLInputElement && !element.matches(":focus")) ||
        (inside &&
          (chain.some((shown) => outlined(shown)) ||
            ["::before", "::after"].some((p) => outlined(element, p)))),
      reached: element === wanted,
    };
  });

/** Moves the focus with the key until the element has it. Wherever it stops on the way, it can be seen. */
async function moveTo(target: Locator, key = "Tab"): Promise<void> {
  await target.waitFor({ state: "attached" });
  const { keyboard } = target.page();
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    const { reached, visible, name } = await focused(target);
    if (presses > 0 && !visible) throw new Error(`The focus cannot be seen at ${name}`);
    if (reached) return;
    await keyboard.press(key);
  }
  throw new Error(`${MAX_PRESSES} presses of ${key} did not lead to ${target}`);
}

/** Moves the focus to the control and presses the key there. */
async function use(target: Locator, key = "Enter"): Promise<void> {
  await moveTo(target);
  await target.page().keyboard.press(key);
}

/** Waits until the focus is within the element. */
async function focusWithin(target: Locator): Promise<void> {
  const element = await target.elementHandle();
  const page = target.page();
  await page
    .waitForFunction((wanted) => wanted?.contains(document.activeElement), element)
    .catch(async (error) => {
      if (!(error instanceof errors.TimeoutError)) throw error;
      throw new Error(`The focus is at ${(await focused(target)).name}`);
    });
}

/** Fills fields, each reached with Tab. */
async function fill(fields: [Locator, string][]): Promise<void> {
  for (const [field, text] of fields) {
    await moveTo(field);
    await field.page().keyboard.type(text);
  }
}

const button = (within: Page | Locator, name: string) => within.getByRole("button", { name, exact: true });

test("a person signs in, creates a contact and a template and changes settings by keyboard alone", async () => {
  const { email } = await site.signUp("keys@example.com");
  const { page } = await site.visit("/auth");
  const { keyboard } = page;
  await fill([
    [page.getByLabel("Email", { exact: true }), email],
    [page.getByLabel("Password", { exact: true }), PASSWORD],
  ]);
  await keyboard.press("Enter");
  await page.waitForURL(`${site.url}/`);

  const goTo = async (name: string) => {
    const link = page.getByRole("navigation").getByRole("link", { name, exact: true });
    await moveTo(link, "Shift+Tab");
    await keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    await focusWithin(page.locator("#root"));
  };
  await goTo("Contacts");
  await use(button(page, "Add Contact"));
  const contact = page.getByRole("dialog");
  await focusWithin(contact.getByLabel("First Name"));
  await keyboard.type("Grace");
  await fill([
    [contact.getByLabel("Last Name"), "Hopper"],
    [contact.getByLabel("Email"), "grace@example.com"],
  ]);
  await keyboard.press("Enter");
  await contact.waitFor({ state: "detached" });
  await page.getByText("Grace Hopper", { exact: true }).first().waitFor();
  await focusWithin(button(page, "Add Contact"));

  await goTo("Templates");
  await use(button(page, "New Template"));
  const template = page.getByRole("dialog");
  await focusWithin(template.getByLabel("Template Name"));
  await keyboard.type("Mortgage");
  await fill([[template.getByLabel("Document Name"), "Passport"]]);
  await use(template.getByRole("switch", { name: "Required" }), "Space");
  expect(await template.getByRole("switch", { name: "Required" }).getAttribute("aria-checked")).toBe("true");
  await use(button(template, "Create Template"));
  await template.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Mortgage" }).waitFor();
  await focusWithin(button(page, "New Template"));

  await goTo("Settings");
  const theme = page.getByRole("group", { name: "Theme" }).getByRole("radio", { name: "System" });
  await moveTo(theme);
  await keyboard.press("ArrowLeft");
  await page.locator("[data-theme=dark] body").waitFor();
  await fill([[page.getByLabel("First Name"), "Ada"]]);
  await keyboard.press("Enter");
  await page.getByText("Profile updated", { exact: true }).waitFor();
  await focusWithin(page.getByLabel("First Name"));
}, 120_000);

test("documents are requested, submitted, reviewed and downloaded by keyboard alone", async () => {
  const ada = await openRequestor(site, "ada@example.com");
  const { page } = ada;
  const { keyboard } = page;
  const data = { firstName: "Charles", lastName: "Babbage", email: "charles@example.com" };
  await page.request.post(`${site.url}/api/contacts`, { data });
  await page.goto(site.url);
  await use(button(page, "New Envelope"));
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  await use(button(wizard, "Choose a contact"));
  await focusWithin(page.getByRole("combobox", { name: "Search contacts" }));
  await keyboard.type("bab");
  await page.getByRole("option", { name: "Charles Babbage" }).waitFor();
  await keyboard.press("Enter");
  await focusWithin(button(wizard, "Contact Charles Babbage"));
  await use(button(wizard, "Next"));
  const subject = wizard.getByLabel("Subject");
  await focusWithin(subject);
  await keyboard.type("Papers for the engine");
  await keyboard.press("Enter");
  const names = wizard.getByLabel("Document Name");
  await focusWithin(names);
  await keyboard.type(PASSPORT.name);
  await use(wizard.getByRole("switch", { name: "Required" }), "Space");
  await use(button(wizard, "Add Document"));
  await focusWithin(names.last());
  await keyboard.type(CONTRACT.name);
  await use(button(wizard, "Next"));
  const reminders = wizard.getByRole("button", { name: /^Reminder Frequency/ });
  await use(reminders);
  await page.getByRole("option", { name: "Weekly" }).waitFor();
  await keyboard.press("ArrowDown");
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await focusWithin(wizard.getByRole("button", { name: "Reminder Frequency Weekly" }));
  await use(button(wizard, "Create Envelope"));
  await wizard.waitFor({ state: "detached" });
  await page.getByText("Envelope created", { exact: true }).waitFor();
  await focusWithin(button(page, "New Envelope"));

  const [envelope] = await (await page.request.get(`${site.url}/api/requests`)).json();
  await submitByKeyboard(envelope);

  await page.goto(site.url);
  await use(page.getByRole("link", { name: "Papers for the engine" }));
  const details = page.getByRole("dialog", { name: "Document Request for Charles Babbage", exact: true });
  await focusWithin(details);
  await use(button(details, "Review"));
  const review = page.getByRole("dialog", { name: /^Review of / });
  await focusWithin(review);
  await use(button(review, `Ask again for ${PASSPORT.name}`));
  const reason = page.getByRole("dialog", { name: `Ask again for ${PASSPORT.name}` });
  await focusWithin(reason.getByLabel("What needs to change?"));
  await keyboard.type("The photo is blurred");
  await use(button(reason, "Add to the list"));
  await reason.waitFor({ state: "detached" });
  await focusWithin(review);
  await use(button(review, "Send"));
  await page.getByText("The recipient will be notified.").first().waitFor();
  await focusWithin(review);
  await keyboard.press("Escape");
  await review.waitFor({ state: "detached" });
  await focusWithin(details);

  const link = `${site.url}/api/submissions/${envelope.submissionToken}`;
  const response = form({ [PASSPORT.name]: pdfFile("sharp.pdf") });
  expect((await fetch(link, { method: "POST", body: response })).status).toBe(201);
  await page.goto(`${site.url}/?envelope=${envelope.id}`);
  await focusWithin(details);
  await use(button(details, "Accept all"));
  await details.getByText("Accepted", { exact: true }).nth(1).waitFor();
  await focusWithin(details);
  const started = page.waitForEvent("download");
  await use(details.getByRole("link", { name: "Download all" }).or(button(details, "Download all")));
  expect((await started).suggestedFilename()).toEndWith(".zip");
  await keyboard.press("Escape");
  await details.waitFor({ state: "detached" });
  await focusWithin(page.locator("#content"));
}, 120_000);

/** The recipient on a phone with a keyboard, up to the receipt. */
async function submitByKeyboard(envelope: { submissionToken: string }): Promise<void> {
  const { page } = await openLink(site, envelope, PHONE);
  const { keyboard } = page;
  await fill([
    [page.getByLabel("Name", { exact: true }), "Charles Babbage"],
    [page.getByLabel("Email", { exact: true }), "charles@example.com"],
  ]);
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "Upload Documents" }).waitFor();
  for (const { name } of [PASSPORT, CONTRACT]) {
    const input = page.getByLabel(name, { exact: true });
    await moveTo(input);
    const buffer = Buffer.from(await pdfFile().arrayBuffer());
    const chooser = page.waitForEvent("filechooser");
    await keyboard.press("Space");
    await (await chooser).setFiles({ name: `${name}.pdf`, mimeType: "application/pdf", buffer });
    await focusWithin(button(page, `Replace file for ${name}`));
  }
  await use(button(page, "Next"));
  await page.getByRole("heading", { name: "Review & Submit" }).waitFor();
  await use(button(page, "Submit Documents"));
  await focusWithin(page.getByRole("heading", { name: "Submission Complete" }));
  await moveTo(page.getByRole("button", { name: /receipt/i }));
}

test("on a small phone, Shift+Tab leads to nothing that the header covers", async () => {
  const { page } = await site.openAccount("backwards@example.com", {
    ...PHONE,
    viewport: { width: 320, height: 568 },
  });
  await page.goto(`${site.url}/workspace#delete`);
  const header = page.getByRole("banner");
  const bottom = await header.evaluate((shown) => shown.getBoundingClientRect().bottom);
  const last = page.getByRole("region", { name: "Delete workspace" });
  await last.waitFor();
  await waitUntilLoaded(page);
  const stops = [];
  for (let presses = 0; presses < 25; presses += 1) {
    await page.keyboard.press("Shift+Tab");
    stops.push(
      await page.evaluate(() => {
        const { activeElement: focused } = document;
        return { name: focused?.outerHTML.slice(0, 160), top: focused?.getBoundingClientRect().top ?? 0 };
      }),
    );
  }
  // A preview is larger than the screen.
  const covered = stops.filter(({ name, top }) => top < bottom && !name?.startsWith("<iframe"));
  expect(covered).toEqual([]);
}, 60_000);
