import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { MOVING, PHONE, type VisitOptions, waitForFocus } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { CONTRACT, openRequestor } from "../support/browser/submit-page";
import { pdfFile } from "../support/files/files";

const site = setUpTestSite();

/** A requestor with one completed envelope, on another page than home. */
async function openWithFile(email: string, options?: VisitOptions): Promise<{ page: Page; id: number }> {
  const ada = await openRequestor(site, email, options);
  const { id, submissionToken } = await ada.requestDocuments([CONTRACT]);
  const body = new FormData();
  body.append(CONTRACT.name, pdfFile());
  const response = await fetch(`${site.url}/api/submissions/${submissionToken}`, { method: "POST", body });
  expect(response.status).toBe(201);
  await ada.page.goto(`${site.url}/contacts`);
  await ada.page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  return { page: ada.page, id };
}

test("the focus returns to the control that opened a dialog, also if its code loads late", async () => {
  const { page, id } = await openWithFile("ada@example.com");
  await page.goto(site.url);
  const remove = page.getByRole("button", { name: "Delete Papers for the engine" });
  await remove.focus();
  await page.keyboard.press("Enter");
  await waitForFocus(page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }));
  await page.keyboard.press("Escape");
  await waitForFocus(remove);

  await page.goto(`${site.url}/?envelope=${id}`);
  const details = page.getByRole("dialog").getByRole("heading", { level: 2 }).first();
  await waitForFocus(details);
  const view = page.getByRole("button", { name: "View Signed contract" });
  await view.press("Enter");
  await waitForFocus(page.getByRole("heading", { name: "Document Details" }));
  await page.keyboard.press("Escape");
  await waitForFocus(view);
  await page.keyboard.press("Escape");
  await waitForFocus(page.locator("#content"));
}, 120_000);

test("Escape in a toast closes the toast, and not the dialog below it", async () => {
  const { page } = await site.signUp("toast@example.com", MOVING);
  await page.getByRole("button", { name: "New Envelope" }).click();
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  await wizard.getByRole("button", { name: "Next" }).click();
  const toast = page.getByText("Required Fields", { exact: true });
  await toast.waitFor();
  await page.keyboard.press("F8");
  await page.waitForFunction(() => document.activeElement?.textContent?.includes("Required Fields"));
  await page.keyboard.press("Escape");
  await toast.waitFor({ state: "detached" });
  expect(await wizard.count()).toBe(1);
}, 120_000);

test("Escape closes the contact picker at the first press, and not the dialog below it", async () => {
  const { page } = await site.openAccount("picker@example.com", MOVING);
  await page.request.post(`${site.url}/api/contacts`, { data: { firstName: "Mary" } });
  await page.goto(`${site.url}/?wizard=new`);
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  const opener = wizard.getByRole("button", { name: "Choose a contact" });
  const search = page.getByRole("combobox", { name: "Search contacts" });
  for (const words of ["", "ma"]) {
    await opener.press("Enter");
    await page.getByRole("option", { name: "Mary" }).waitFor();
    await waitForFocus(search);
    await page.keyboard.type(words);
    await page.keyboard.press("Escape");
    await waitForFocus(opener);
    expect(await search.count()).toBe(0);
  }
  await page.keyboard.press("Enter");
  await waitForFocus(search);
  await page.keyboard.press("Enter");
  await waitForFocus(wizard.getByRole("button", { name: "Contact Mary" }));
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").waitFor();
}, 120_000);

test("back closes the dialog and stays on the page", async () => {
  const { page } = await openWithFile("back@example.com", PHONE);
  const openMenu = () => page.getByRole("button", { name: "Open navigation menu" }).click();
  const menu = page.getByRole("dialog", { name: "Menu" });
  await openMenu();
  await menu.getByRole("link", { name: "Doculopes" }).click();
  await page.getByRole("heading", { level: 1, name: "Doculopes" }).waitFor();
  await openMenu();
  await menu.waitFor();
  await page.goBack();
  await menu.waitFor({ state: "detached" });
  await page.waitForURL(`${site.url}/`);

  await page.getByRole("checkbox", { name: "Select Papers for the engine" }).click();
  const bar = page.getByRole("group", { name: "Selected envelopes" });
  await bar.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete 1", exact: true }).click();
  const question = page.getByRole("alertdialog");
  await question.waitFor();
  await page.goBack();
  await question.waitFor({ state: "detached" });
  await page.waitForURL(`${site.url}/`);

  await openMenu();
  await menu.getByRole("button", { name: "Create Workspace" }).click();
  const workspace = page.getByRole("dialog", { name: "Create Workspace" });
  await workspace.getByLabel("Name").fill("Tax season");
  await page.goBack();
  await workspace.waitFor({ state: "detached" });
  expect(await menu.isVisible()).toBe(true);
  await page.goBack();
  await menu.waitFor({ state: "detached" });
  await page.waitForURL(`${site.url}/`);
  await page.getByRole("heading", { level: 1, name: "Doculopes" }).waitFor();
}, 120_000);

test("a partly typed workspace is restored after its dialog was closed by accident", async () => {
  const { page } = await site.signUp("half@example.com", MOVING);
  const open = () => page.getByRole("button", { name: "Create Workspace" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Workspace" });
  const name = dialog.getByLabel("Name");
  await open();
  await name.fill("Tax season");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await open();
  expect(await name.inputValue()).toBe("Tax season");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  await open();
  expect(await name.inputValue()).toBe("");
}, 120_000);
