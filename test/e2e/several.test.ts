import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { csvFile } from "../support/files/csv-files";

const site = setUpTestSite();

const next = (dialog: Locator) => dialog.getByRole("button", { name: "Next", exact: true }).click();

async function openForm(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "New Envelope", exact: true }).click();
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  await wizard.getByRole("button", { name: "For several recipients" }).click();
  const form = page.getByRole("dialog", { name: "New envelope for several recipients" });
  await form.waitFor();
  return form;
}

async function choose(form: Locator, text: string, encoding: "utf-8" | "windows-1252" = "utf-8") {
  const buffer = Buffer.from(await csvFile(text, encoding).arrayBuffer());
  await form.locator("input[type=file]").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer });
}

/** The steps after the recipients, up to the last one. */
async function fillRest(form: Locator, { subject, message = "" }: { subject: string; message?: string }) {
  await form.getByLabel("Subject").fill(subject);
  await form.getByLabel("Message", { exact: true }).fill(message);
  await next(form);
  await form.getByLabel("Document Name").fill("Payslips");
  await next(form);
}

test("contacts of a company or with a tag get an envelope each, and home shows them as a group", async () => {
  const { page } = await site.openAccount("firm@example.com");
  const people = [
    { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", company: "Engines", language: "de" },
    { firstName: "Ida", lastName: "Rhodes", email: "ida@example.com", company: "Engines", tags: ["Monthly"] },
    {
      firstName: "Eve",
      lastName: "Elsewhere",
      email: "eve@example.com",
      company: "Gardens",
      tags: ["Monthly"],
    },
  ];
  for (const data of people) await page.request.post(`${site.url}/api/contacts`, { data });
  await page.goto(site.url);
  const form = await openForm(page);
  expect(await violations(page)).toEqual([]);
  await form.getByRole("button", { name: "Add contacts" }).click();
  const picker = page.getByRole("dialog", { name: "Add contacts" });
  expect(await picker.getByRole("button", { name: "Choose contacts" }).isDisabled()).toBe(true);
  await picker.getByLabel("Tags").selectOption("Monthly");
  await picker.getByText("Ada Lovelace").waitFor({ state: "detached" });
  await picker.getByLabel("Select all 2 contacts").waitFor();
  await picker.getByLabel("Tags").selectOption("All tags");
  await picker.getByLabel("Company").selectOption("Engines");
  await picker.getByLabel("Select all 2 contacts").check();
  expect(await violations(page)).toEqual([]);
  await picker.getByRole("button", { name: "Add 2 contacts" }).click();
  await form.getByText("2 recipients", { exact: true }).waitFor();
  expect(await form.getByLabel("Language, row 1", { exact: true }).inputValue()).toBe("de");
  await next(form);
  await fillRest(form, { subject: "Tax return for {firstName} of {company}" });
  await form.getByRole("button", { name: "Preview the message" }).click();
  await form.getByText("Tax return for Ada of Engines").first().waitFor();
  await form.getByRole("button", { name: "Next recipient" }).click();
  await form.getByText("Tax return for Ida of Engines").first().waitFor();
  expect(await violations(page)).toEqual([]);
  await form.getByRole("button", { name: "Send to 2 recipients" }).click();
  await form.waitFor({ state: "detached" });
  const group = page.getByRole("region", { name: "Tax return for … of …" });
  await group.getByText(/: 0 of 2 done$/).waitFor();
  expect(new URL(page.url()).searchParams.get("bulkId")).toBeTruthy();
  await page.getByRole("row", { name: /Tax return for Ada of Engines/ }).waitFor();
  await page.getByRole("row", { name: /Tax return for Ida of Engines/ }).waitFor();
  expect(await violations(page)).toEqual([]);
}, 120_000);

test("a list from a German Excel is mapped, mended and sent", async () => {
  const { page } = await site.openAccount("excel@example.com");
  await page.goto(site.url);
  const form = await openForm(page);
  const lines = [
    "Mandant;E-Mail-Adresse;Sprache;Kundennummer;Jahr",
    "Jürgen Größe;juergen@example.com;Deutsch;1001;2025",
    "Änne Weiß;aenne(at)example.com;;1002;2025",
    "Doppelt;JUERGEN@example.com;;;2024",
    "Raus Damit;;;1004;2024",
  ];
  await choose(form, `${lines.join("\r\n")}\r\n`, "windows-1252");
  await form.getByText("2 rows need a correction", { exact: true }).waitFor();
  await form.getByText("This email address is listed twice", { exact: true }).waitFor();
  expect(await form.getByLabel("Kundennummer", { exact: true }).inputValue()).toBe("values.Kundennummer");
  await form.getByLabel("Jahr", { exact: true }).selectOption({ label: "Leave out" });
  expect(await violations(page)).toEqual([]);
  await next(form);
  await form.getByLabel("Name, row 1", { exact: true }).waitFor({ state: "detached" });
  await form.getByLabel("Email, row 2", { exact: true }).fill("aenne@example.com");
  await form.getByLabel("Send to row 4", { exact: true }).uncheck();
  await form.getByText("3 recipients", { exact: true }).waitFor();
  await next(form);
  await fillRest(form, { subject: "Papers of {Kundennummer}" });
  await form.getByText("Doppelt: {Kundennummer}", { exact: true }).waitFor();
  await form.getByRole("button", { name: "Send to 3 recipients" }).click();
  await form.getByText("No value for {Kundennummer}", { exact: true }).waitFor();
  expect(await page.request.get(`${site.url}/api/contacts`).then((response) => response.json())).toEqual([]);
  await form.getByLabel("{Kundennummer}, row 3", { exact: true }).fill("1003");
  await next(form);
  await next(form);
  await next(form);
  // The address that is listed twice becomes one contact.
  await form.getByLabel("Save 2 new recipients as contacts").check();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/save-contacts.png` });
  await form.getByRole("button", { name: "Send to 3 recipients" }).click();
  await page.getByText(/: 0 of 3 done$/).waitFor();
  for (const number of [1001, 1002, 1003])
    await page.getByRole("row", { name: new RegExp(`Papers of ${number}`) }).waitFor();
  const read = async (list: string) => (await page.request.get(`${site.url}/api/${list}`)).json();
  const contacts = await read("contacts?sort=name");
  expect(contacts).toMatchObject([
    { firstName: "Änne", lastName: "Weiß", email: "aenne@example.com", language: null },
    { firstName: "Jürgen", lastName: "Größe", email: "juergen@example.com", language: "de" },
  ]);
  const [aenne, juergen] = contacts.map(({ id }: { id: number }) => id);
  const linked = (await read("requests")).map(({ contactId }: { contactId: number }) => contactId);
  expect(linked.sort()).toEqual([aenne, juergen, juergen].sort());
}, 120_000);
