import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { ENVELOPE } from "../support/api/envelopes";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();

/** Expects that a locator finds exactly one element by each name. */
async function expectUnique(...locators: Locator[]): Promise<void> {
  for (const locator of locators) {
    await locator.first().waitFor();
    expect([String(locator), await locator.count()]).toEqual([String(locator), 1]);
  }
}

test("the fields and buttons of the sign-in form have distinct names", async () => {
  const { page } = await site.visit("/auth");
  for (const button of ["Sign In", "Create Account"]) {
    await page.getByRole("tab", { name: button }).click();
    await expectUnique(
      page.getByLabel("Email"),
      page.getByLabel("Password"),
      page.getByRole("button", { name: button, exact: true }),
    );
  }
}, 120_000);

test("pages, lists and dialogs use each name once", async () => {
  const { page } = await site.signUp("once@example.com");
  expect(await page.title()).toBe("Doculopes");
  await expectUnique(
    page.getByRole("link", { name: "Doculopes" }),
    page.getByRole("heading", { name: "Doculopes" }),
    page.locator("[aria-current=page]"),
    page.getByText("Sign Out", { exact: true }),
  );
  await page.goto(`${site.url}/contacts`);
  await page.getByText("No contacts yet", { exact: true }).waitFor();
  await expectUnique(page.getByRole("heading", { name: "Contacts" }));

  await page.request.post(`${site.url}/api/requests`, { data: ENVELOPE });
  await page.goto(site.url);
  await expectUnique(page.getByText("pending", { exact: true }));
  await page.setViewportSize({ width: 390, height: 844 });
  await expectUnique(page.getByText("pending", { exact: true }));

  await page.goto(`${site.url}/?wizard=new`);
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  await expectUnique(
    wizard.getByText("Recipient", { exact: true }),
    wizard.getByRole("heading", { name: "Recipient" }),
  );
}, 120_000);

test("the recipient's steps are shown once, the current one as a heading, also if the requestor has no name", async () => {
  const { page } = await site.signUp("link@example.com");
  const made = await page.request.post(`${site.url}/api/requests`, { data: ENVELOPE });
  const { submissionToken } = await made.json();
  const recipient = await site.visit(`/submit/${submissionToken}`);
  await recipient.page.getByText("Not provided", { exact: true }).waitFor();
  await expectUnique(
    recipient.page.getByText("Your Information", { exact: true }),
    recipient.page.getByRole("heading", { name: "Your Information" }),
    recipient.page.getByText("Upload Documents", { exact: true }),
  );
}, 120_000);
