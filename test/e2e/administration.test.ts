import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import {
  PASSWORD,
  PHONE,
  startBunSite,
  startTestSite,
  type Visitor,
  violations,
} from "../support/browser/browser";
import { holdNextCall } from "../support/browser/held-call";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();
let admin: Visitor;
beforeAll(async () => {
  admin = await site.openAccount("ada@example.com");
}, 120_000);

async function open(page: Page): Promise<void> {
  await page.goto(`${site.url}/profile`);
  await page.getByRole("navigation").getByRole("link", { name: "Administration" }).click();
  await page.getByRole("heading", { level: 1, name: "Administration" }).waitFor();
  expect(await page.getByRole("navigation").locator("[aria-current=page]").allInnerTexts()).toEqual([
    "Administration",
  ]);
}

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

const toast = (page: Page, title: string) => page.getByText(title, { exact: true }).first().waitFor();

test("an administrator finds an account, limits, disables, enables and deletes it", async () => {
  const bea = await site.signUp("bea@example.com", { statuses: [401, 403] });
  const { page } = admin;
  await open(page);
  const accounts = section(page, "Accounts");
  await accounts.getByRole("searchbox").fill("BEA");
  const row = accounts.getByRole("row").filter({ hasText: "bea@example.com" });
  await row.waitFor();
  await accounts.getByText("ada@example.com").waitFor({ state: "detached" });
  expect(await violations(page)).toEqual([]);

  // The whole cell opens the account.
  await row
    .getByRole("cell")
    .first()
    .click({ position: { x: 4, y: 4 } });
  const dialog = page.getByRole("dialog", { name: "bea@example.com" });
  await dialog.getByRole("button", { name: "Storage limit Instance default (No limit)" }).click();
  await page.getByRole("option", { name: "Custom limit" }).click();
  await dialog.getByLabel("MB").fill("some");
  await dialog.getByText("Enter a whole number").waitFor();
  await dialog.getByLabel("MB").fill("500");
  await dialog.getByRole("button", { name: "Save limit" }).click();
  await toast(page, "Storage limit saved");
  await dialog.getByText("0 Bytes of 500 MB").waitFor();
  expect(await violations(page)).toEqual([]);

  await dialog.getByRole("button", { name: "Disable account" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByText("bea@example.com").waitFor();
  expect(await violations(page)).toEqual([]);
  await question.getByRole("button", { name: "Disable account" }).click();
  await toast(page, "Account disabled");
  await bea.page.reload();
  await bea.page.getByRole("tab", { name: "Sign In" }).waitFor();
  await bea.page.getByLabel("Email").fill("bea@example.com");
  await bea.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await bea.page.getByRole("button", { name: "Sign In", exact: true }).click();
  await toast(bea.page, "This account has been disabled. Please contact the administrator.");

  await dialog.getByRole("button", { name: "Enable account" }).click();
  await toast(page, "Account enabled");
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await question.waitFor();
  await page.goBack();
  await question.waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await question.getByText("This action cannot be undone").waitFor();
  await question.getByRole("button", { name: "Delete account" }).click();
  await toast(page, "Account deleted");
  await dialog.waitFor({ state: "detached" });
  await accounts.getByText("No matching accounts.").waitFor();
  const log = section(page, "Audit log");
  for (const line of ["bea@example.com was deleted", "Storage limit of bea@example.com: 500 MB"])
    await log.getByText(line, { exact: true }).waitFor();
  await log.getByLabel("Action").selectOption("Storage limits changed");
  await log.getByText("bea@example.com was deleted").waitFor({ state: "detached" });
  await log.getByText("Storage limit of bea@example.com: 500 MB", { exact: true }).waitFor();
  const [csv] = await Promise.all([
    page.waitForEvent("download"),
    log.getByRole("link", { name: "Download CSV" }).click(),
  ]);
  expect(csv.suggestedFilename()).toBe("audit-log.csv");
  await log.getByLabel("Person").fill("nobody@example.com");
  await log.getByText("No matching entries.", { exact: true }).waitFor();

  await page.getByRole("button", { name: "Send a test email" }).click();
  await page.getByText("The mail server accepted an email to ada@example.com.", { exact: true }).waitFor();
}, 180_000);

test("an administrator reads what is left to do on a new instance, and hides it", async () => {
  const { page } = admin;
  await page.evaluate(() => localStorage.clear());
  await open(page);
  const steps = section(page, "First steps");
  const step = (name: string) => steps.getByRole("term").filter({ hasText: name }).locator("+ dd");
  await step("Outgoing mail").getByText("Done", { exact: true }).waitFor();
  await step("Backups").getByText("No backup is recorded.", { exact: false }).waitFor();
  await step("Who can sign up").getByText("Anyone can create an account", { exact: true }).waitFor();
  expect(await steps.getByText("To do", { exact: true }).count()).toBeGreaterThan(2);
  expect(await violations(page)).toEqual([]);
  await steps.getByRole("button", { name: "Hide first steps" }).click();
  await steps.waitFor({ state: "detached" });
  const release = await holdNextCall(page, "**/api/administration");
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Administration" }).waitFor();
  // Nothing below is shown that the state of the instance would push away.
  expect(await section(page, "Accounts").count()).toBe(0);
  release();
  await section(page, "Accounts").waitFor();
  await section(page, "This instance").getByText("Last backup").waitFor();
  expect(await steps.count()).toBe(0);
}, 120_000);

test("administrators cannot disable or delete their own account here", async () => {
  const { page } = admin;
  await open(page);
  await section(page, "Accounts").getByRole("button", { name: "ada@example.com" }).click();
  const dialog = page.getByRole("dialog", { name: "ada@example.com" });
  await dialog.getByText("This is your own account.").waitFor();
  expect(await dialog.getByRole("button").allInnerTexts()).not.toContain("Delete account");
  await page.goBack();
  await dialog.waitFor({ state: "detached" });
}, 120_000);

test("an invited person opens the link, chooses a password and is signed in", async () => {
  const { page } = admin;
  await open(page);
  const invitations = section(page, "Invitations");
  // The results name the address too, so an item of the list is told by its "Works until".
  const listed = (email: string) =>
    invitations.getByRole("listitem").filter({ hasText: email }).filter({ hasText: "Works until" });
  await invitations.getByRole("button", { name: "Invite", exact: true }).click();
  await invitations.getByText("Invalid email address", { exact: true }).waitFor();
  await invitations.getByLabel("Email").fill("friend@example.org, friend, ada@");
  await invitations.getByRole("button", { name: "Invite", exact: true }).click();
  await invitations.getByText("Invalid email address: friend, ada@", { exact: true }).waitFor();
  // One of the addresses has an account.
  admin.expectStatus(409);
  await invitations.getByLabel("Email").fill("friend@example.org, ada@example.com");
  await invitations.getByRole("button", { name: "Invite", exact: true }).click();
  await listed("friend@example.org").waitFor();
  const results = invitations.getByRole("status", { name: "Results" });
  await results.getByText("Invited: friend@example.org", { exact: true }).waitFor();
  await results.getByText("Not invited: ada@example.com.", { exact: false }).waitFor();
  expect(await invitations.getByLabel("Email").inputValue()).toBe("ada@example.com");
  await invitations.getByLabel("Email").fill("guest@example.org");
  await invitations.getByLabel("Email").press("Enter");
  await toast(page, "The invitation is on its way");
  await listed("guest@example.org").waitFor();

  const link = await site.mailedLink("guest@example.org", "invite");
  const guest = await site.visit(link, { ...PHONE, statuses: [400] });
  await guest.page.getByRole("heading", { level: 1, name: "You are invited to Doculopes" }).waitFor();
  expect(await guest.page.getByLabel("Email").inputValue()).toBe("guest@example.org");
  expect(await violations(guest.page)).toEqual([]);
  await guest.page.getByLabel("Password", { exact: true }).fill("short");
  await guest.page.getByRole("button", { name: "Create Account" }).click();
  await guest.page.getByText("Password must be at least 6 characters").waitFor();
  await guest.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await guest.page.getByRole("button", { name: "Create Account" }).click();
  await guest.page.waitForURL(`${site.url}/`);

  const late = await site.visit(link, { statuses: [400] });
  await late.page.getByText("Please ask the person who invited you for a new one.").waitFor();
}, 120_000);

test("an invitation can be revoked", async () => {
  const { page } = admin;
  await open(page);
  const invitations = section(page, "Invitations");
  await invitations.getByLabel("Email").fill("nobody@example.org");
  await invitations.getByRole("button", { name: "Invite", exact: true }).click();
  await invitations.getByRole("button", { name: "Revoke the invitation for nobody@example.org" }).click();
  await toast(page, "Invitation revoked");
  await invitations.getByText("nobody@example.org").waitFor({ state: "detached" });
}, 120_000);

test("other users get the not-found page", async () => {
  const { page } = await site.openAccount("eve@example.com");
  await page.goto(`${site.url}/administration`);
  await page.getByRole("heading", { level: 1, name: "404 Page Not Found" }).waitFor();
  expect(await page.getByRole("main").count()).toBe(1);
  await page.goto(`${site.url}/profile`);
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  expect(await page.getByRole("link", { name: "Open administration" }).count()).toBe(0);
}, 120_000);

test("the sign-in page says that sign-up is closed, and keeps its tabs", async () => {
  const closed = await startTestSite(() => startBunSite({ variables: { SIGN_UP: "invite" } }));
  try {
    const first = await closed.visit("/auth");
    await first.page.getByRole("tab", { name: "Create Account" }).click();
    await first.page.getByRole("button", { name: "Create Account" }).waitFor();
    await closed.signUp("first@example.com");
    const { page } = await closed.visit("/auth");
    await page.getByRole("tab", { name: "Create Account" }).click();
    await page.getByText("You need an invitation to create an account.").waitFor();
    expect(await page.getByRole("button", { name: "Create Account" }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  } finally {
    await closed.stop();
  }
}, 120_000);
