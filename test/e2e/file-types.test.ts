import { expect, test } from "bun:test";
import { chooseLastOption, violations, waitForFocus } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();

test("new documents in the wizard and in templates begin with the file types of the workspace", async () => {
  const { page } = await site.openAccount("types@example.com");
  const stored = async () =>
    (await (await page.request.get(`${site.url}/api/workspaces`)).json())[0].defaultFileTypes;
  await page.goto(`${site.url}/workspace#file-types`);
  const form = page.getByRole("region", { name: "File types" });
  const chooser = form.getByRole("button", { name: "File types" });
  await chooser.click();
  await page.getByRole("option", { name: "Photo or scan" }).click();
  expect(await violations(page)).toEqual([]);
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByText("File types updated", { exact: true }).waitFor();
  expect(await stored()).toEqual(["jpg", "jpeg", "png", "heic", "pdf"]);

  await page.getByRole("link", { name: "Templates" }).click();
  await page.getByRole("button", { name: "New Template" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Document Template" });
  await dialog.getByRole("button", { name: "Add Document" }).click();
  expect(await dialog.getByRole("button", { name: /^File types/ }).allInnerTexts()).toEqual([
    "Photo or scan",
    "Photo or scan",
  ]);
  await page.goto(`${site.url}/?wizard=new`);
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  await wizard.getByLabel("Recipient Name").fill("Ada Ray");
  await wizard.getByLabel("Recipient Email").fill("ada@example.com");
  await wizard.getByRole("button", { name: "Next" }).click();
  await wizard.getByLabel("Subject").fill("Passport");
  await wizard.getByRole("button", { name: "Next" }).click();
  expect(await wizard.getByRole("button", { name: /^File types/ }).textContent()).toBe("Photo or scan");

  await page.goto(`${site.url}/workspace#file-types`);
  await chooser.click();
  await chooseLastOption(page, "Other types");
  const types = form.getByLabel("Allowed file types");
  await form.getByRole("button", { name: "Clear heic" }).press("Enter");
  await waitForFocus(form.getByRole("button", { name: "Clear pdf" }));
  await page.keyboard.press("Enter");
  await waitForFocus(types);
  await types.fill("dwg");
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByText("File types updated", { exact: true }).waitFor();
  expect(await stored()).toEqual(["jpg", "jpeg", "png", "dwg"]);
}, 120_000);
