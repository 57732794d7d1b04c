import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { PASSWORD, PHONE, type Visitor, violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();
let owner: Visitor;
beforeAll(async () => {
  owner = await site.signUp("ida@example.com");
  const { request } = owner.page;
  await request.patch(`${site.url}/api/user/profile`, {
    data: { firstName: "Ida", lastName: "Holm", companyName: "Holm Tax" },
  });
  const [{ id }] = await (await request.get(`${site.url}/api/workspaces`)).json();
  await request.patch(`${site.url}/api/workspaces/${id}`, { data: { name: "Taxes" } });
}, 120_000);

/** @returns the path of the mailed link */
async function invite(email: string, role: string): Promise<string> {
  const { request } = owner.page;
  const [{ id }] = await (await request.get(`${site.url}/api/workspaces`)).json();
  const invited = await request.post(`${site.url}/api/workspaces/${id}/invitations`, {
    data: { email, role },
  });
  expect(invited.status()).toBe(201);
  return site.mailedLink(email, "invite");
}

const isSelected = (page: Page) => page.getByRole("button", { name: "Workspace Taxes" }).waitFor();
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

test("somebody without an account sees who invites to what, and chooses a password only", async () => {
  const link = await invite("newcomer@example.org", "viewer");
  const { page } = await site.visit(link, PHONE);
  await heading(page, "Join Taxes");
  await page
    .getByText("Ida Holm (Holm Tax) invites you to the workspace “Taxes”. Your role: Viewer.")
    .waitFor();
  await page.getByText("Can look at everything and download files").waitFor();
  expect(await page.getByLabel("Email").inputValue()).toBe("newcomer@example.org");
  expect(await page.getByLabel("Email").isEditable()).toBe(false);
  expect(await violations(page)).toEqual([]);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create Account" }).click();
  // Onboarding names the workspace and what viewers can do there, and does not ask how they will use it.
  const onboarding = page.getByRole("dialog");
  await onboarding.getByText(/in the workspace “Taxes”. You see everything there/).waitFor();
  expect(await onboarding.getByText("Say who you need documents from.").count()).toBe(0);
  await onboarding.getByRole("button", { name: "Next" }).click();
  await onboarding.getByLabel("First Name").fill("Nell");
  await onboarding.getByRole("button", { name: "Next" }).click();
  await onboarding.getByRole("heading", { name: "Ready to go!" }).waitFor();
  expect(await onboarding.getByRole("progressbar").getAttribute("aria-valuemax")).toBe("3");
  expect(await onboarding.getByRole("button", { name: "Create your first request" }).count()).toBe(0);
  await onboarding.getByRole("button", { name: "Get Started" }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
  await isSelected(page);
}, 120_000);

test("a workspace that nobody has named is named in the invited person's language", async () => {
  const { request } = owner.page;
  const [{ id }] = await (await request.get(`${site.url}/api/workspaces`)).json();
  const rename = (name: string) => request.patch(`${site.url}/api/workspaces/${id}`, { data: { name } });
  await rename("My Workspace");
  const { page } = await site.visit(await invite("neu@example.org", "member"), { locale: "de-DE" });
  await heading(page, "„Mein Arbeitsbereich“ beitreten");
  await rename("Taxes");
}, 120_000);

test("somebody with an account signs in and is in the workspace", async () => {
  const { page, email, expectStatus } = await site.openAccount("colleague@example.com");
  const link = await invite(email, "member");
  await page.request.post(`${site.url}/api/logout`);
  await page.goto(site.url + link);
  await page.getByText("Sign in to your account to join.").waitFor();
  expect(await violations(page)).toEqual([]);
  expectStatus(401);
  await page.getByLabel("Password", { exact: true }).fill("wrong password");
  await page.getByRole("button", { name: "Sign in and join" }).click();
  await page.getByText("Invalid email or password", { exact: true }).waitFor();
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in and join" }).click();
  await isSelected(page);
}, 120_000);

test("somebody who is signed in joins at once; a used link says whom to ask", async () => {
  const { page, email, expectStatus } = await site.openAccount("at.once@example.com");
  const link = await invite(email, "owner");
  await page.goto(site.url + link);
  await page.getByText(`You are signed in as ${email}.`).waitFor();
  await page.getByRole("button", { name: "Join", exact: true }).click();
  await isSelected(page);
  expectStatus(400);
  await page.goto(site.url + link);
  await heading(page, "This link did not work");
  await page.getByText("Please ask the person who invited you for a new one.").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("link", { name: "Continue to Doculopes" }).click();
  await isSelected(page);
}, 120_000);

test("somebody who is signed in with another account is told, and may sign out", async () => {
  const guest = await site.signUp("right.one@example.com");
  const link = await invite(guest.email, "member");
  const { page, email } = await site.openAccount("wrong.one@example.com");
  await page.goto(site.url + link);
  await page.getByText(`You are signed in as ${email}, but the invitation is for ${guest.email}.`).waitFor();
  expect(await page.getByRole("button", { name: "Join", exact: true }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in and join" }).click();
  await isSelected(page);
}, 120_000);
