import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { PASSWORD, PHONE, type VisitOptions, violations } from "../support/browser/browser";
import { ownAddress } from "../support/browser/own-address";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();

/** A new account that has not completed onboarding, on the home page. */
async function newcomer(address: string, options?: VisitOptions): Promise<Page> {
  const { page } = await site.visit("/auth", options);
  await page.request.post(`${site.url}/api/register`, {
    data: { email: ownAddress(address), password: PASSWORD },
  });
  await page.goto(`${site.url}/`);
  await page.getByRole("heading", { name: "Welcome to Doculopes" }).waitFor();
  return page;
}

test("the four steps are validated and saved", async () => {
  const page = await newcomer("new@example.com");
  const dialog = page.getByRole("dialog");
  const progress = dialog.getByRole("progressbar");
  const next = dialog.getByRole("button", { name: "Next" });
  const at = async (step: number) => {
    expect(await progress.getAttribute("aria-valuemax")).toBe("4");
    expect(await progress.getAttribute("aria-valuenow")).toBe(String(step));
    expect(await violations(page)).toEqual([]);
  };
  await at(1);
  expect(await dialog.getByRole("button", { name: "Back" }).isDisabled()).toBe(true);
  await next.click();
  await dialog.getByRole("heading", { name: "Tell us about yourself", exact: true }).waitFor();
  await next.click();
  await dialog.getByText("First name is required", { exact: true }).waitFor();
  await at(2);
  await dialog.getByLabel("First Name").fill("Ada");
  await dialog.getByLabel("Last Name (Optional)").fill("Lovelace");
  await dialog.getByLabel("Company Name (Optional)").fill("Engines");
  await page.keyboard.press("Enter");
  await dialog.getByRole("heading", { name: "How will you use Doculopes?" }).waitFor();
  await at(3);
  expect(await dialog.getByRole("radio", { name: "Personal" }).isChecked()).toBe(true);
  expect(await dialog.getByRole("radio", { name: "Contracts" }).isChecked()).toBe(true);
  for (const answer of ["Business", "Enterprise", "Forms", "Tax Documents", "Other"])
    await dialog.getByRole("radio", { name: answer }).waitFor();
  await dialog.getByRole("radiogroup", { name: "Usage Type" }).getByText("Business").click();
  await dialog.getByRole("radiogroup", { name: "Document Type" }).getByText("Tax Documents").click();
  await next.click();
  await dialog.getByRole("heading", { name: "Ready to go!", exact: true }).waitFor();
  await at(4);
  await dialog.getByRole("button", { name: "Back" }).click();
  expect(await dialog.getByRole("radio", { name: "Business" }).isChecked()).toBe(true);
  await next.click();
  await dialog.getByRole("button", { name: "Create your first request" }).click();
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  await wizard.getByRole("button", { name: "Template Tax documents" }).waitFor();
  await wizard.getByRole("button", { name: "Cancel" }).click();
  await wizard.waitFor({ state: "detached" });
  expect(await (await page.request.get(`${site.url}/api/user`)).json()).toMatchObject({
    firstName: "Ada",
    lastName: "Lovelace",
    companyName: "Engines",
    usageType: "business",
    documentType: "tax_documents",
    onboardingCompleted: true,
  });
  const templates = await (await page.request.get(`${site.url}/api/templates`)).json();
  expect(
    templates.map(({ name, fields }: { name: string; fields: unknown[] }) => [name, fields.length]),
  ).toEqual([["Tax documents", 5]]);
  await page.reload();
  await page.getByText("No Doculopes yet").waitFor();
  expect(await dialog.count()).toBe(0);
}, 120_000);

test("dismissed, it stays closed for this visit, opens on the next and has its answers", async () => {
  const page = await newcomer("later@example.com");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByLabel("First Name").fill("Grace");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "New Envelope" }).click();
  await page
    .getByRole("dialog", { name: "Create New Envelope" })
    .getByRole("button", { name: "Cancel" })
    .click();
  await dialog.waitFor({ state: "detached" });

  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Doculopes" }).click();
  await dialog.getByRole("button", { name: "Next" }).click();
  expect(await dialog.getByLabel("First Name").inputValue()).toBe("Grace");
  await page.goBack();
  await dialog.waitFor({ state: "detached" });
  await page.waitForURL(`${site.url}/`);
  await page.getByRole("heading", { level: 1, name: "Doculopes" }).waitFor();
}, 120_000);

test("it opens after a dialog of the URL is closed", async () => {
  const page = await newcomer("dialog@example.com");
  await page.goto(`${site.url}/?wizard=new`);
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  await wizard.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "Welcome to Doculopes" }).waitFor();
}, 120_000);

test("a failed save is reported, and the answers stay", async () => {
  const page = await newcomer("rejected@example.com", { ...PHONE, statuses: [500] });
  const dialog = page.getByRole("dialog");
  const next = () => dialog.getByRole("button", { name: "Next" }).click();
  await next();
  await dialog.getByLabel("First Name").fill("Ada");
  await next();
  await next();
  for (const [path, text] of [
    ["profile", "Failed to update profile"],
    ["complete-onboarding", "Failed to update onboarding status"],
  ]) {
    await page.route(`**/api/user/${path}`, (route) => route.fulfill({ status: 500, body: "" }), {
      times: 1,
    });
    await dialog.getByRole("button", { name: "Get Started" }).click();
    await page.getByText(`${text}`, { exact: true }).waitFor();
  }
  await dialog.getByRole("button", { name: "Get Started" }).click();
  await dialog.waitFor({ state: "detached" });
}, 120_000);
