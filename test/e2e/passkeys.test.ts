import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { addApp, addAuthenticator, withoutSuggestions } from "../support/browser/authenticator";
import { PASSWORD, startBunSite, violations, waitForFocus } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { createMemoryClock } from "../support/memory/memory-clock";

const clock = createMemoryClock(new Date());
const site = setUpTestSite(() => startBunSite({ clock }));

const passkeys = (page: Page) => page.getByRole("region", { name: "Passkeys", exact: true });

async function signIn(page: Page, email: string): Promise<void> {
  await page.request.post(`${site.url}/api/logout`);
  await page.goto(`${site.url}/auth`);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
}

async function addPasskey(page: Page): Promise<void> {
  await page.goto(`${site.url}/profile#passkeys`);
  await passkeys(page).getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  await dialog.getByLabel("Name", { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create passkey" }).click();
  await passkeys(page).getByRole("listitem").waitFor();
}

test("a passkey is added, signs in by the button and by the address field, confirms, and is removed", async () => {
  const { page, email, expectStatus } = await site.signUp("passkey@example.com");
  const device = await addAuthenticator(page);
  const section = passkeys(page);
  await addPasskey(page);
  expect(await section.getByText("Not used yet").count()).toBe(1);
  const [credential] = await device.credentials();
  expect([credential?.isResidentCredential, credential?.rpId]).toEqual([true, "localhost"]);
  expect(await violations(page)).toEqual([]);

  await section.getByRole("button", { name: /^Rename / }).click();
  const rename = page.getByRole("dialog", { name: "Rename passkey" });
  await rename.getByLabel("Name").fill("My laptop");
  await rename.getByRole("button", { name: "Save" }).click();
  await section.getByText("My laptop", { exact: true }).waitFor();

  await page.request.post(`${site.url}/api/logout`);
  await withoutSuggestions(page, "#button");
  await page.goto(`${site.url}/auth#button`);
  expect(await page.getByLabel("Email").getAttribute("autocomplete")).toBe("username webauthn");
  const button = page.getByRole("button", { name: "Sign in with a passkey" });
  await button.waitFor();
  expect(await violations(page)).toEqual([]);
  await button.click();
  await page.waitForURL(`${site.url}/`);
  await page.waitForLoadState("networkidle");

  await page.request.post(`${site.url}/api/logout`);
  await page.goto(`${site.url}/auth?next=%2Fprofile`);
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();

  clock.advance(11 * 60);
  expectStatus(403);
  await section.getByRole("button", { name: "Remove My laptop" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  const question = page.getByRole("dialog", { name: "Confirm that it's you" });
  await question.getByLabel("Password").waitFor();
  await question.getByRole("button", { name: "Use a passkey" }).click();
  await section.getByRole("listitem").waitFor({ state: "detached" });
  expect(await (await page.request.get(`${site.url}/api/passkeys`)).json()).toEqual([]);
  expect(email).toContain("passkey");
}, 120_000);

test("a call that needs a recent sign-in asks for the password once, and goes on", async () => {
  const { page } = await site.openAccount("confirm@example.com", { statuses: [400, 403] });
  await page.goto(`${site.url}/integrations`);
  clock.advance(11 * 60);
  await page.getByRole("button", { name: "Create token" }).click();
  const form = page.getByRole("dialog", { name: "Create token" });
  await form.getByLabel("Name").fill("Backup");
  const submit = form.getByRole("button", { name: "Create token" });
  await submit.click();
  const question = page.getByRole("dialog", { name: "Confirm that it's you" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  expect(await form.getByLabel("Name").inputValue()).toBe("Backup");

  await submit.click();
  const password = question.getByLabel("Password");
  await password.fill("not this one");
  await question.getByRole("button", { name: "Confirm" }).click();
  await question.getByText("Current password is incorrect").waitFor();
  await password.fill(PASSWORD);
  await password.press("Enter");
  await page.getByRole("dialog", { name: "Token created" }).waitFor();
}, 120_000);

test("several invitations ask once for the password, and stay typed if it is not given", async () => {
  const { page } = await site.openAccount("inviter@example.com", { statuses: [403] });
  await page.goto(`${site.url}/workspace`);
  clock.advance(11 * 60);
  const members = page.getByRole("region", { name: "Members" });
  const addresses = members.getByLabel("Email");
  await addresses.fill("ada@example.com, grace@example.com");
  await members.getByRole("button", { name: "Invite" }).click();
  const question = page.getByRole("dialog", { name: "Confirm that it's you" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await members.getByText("Not invited: grace@example.com. Please confirm that it's you").waitFor();
  expect(await question.count()).toBe(0);
  expect(await addresses.inputValue()).toBe("ada@example.com, grace@example.com");
  await members.getByRole("button", { name: "Invite" }).click();
  await question.getByLabel("Password").fill(PASSWORD);
  await question.getByRole("button", { name: "Confirm" }).click();
  await members.getByText("Invited: grace@example.com").waitFor();
  await members.getByText("Invited: ada@example.com").waitFor();
}, 120_000);

test("a device that verifies nobody does not get in, and can try again", async () => {
  const { page } = await site.signUp("unverified@example.com");
  const device = await addAuthenticator(page);
  await addPasskey(page);
  await device.verified(false);
  await page.request.post(`${site.url}/api/logout`);
  await withoutSuggestions(page);
  await page.goto(`${site.url}/auth`);
  const button = page.getByRole("button", { name: "Sign in with a passkey" });
  await button.click();
  await page.getByText(/^No passkey was used/).waitFor();
  expect(new URL(page.url()).pathname).toBe("/auth");
  await device.verified(true);
  await button.click();
  await page.waitForURL(`${site.url}/`);
  await page.waitForLoadState("networkidle");
}, 120_000);

test("a passkey is the second step of a password, with an app or instead of one, and confirms a change", async () => {
  const { page, email, expectStatus } = await site.signUp("second@example.com", { statuses: [401] });
  const device = await addAuthenticator(page);
  await addPasskey(page);
  await addApp(page.request, site.url, clock);
  await withoutSuggestions(page);
  await signIn(page, email);
  await page.getByLabel("Code", { exact: true }).waitFor();
  await device.verified(false);
  const button = page.getByRole("button", { name: "Use a passkey" });
  await button.click();
  await page.getByText(/^No passkey was used/).waitFor();
  expect(await violations(page)).toEqual([]);
  await device.verified(true);
  await button.click();
  await page.waitForURL(`${site.url}/`);
  await page.waitForLoadState("networkidle");

  clock.advance(11 * 60);
  expectStatus(403);
  await page.goto(`${site.url}/profile#two-factor`);
  const section = page.getByRole("region", { name: "Second factor", exact: true });
  await section.getByRole("button", { name: "Make new codes" }).click();
  const question = page.getByRole("dialog", { name: "Confirm that it's you" });
  await device.verified(false);
  await question.getByRole("button", { name: "Use a passkey" }).click();
  await question.getByText(/^No passkey was used/).waitFor();
  await device.verified(true);
  await question.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("dialog", { name: "Save your recovery codes" }).waitFor();
  await page.getByRole("button", { name: "I have saved them" }).click();
  await page.getByText("With a password, then passkey", { exact: true }).waitFor();
}, 120_000);

test("what keeps a device from creating a passkey is said in a sentence, and it can be tried again", async () => {
  const { page } = await site.signUp("problems@example.com");
  const device = await addAuthenticator(page);
  await addPasskey(page);
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  const create = dialog.getByRole("button", { name: "Create passkey" });
  await passkeys(page).getByRole("button", { name: "Add a passkey" }).click();
  await create.click();
  await dialog.getByText("This device has a passkey for your account already.").waitFor();
  for (const [name, sentence] of [
    [
      "NotAllowedError",
      "No passkey was created, because your device's question was closed. You can try again.",
    ],
    ["ConstraintError", /^This device cannot store passkeys/],
    ["NotSupportedError", /^This device cannot store passkeys/],
    ["SecurityError", "Passkeys work only at localhost. Please open the site at this address."],
    ["UnknownError", /^Your device did not give a passkey/],
  ] as const) {
    await page.evaluate((given) => {
      navigator.credentials.create = async () => {
        throw new DOMException("", given);
      };
    }, name);
    await create.click();
    await dialog.getByText(sentence).waitFor();
  }
  await page.clock.install();
  await page.evaluate(() => {
    navigator.credentials.create = () =>
      new Promise((_, reject) => setTimeout(() => reject(new DOMException("", "NotAllowedError")), 60_000));
  });
  await create.click();
  await page.locator("button[aria-busy]").waitFor();
  await page.clock.runFor(61_000);
  await dialog.getByText(/^Your device's question was open for too long/).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await device.credentials()).toHaveLength(1);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await waitForFocus(passkeys(page).getByRole("button", { name: "Add a passkey" }));
}, 120_000);

test("the suggestions of the address field end when the page asks for something else", async () => {
  const { page, email } = await site.signUp("leaving@example.com", { statuses: [401] });
  await addApp(page.request, site.url, clock);
  await page.addInitScript(() => {
    window.PublicKeyCredential.isConditionalMediationAvailable = async () => true;
    const asked: string[] = [];
    Object.assign(window, { asked });
    navigator.credentials.get = ({ mediation, signal }: CredentialRequestOptions = {}) =>
      new Promise((_, reject) => {
        asked.push(`${mediation ?? "button"} asked`);
        signal?.addEventListener("abort", () => {
          asked.push(`${mediation ?? "button"} ended`);
          reject(signal.reason);
        });
      });
  });
  const asked = () => page.evaluate(() => (window as unknown as { asked: string[] }).asked);
  const untilAsked = (count: number) =>
    page.waitForFunction(
      (wanted) => (window as unknown as { asked: string[] }).asked.length >= wanted,
      count,
    );
  await page.request.post(`${site.url}/api/logout`);
  await page.goto(`${site.url}/auth`);
  await untilAsked(1);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await untilAsked(3);
  expect(await asked()).toEqual(["conditional asked", "conditional ended", "button asked"]);
  await page.reload();
  await untilAsked(1);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByLabel("Code", { exact: true }).waitFor();
  await untilAsked(2);
  expect(await asked()).toEqual(["conditional asked", "conditional ended"]);
}, 120_000);

test("after a week, who has only a password is told of passkeys, once", async () => {
  const { page } = await site.signUp("week@example.com");
  const hint = page.getByText("Sign in faster and safer");
  const add = page.getByRole("link", { name: "Add a passkey" });
  expect(await hint.count()).toBe(0);
  await page.clock.install({ time: clock.now().getTime() + 8 * 24 * 60 * 60_000 });
  await page.reload();
  await add.waitFor();
  await page.getByRole("button", { name: "Dismiss" }).press("Enter");
  await hint.waitFor({ state: "detached" });
  await waitForFocus(page.locator("#content"));
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Doculopes" }).waitFor();
  expect(await hint.count()).toBe(0);
}, 120_000);
