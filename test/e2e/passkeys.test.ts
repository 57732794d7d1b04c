import { expect, test } from "bun:test";
import type { CDPSession, Page } from "playwright-core";
import { PASSWORD, startBunSite, violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { createMemoryClock } from "../support/memory/memory-clock";

const clock = createMemoryClock(new Date());
const site = setUpTestSite(() => startBunSite({ clock }));

/** Chromium's virtual authenticator: a device with a screen lock, which its owner opens while `verified`. */
async function addAuthenticator(page: Page) {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verified: (isUserVerified: boolean) =>
      cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    credentials: async () => (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
  };
}

const passkeys = (page: Page) => page.getByRole("region", { name: "Passkeys", exact: true });

test("a passkey is added, signs in by the button and by the address field, confirms, and is removed", async () => {
  const { page, email, expectStatus } = await site.signUp("passkey@example.com");
  const device = await addAuthenticator(page);
  await page.goto(`${site.url}/profile#passkeys`);
  const section = passkeys(page);
  await section.getByRole("button", { name: "Add a passkey" }).click();
  await section.getByRole("listitem").waitFor();
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
  // Otherwise the device would take the suggestion of the address field before the click.
  await page.addInitScript(() => {
    if (location.hash === "#button")
      window.PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
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
  const question = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await question.getByLabel("Password").waitFor();
  await question.getByRole("button", { name: "Use a passkey" }).click();
  await section.getByRole("listitem").waitFor({ state: "detached" });
  expect(await (await page.request.get(`${site.url}/api/passkeys`)).json()).toEqual([]);
  expect(email).toContain("passkey");
}, 120_000);

test("a call that needs a recent sign-in asks for the password once, and goes on", async () => {
  const { page } = await site.signUp("confirm@example.com", { statuses: [400, 403] });
  await page.goto(`${site.url}/integrations`);
  clock.advance(11 * 60);
  await page.getByRole("button", { name: "Create token" }).click();
  const form = page.getByRole("dialog", { name: "Create token" });
  await form.getByLabel("Name").fill("Backup");
  const submit = form.getByRole("button", { name: "Create token" });
  await submit.click();
  const question = page.getByRole("dialog", { name: "Confirm that it’s you" });
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

test("a device that verifies nobody does not get in, and can try again", async () => {
  const { page } = await site.signUp("unverified@example.com");
  const device = await addAuthenticator(page);
  await page.goto(`${site.url}/profile#passkeys`);
  await passkeys(page).getByRole("button", { name: "Add a passkey" }).click();
  await passkeys(page).getByRole("listitem").waitFor();
  await device.verified(false);
  await page.request.post(`${site.url}/api/logout`);
  await page.goto(`${site.url}/auth`);
  const button = page.getByRole("button", { name: "Sign in with a passkey" });
  await button.click();
  await page.locator("button[aria-busy]").waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/auth");
  await device.verified(true);
  await button.click();
  await page.waitForURL(`${site.url}/`);
  await page.waitForLoadState("networkidle");
}, 120_000);

test("after a week, who has only a password is told of passkeys, once", async () => {
  const { page } = await site.signUp("week@example.com");
  const hint = page.getByText("Sign in faster and safer");
  const add = page.getByRole("link", { name: "Add a passkey" });
  expect(await hint.count()).toBe(0);
  await page.clock.install({ time: clock.now().getTime() + 8 * 24 * 60 * 60_000 });
  await page.reload();
  await add.waitFor();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await hint.waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Doculopes" }).waitFor();
  expect(await hint.count()).toBe(0);
}, 120_000);
