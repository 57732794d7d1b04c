import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { codeOf } from "../support/api/two-factor";
import { addAuthenticator } from "../support/browser/authenticator";
import { PASSWORD, PHONE, startBunSite, violations, waitForFocus } from "../support/browser/browser";
import { ownAddress } from "../support/browser/own-address";
import { setUpTestSite } from "../support/browser/site-set-up";
import { createMemoryClock } from "../support/memory/memory-clock";

/* TWO_FACTOR=everybody: an account without a second factor sets one up before it can do anything else. */

const clock = createMemoryClock(new Date());
const site = setUpTestSite(() => startBunSite({ clock, variables: { TWO_FACTOR: "everybody" } }));

const heading = (page: Page) =>
  page.getByRole("heading", { level: 1, name: "Set up a second factor", exact: true });

/** Of onboarding, the first thing that a new account sees. */
const welcome = (page: Page) => page.getByText("Welcome to Doculopes", { exact: true });

/** The failed calls of the page from now on. */
function watchFailures(page: Page): string[] {
  const failed: string[] = [];
  page.on("response", (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  return failed;
}

async function createPasskey(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Create passkey" }).click();
}

test("signing in leads to the set-up and, with a passkey, on to the wanted page, without a failed call", async () => {
  const email = ownAddress("deep@example.com");
  const { page } = await site.visit("/robots.txt");
  await page.request.post(`${site.url}/api/register`, { data: { email, password: PASSWORD } });
  await site.prove(email);
  await page.request.post(`${site.url}/api/logout`);
  const failed = watchFailures(page);
  await page.goto(`${site.url}/contacts?dialog=new`);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await heading(page).waitFor();
  await page.getByText(/^Whoever learns a password/).waitFor();
  await page.getByText(`Signed in as ${email}`, { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await heading(page).waitFor();
  expect(new URL(page.url()).pathname).toBe("/contacts");

  await addAuthenticator(page);
  await createPasskey(page);
  await page.getByRole("dialog", { name: "Add Contact" }).waitFor();
  expect(page.url()).toBe(`${site.url}/contacts?dialog=new`);
  await page.waitForLoadState("networkidle");
  expect(failed).toEqual([]);
}, 120_000);

test("on a phone, an authenticator app is enough once its recovery codes are saved, and one can sign out before", async () => {
  const { page } = await site.signUp("phone@example.com", PHONE);
  await heading(page).waitFor();
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const dialog = page.getByRole("dialog", { name: "Set up authenticator app" });
  const secret = (await dialog.getByLabel("Secret", { exact: true }).inputValue()).replaceAll(" ", "");
  await page.keyboard.press("Escape");
  await waitForFocus(page.getByRole("button", { name: "Set up authenticator app" }));
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const field = dialog.getByLabel("Secret", { exact: true });
  const renewed = (await field.inputValue()).replaceAll(" ", "");
  expect(renewed).not.toBe(secret);
  await dialog.getByLabel("Code", { exact: true }).fill(codeOf(renewed, clock.now().toISOString()));
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Save your recovery codes" }).waitFor();
  // The browser may ask again for what is missing, but the codes must stay.
  await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  await page.getByRole("button", { name: "I have saved them" }).click();
  await welcome(page).waitFor();

  const { page: other } = await site.signUp("leaves@example.com");
  await heading(other).waitFor();
  await other.getByRole("button", { name: "Sign Out" }).click();
  await other.getByRole("tab", { name: "Sign In" }).waitFor();
}, 120_000);

test("a page that is open when a factor becomes necessary asks for it, keeps what was typed, and goes on", async () => {
  const { page, expectStatus } = await site.signUp("running@example.com", { statuses: [404] });
  await addAuthenticator(page);
  await createPasskey(page);
  await welcome(page).waitFor();
  await page.goto(`${site.url}/contacts?dialog=new`);
  const form = page.getByRole("dialog", { name: "Add Contact" });
  await form.getByLabel("First Name", { exact: true }).fill("Grace");
  await form.getByLabel("Email", { exact: true }).fill("grace@example.com");
  const [passkey] = await (await page.request.get(`${site.url}/api/passkeys`)).json();
  await page.request.delete(`${site.url}/api/passkeys/${passkey.id}`);
  expectStatus(403);
  clock.advance(11 * 60);
  await form.getByRole("button", { name: "Add Contact" }).click();
  const question = page.getByRole("dialog", { name: "Set up a second factor" });
  await question.waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await waitForFocus(question.getByRole("button", { name: "Add a passkey" }));
  // The button under the question is waiting, and its spinner would never come to rest.
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await violations(page)).toEqual([]);
  await question.getByRole("button", { name: "Add a passkey" }).click();
  // The sign-in was a while ago.
  const confirm = page.getByRole("dialog", { name: "Confirm that it's you" });
  await confirm.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Create passkey" }).click();
  await page.getByText("Contact created", { exact: true }).waitFor();
  await page.getByText("grace@example.com", { exact: true }).waitFor();
  expect(await question.count()).toBe(0);
}, 120_000);

test("joining a workspace leads through the set-up, and back to the invitation", async () => {
  const owner = await site.signUp("owner@example.com", { statuses: [404] });
  await addAuthenticator(owner.page);
  await createPasskey(owner.page);
  await welcome(owner.page).waitFor();
  const guest = await site.signUp("guest@example.com", { statuses: [403] });
  await heading(guest.page).waitFor();
  const [workspace] = await (await owner.page.request.get(`${site.url}/api/workspaces`)).json();
  const invited = await owner.page.request.post(`${site.url}/api/workspaces/${workspace.id}/invitations`, {
    data: { email: guest.email, role: "member" },
  });
  expect(invited.status()).toBe(201);
  const link = await site.mailedLink(guest.email, "invite");
  await guest.page.goto(site.url + link);
  await guest.page.getByRole("button", { name: "Join", exact: true }).click();
  await heading(guest.page).waitFor();
  await addAuthenticator(guest.page);
  await createPasskey(guest.page);
  await guest.page.waitForURL(site.url + link);
  await guest.page.getByRole("button", { name: "Join", exact: true }).click();
  await guest.page.waitForURL(`${site.url}/`);
}, 120_000);
