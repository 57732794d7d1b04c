import { expect, test } from "bun:test";
import { PHONE, violations, waitForFocus } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { csvFile } from "../support/files/csv-files";

const site = setUpTestSite();

/** As a German Excel saves a list. */
const LIST = [
  "Kundenliste;;;",
  "Vorname;Nachname;E-Mail-Adresse;Firma;Kundennummer",
  "Jürgen;Größe;juergen@example.com;Müller & Söhne;1",
  "Änne;Weiß;aenne(at)example.com;;2",
  "Doppelt;;JUERGEN@example.com;;3",
  "",
].join("\r\n");

test("a list from Excel is corrected in place, imported without a row, and exported", async () => {
  const { page } = await site.openAccount("list@example.com");
  await page.goto(`${site.url}/contacts`);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Import contacts" });
  await dialog.getByRole("link", { name: "Sample file" }).waitFor();
  expect(await dialog.getByRole("button", { name: "Import contacts" }).isDisabled()).toBe(true);
  const buffer = Buffer.from(await csvFile(LIST, "windows-1252").arrayBuffer());
  await page.locator("input[type=file]").setInputFiles({ name: "Kunden.csv", mimeType: "text/csv", buffer });
  await dialog.getByText("2 rows need a correction", { exact: true }).waitFor();
  expect(await dialog.getByLabel("Last name, row 1", { exact: true }).inputValue()).toBe("Größe");
  expect(await dialog.getByLabel("Kundennummer", { exact: true }).inputValue()).toBe("");
  expect(await dialog.getByRole("button", { name: "Import 3 contacts" }).isDisabled()).toBe(true);
  const box = await dialog.getByLabel("Import row 1", { exact: true }).boundingBox();
  expect([box?.width, box?.height]).toEqual([16, 16]);
  // Columns are as wide as their contents need, and only a row with a problem has room for one.
  const rows = dialog.getByRole("list", { name: "Rows of the file" }).getByRole("listitem");
  const [good, wrong] = [await rows.nth(0).boundingBox(), await rows.nth(1).boundingBox()];
  expect(good?.height ?? 0).toBeLessThan((wrong?.height ?? 0) - 10);
  const widthOf = async (label: string) =>
    (await dialog.getByLabel(label, { exact: true }).boundingBox())?.width;
  expect(await widthOf("First name, row 1")).toBeLessThan((await widthOf("Email, row 1")) ?? 0);
  expect(await violations(page)).toEqual([]);

  await dialog.getByLabel("Only show these", { exact: true }).check();
  await dialog.getByLabel("First name, row 1", { exact: true }).waitFor({ state: "detached" });
  const address = dialog.getByLabel("Email, row 2", { exact: true });
  await address.fill("");
  await address.pressSequentially("aenne@example.com");
  expect(await address.inputValue()).toBe("aenne@example.com");
  await dialog.getByText("1 row needs a correction", { exact: true }).waitFor();
  await dialog.getByLabel("Import row 3", { exact: true }).uncheck();
  await dialog.getByText("2 contacts can be imported", { exact: true }).waitFor();

  // What was corrected is not lost by a slip.
  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await dialog.getByRole("button", { name: "Import 2 contacts" }).click();
  await dialog.waitFor({ state: "detached" });
  const contacts = page.getByRole("list", { name: "Contacts" });
  await contacts.getByRole("heading", { name: "Jürgen Größe", exact: true }).waitFor();
  await contacts.getByRole("heading", { name: "Änne Weiß", exact: true }).waitFor();
  expect(await contacts.getByText("Doppelt").count()).toBe(0);
  expect(new URL(page.url()).search).toBe("");

  const started = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export", exact: true }).click();
  const download = await started;
  expect(download.suggestedFilename()).toEndWith(".csv");
  const text = await Bun.file(await download.path()).text();
  expect(text).toContain("Jürgen,Größe,juergen@example.com");
  expect(text).toContain("Änne,Weiß,aenne@example.com");
}, 120_000);

test("on a phone, what stands beside the disabled button leads to the first row that is wrong", async () => {
  const { page } = await site.openAccount("phone-list@example.com", PHONE);
  await page.goto(`${site.url}/contacts`);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Import contacts" });
  const rows = Array.from({ length: 60 }, (_, index) => `Ada ${index},ada${index}@example.com`);
  const list = ["Name,Email", ...rows.with(44, "Bob,bob(at)example.com")].join("\r\n");
  const buffer = Buffer.from(await csvFile(list).arrayBuffer());
  await page.locator("input[type=file]").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer });
  const first = dialog.getByRole("button", { name: "Row 45 needs a correction" });
  await first.click();
  const address = dialog.getByLabel("Email, row 45", { exact: true });
  await waitForFocus(address);
  expect(await violations(page)).toEqual([]);
  await address.fill("bob@example.com");
  await first.waitFor({ state: "detached" });
  expect(await dialog.getByRole("button", { name: "Import 60 contacts" }).isEnabled()).toBe(true);
}, 60_000);
