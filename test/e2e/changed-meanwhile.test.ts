import { beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { waitFor } from "../support/wait";

const site = setUpTestSite();
let mine: Page;
let theirs: Page;

const call = async (page: Page, method: "get" | "post" | "patch" | "put", path: string, data?: object) => {
  const response = await page.request[method](`${site.url}/api/${path}`, data && { data });
  expect(response.ok()).toBe(true);
  return response.status() === 204 ? undefined : response.json();
};

/** Two people in one workspace, each in their own browser. */
beforeAll(async () => {
  const [owner, colleague] = [await site.signUp("mine@example.com"), await site.signUp("theirs@example.com")];
  [mine, theirs] = [owner.page, colleague.page];
  owner.expectStatus(409);
  await call(theirs, "patch", "user/profile", { firstName: "Grace", lastName: "Hopper" });
  const [{ id }] = await call(mine, "get", "workspaces");
  const invitation = { email: colleague.email, role: "member" };
  await call(mine, "post", `workspaces/${id}/invitations`, invitation);
  const link = await site.mailedLink(colleague.email, "invite");
  await call(theirs, "post", "invitations/join", { token: link.slice("/invite/".length) });
}, 120_000);

type Form = {
  path: string;
  list: string;
  input: object;
  dialog: string;
  field: string;
  /** Saves what is in the form; the wizard has steps. */
  save: (dialog: Locator) => Promise<void>;
  saved: string;
};

const press = (name: string) => (dialog: Locator) => dialog.getByRole("button", { name }).click();

const FORMS: Record<string, Form> = {
  contact: {
    path: "/contacts",
    list: "contacts",
    input: { firstName: "Before" },
    dialog: "Edit Contact",
    field: "First Name",
    save: press("Save Changes"),
    saved: "Contact updated",
  },
  envelope: {
    path: "/",
    list: "requests",
    input: {
      recipientName: "Before",
      recipientEmail: "rita@example.com",
      subject: "Papers",
      documents: [{ name: "Payslip" }],
      isDraft: true,
    },
    dialog: "Edit Envelope",
    field: "Recipient Name",
    async save(dialog) {
      for (const shown of ["Subject", "Document Name", "Reminder Frequency"]) {
        await press("Next")(dialog);
        await dialog.getByLabel(shown).first().waitFor();
      }
      await press("Save as Draft")(dialog);
    },
    saved: "Draft updated",
  },
};

test.each(Object.entries(FORMS))(
  "of the %s that a colleague has changed meanwhile, theirs is not overwritten unasked",
  async (_name, { path, list, input, dialog, field, save, saved }) => {
    const { id } = await call(mine, "post", list, input);
    const open = async (page: Page) => {
      await page.goto(`${site.url}${path}?edit=${id}`);
      return page.getByRole("dialog", { name: dialog });
    };
    const type = (form: Locator, text: string) => form.getByLabel(field).first().fill(text);
    const change = async (text: string) => {
      const form = await open(theirs);
      await type(form, text);
      await save(form);
      await theirs.getByText(saved, { exact: true }).waitFor();
    };
    const form = await open(mine);
    await type(form, "Mine");
    await change("Theirs");
    // On a slow line the button is busy until what is stored has been read.
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let reading = false;
    await mine.route(`**/api/${list}/${id}`, async (route) => {
      if (route.request().method() === "GET") {
        reading = true;
        await released;
      }
      await route.continue();
    });
    await save(form);
    await waitFor("the call that reads what is stored", () => reading);
    await form.locator("button[aria-busy=true]").waitFor();
    release();
    const question = mine.getByRole("alertdialog", { name: "Changed in the meantime" });
    await question
      .getByText("Grace Hopper changed this just now. What you typed is still here.", { exact: true })
      .waitFor();
    expect(await violations(mine)).toEqual([]);
    await question.getByRole("button", { name: "Save mine" }).click();
    await mine.getByText(saved, { exact: true }).waitFor();
    await form.waitFor({ state: "detached" });
    const first = await open(mine);
    expect(await first.getByLabel(field).first().inputValue()).toBe("Mine");

    await change("Theirs again");
    await type(first, "Typed");
    await save(first);
    await question.getByRole("button", { name: "Keep editing" }).click();
    await question.waitFor({ state: "detached" });
    if (dialog === "Edit Envelope") await press("Save as Draft")(first);
    else {
      expect(await first.getByLabel(field).first().inputValue()).toBe("Typed");
      await save(first);
    }
    await question.getByRole("button", { name: "Show theirs" }).click();
    await question.waitFor({ state: "detached" });
    expect(await first.getByLabel(field).first().inputValue()).toBe("Theirs again");
    await type(first, "Both");
    await save(first);
    await first.waitFor({ state: "detached" });
    expect(Object.values(await call(mine, "get", `${list}/${id}`))).toContain("Both");
  },
  120_000,
);

test("a conflict shows each field that differs, with both values", async () => {
  const passport = { name: "Passport", description: "Both sides", required: true };
  const married = { name: "Married?", kind: "yesNo" };
  const partner = { name: "Partner", kind: "text", showIf: { name: "Married?", is: ["yes"] } };
  const input = {
    name: "Papers",
    message: "Please send these. ".repeat(40),
    fields: [passport, married, partner],
  };
  const { id } = await call(mine, "post", "templates", input);
  await mine.goto(`${site.url}/templates?edit=${id}`);
  const form = mine.getByRole("dialog", { name: "Edit Document Template" });
  await form.getByLabel("Template Name").fill("Tax return");
  await form.getByLabel("Message", { exact: true }).fill(`${input.message}Thanks`);
  await call(theirs, "put", `templates/${id}`, {
    ...input,
    description: "For 2026",
    language: "fr",
    fields: [{ ...passport, required: false }, married, { ...partner, showIf: null }, { name: "Payslip" }],
  });
  await form.getByRole("button", { name: "Update Template" }).click();
  const question = mine.getByRole("alertdialog", { name: "Changed in the meantime" });
  await question.getByText("These fields differ. “Save mine” replaces theirs.", { exact: true }).waitFor();
  const shown = await question
    .getByRole("term")
    .evaluateAll((terms) =>
      terms.map((term) => [
        term.textContent,
        ...[...(term.parentElement?.querySelectorAll("dd") ?? [])].map(
          (value) => value.lastChild?.textContent,
        ),
      ]),
    );
  const context = `…${input.message.slice(-61)}`;
  expect(shown).toEqual([
    ["Template Name", "Papers", "Tax return"],
    ["Description", "For 2026", "Empty"],
    ["Required Documents", "Passport\nMarried?\nPartner\nPayslip", "Passport\nMarried?\nPartner"],
    ["Passport: Required", "No", "Yes"],
    ["Partner: Ask only if", "Always", "Married?: Yes"],
    ["Message", context.trim(), `${context}Thanks`],
    ["Language of messages", "Français", "Not set"],
  ]);
  expect(await violations(mine)).toEqual([]);
}, 120_000);
