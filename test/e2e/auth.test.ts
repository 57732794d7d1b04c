import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { findSetupLink } from "../../worker/features/auth/sign-up";
import {
  DESKTOP,
  PASSWORD,
  PHONE,
  startBunSite,
  startTestSite,
  violations,
  waitForFocus,
} from "../support/browser/browser";
import { ownAddress } from "../support/browser/own-address";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
}

test("the page has a title, the system's theme and no accessibility violation, on a phone and on a desktop", async () => {
  for (const [size, colorScheme] of [
    [DESKTOP, "dark"],
    [PHONE, "light"],
  ] as const) {
    const { page } = await site.visit("/auth", { ...size, colorScheme });
    await page.getByRole("tab", { name: "Sign In" }).waitFor();
    expect(await page.title()).toBe("Sign In | Doculopes");
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    await page.getByText("Document Collection Made Simple").locator("visible=true").waitFor();
    for (const text of ["Smart Templates", "Enterprise Ready"])
      await page.getByText(text, { exact: true }).waitFor();
    expect(await page.locator("html").getAttribute("data-theme")).toBe(colorScheme);
    // Nobody has an account yet.
    await page.getByRole("button", { name: "Create the first one" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Create the first one" }).click();
    await page.getByRole("tab", { name: "Create Account", selected: true }).waitFor();
    await page.getByLabel("Email", { exact: true }).and(page.locator(":focus")).waitFor();
  }
}, 120_000);

test("invalid input is shown under its field, a rejection as a toast", async () => {
  const { page } = await site.visit("/auth", { statuses: [401] });
  const signIn = page.getByRole("button", { name: "Sign In", exact: true });
  await page.evaluate(() => {
    const now = performance.now();
    performance.now = () => now;
  });
  await signIn.click();
  await page.getByText("Invalid email address", { exact: true }).waitFor();
  await page.getByText("Password is required", { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);

  await page.getByLabel("Email", { exact: true }).fill("nobody@example.com");
  await page.getByLabel("Password", { exact: true }).fill("wrong password");
  // However soon it follows, a click after typing is none of a double click.
  await signIn.dispatchEvent("click", { detail: 2 });
  await page.getByText("Login failed", { exact: true }).waitFor();
  await page.getByText("Invalid email or password", { exact: true }).waitFor();
  await page.keyboard.press("F8");
  await page.waitForFunction(() => document.activeElement?.textContent?.includes("Login failed"));

  await page.getByRole("tab", { name: "Create Account" }).click();
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("nobody@example.com");
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Create Account" }).click();
  await page.getByText("Password must be at least 6 characters", { exact: true }).waitFor();
}, 120_000);

test("the first wrong field has the focus, and loses its message as soon as it is right", async () => {
  const { page } = await site.visit("/auth");
  const [email, password] = [
    page.getByLabel("Email", { exact: true }),
    page.getByLabel("Password", { exact: true }),
  ];
  const invalid = () =>
    page.locator("input[aria-invalid]").evaluateAll((inputs) => inputs.map(({ id }) => id));
  await page.getByRole("tab", { name: "Create Account" }).click();
  await email.fill("nobody");
  expect(await invalid()).toEqual([]);
  await page.keyboard.press("Enter");
  await page.getByText("Password is required", { exact: true }).waitFor();
  await waitForFocus(email);
  await page.keyboard.type("@example.com");
  await page.getByText("Invalid email address", { exact: true }).waitFor({ state: "detached" });
  expect(await invalid()).toEqual([(await password.getAttribute("id")) ?? ""]);
  await password.fill("short");
  await page.getByText("Password must be at least 6 characters", { exact: true }).waitFor();
  await password.fill("long enough");
  await page
    .getByText("Password must be at least 6 characters", { exact: true })
    .waitFor({ state: "detached" });
}, 120_000);

test("sign-up, sign-out and sign-in work, and the return address is used", async () => {
  const email = ownAddress("ada@example.com");
  const visitor = await site.visit("/contacts?from=mail");
  const { page } = visitor;
  await page.waitForURL(`${site.url}/auth`);
  await page.getByRole("tab", { name: "Create Account" }).click();
  await page.getByLabel("Email", { exact: true }).fill(`${email.replace("ada", "Ada")} `);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create Account" }).click();
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  expect(page.url()).toBe(`${site.url}/contacts?from=mail`);

  await page.getByRole("button", { name: "Sign Out" }).click();
  await page.waitForURL(`${site.url}/auth`);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${site.url}/`);
  // The page redirects before it has loaded.
  await page.goto(`${site.url}/auth`, { waitUntil: "commit" });
  await page.waitForURL(`${site.url}/`);

  visitor.expectStatus(409);
  const other = await site.visit("/auth");
  other.expectStatus(409);
  await other.page.getByRole("tab", { name: "Create Account" }).click();
  await other.page.getByLabel("Email", { exact: true }).fill(email);
  await other.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await other.page.getByRole("button", { name: "Create Account" }).click();
  await other.page.getByText("Registration failed", { exact: true }).waitFor();
  await other.page.getByText("An account with this email already exists", { exact: true }).waitFor();
}, 120_000);

test("an ended session leads to the sign-in page and back", async () => {
  const { page, email } = await site.signUp("grace@example.com", { statuses: [401] });
  await page.getByText("No Doculopes yet").waitFor();
  await page.getByRole("button", { name: "Support" }).click();
  await page.getByLabel("Your message").fill("Where are my files?");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Create Workspace" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Workspace" });
  await dialog.getByLabel("Name").fill("Second");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(/\/auth/);
  await signIn(page, email);
  await page.waitForURL(`${site.url}/`);
  await page.getByRole("button", { name: "Support" }).click();
  expect(await page.getByLabel("Your message").inputValue()).toBe("Where are my files?");

  const stored = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  expect(await stored()).toContain("Where are my files?");
  await page.getByRole("button", { name: "Sign Out" }).click();
  await page.waitForURL(/\/auth/);
  expect(await stored()).not.toContain("Where are my files?");
}, 120_000);

test("a tab shows nothing more once another tab has signed out, and follows it to who signs in next", async () => {
  const other = await site.openAccount("other-user@example.com");
  const { page, email } = await site.openAccount("first-user@example.com");
  await page.goto(`${site.url}/profile`);
  await page.getByText(email).first().waitFor();
  const second = await page.context().newPage();
  await second.goto(`${site.url}/profile`);
  await second.getByRole("button", { name: "Sign Out" }).click();
  await second.waitForURL(/\/auth/);
  await page.waitForURL(/\/auth/);
  await signIn(second, other.email);
  await page.getByText(other.email).first().waitFor();
  expect(await page.getByText(email).count()).toBe(0);
}, 120_000);

test("a tab that stays because of what was typed in it acts in nobody's account", async () => {
  const other = await site.openAccount("other-tab@example.com");
  const { page } = await site.openAccount("staying-tab@example.com");
  await page.goto(`${site.url}/profile`);
  await page.getByLabel("First Name").fill("Ada");
  const asked = Promise.withResolvers<void>();
  page.on("dialog", (dialog) => dialog.dismiss().then(asked.resolve));
  const second = await page.context().newPage();
  await second.goto(`${site.url}/auth`);
  // Signed in, it leads home by itself.
  await second.waitForURL(`${site.url}/`);
  await second.context().clearCookies();
  await second.goto(`${site.url}/auth`);
  await signIn(second, other.email);
  await asked.promise;
  await page.getByRole("button").first().waitFor({ state: "detached" });
  expect(await page.getByLabel("First Name").count()).toBe(0);
}, 120_000);

test("what was typed when the session ended is in the form again after signing in", async () => {
  const { page, email } = await site.openAccount("typed@example.com", { statuses: [401] });
  for (const [path, label, submit] of [
    ["/contacts?dialog=new", "First Name", "Add Contact"],
    ["/templates?dialog=new", "Document Name", "Create Template"],
  ] as const) {
    await page.goto(site.url + path);
    const dialog = page.getByRole("dialog");
    if (path.startsWith("/templates")) await dialog.getByLabel("Template Name").fill("Papers");
    await dialog.getByLabel(label).fill("Charles");
    await page.context().clearCookies();
    await dialog.getByRole("button", { name: submit }).click();
    await page.waitForURL(/\/auth/);
    await page.getByText("What you had typed is still here.", { exact: true }).waitFor();
    await signIn(page, email);
    await dialog.waitFor();
    expect(await dialog.getByLabel(label).inputValue()).toBe("Charles");
    await dialog.getByRole("button", { name: submit }).click();
    await dialog.waitFor({ state: "detached" });
  }
}, 120_000);

test("the theme can be chosen, is stored, and follows the system", async () => {
  const { page } = await site.visit("/auth", { colorScheme: "light" });
  const shown = () => page.locator("html").getAttribute("data-theme");
  await page.getByRole("radio", { name: "Dark" }).click();
  expect(await shown()).toBe("dark");
  await page.reload();
  await page.getByRole("radio", { name: "Dark", checked: true }).waitFor();
  expect(await shown()).toBe("dark");
  for (const [name, stored] of [
    ["Light", "light"],
    ["System", "system"],
  ] as const) {
    await page.getByRole("radio", { name }).click();
    expect(await page.evaluate(() => localStorage.getItem("theme"))).toBe(stored);
  }
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
}, 120_000);

test("a forgotten password is replaced through the mailed link", async () => {
  const account = await site.signUp("lost@example.com");
  await account.page.context().close();
  const visitor = await site.visit("/auth");
  const { page } = visitor;
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await waitForFocus(page.getByRole("main"));
  await page.getByLabel("Email", { exact: true }).fill(account.email);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await waitForFocus(page.getByRole("main"));
  const path = await site.mailedLink(account.email, "reset");
  await page.goto(site.url + path);
  await page.getByLabel("New Password", { exact: true }).fill("another horse");
  await page.getByLabel("Confirm New Password").fill("another house");
  await page.getByRole("button", { name: "Change Password" }).click();
  await page.getByText("Passwords don't match", { exact: true }).waitFor();
  await page.getByLabel("Confirm New Password").fill("another horse");
  expect(await violations(page)).toEqual([]);
  // The link is for one use: a second request would be rejected.
  await page.getByRole("button", { name: "Change Password" }).dblclick();
  await page.getByRole("heading", { name: "Password changed" }).waitFor();

  visitor.expectStatus(400);
  await page.goto(site.url + path);
  await page.getByLabel("New Password", { exact: true }).fill("third horse");
  await page.getByLabel("Confirm New Password").fill("third horse");
  await page.getByRole("button", { name: "Change Password" }).click();
  await page.getByText("Password change failed", { exact: true }).waitFor();
  await page.getByText("This link is invalid or has expired.", { exact: true }).waitFor();
}, 120_000);

test("home asks to verify the address, which the link's button confirms, not opening the link", async () => {
  const { page, email } = await site.signUp("verify@example.com", { statuses: [400] });
  const notice = page.getByText(`Until you open the link in the email to ${email},`);
  await notice.waitFor();
  await page.getByRole("button", { name: "Send the email again" }).click();
  await page.getByRole("button", { name: "Email sent" }).waitFor();
  await page.getByText("Verification email sent", { exact: true }).waitFor();
  const path = await site.mailedLink(email, "verify");
  const verified = async () => (await (await page.request.get(`${site.url}/api/user`)).json()).isVerified;
  await page.goto(site.url + path);
  await page.getByRole("button", { name: "Confirm address" }).waitFor();
  expect(await verified()).toBe(false);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Confirm address" }).dblclick();
  await page.getByRole("heading", { name: "Address confirmed" }).waitFor();
  await waitForFocus(page.getByRole("main"));
  expect(await verified()).toBe(true);
  await page.goto(`${site.url}/`);
  await page.getByText("No Doculopes yet", { exact: true }).waitFor();
  expect(await notice.count()).toBe(0);

  await page.goto(`${site.url}/verify/wrong`);
  await page.getByRole("button", { name: "Confirm address" }).click();
  await page.getByRole("heading", { name: "This link did not work" }).waitFor();
  await page.getByRole("link", { name: "Back to sign in" }).waitFor();
  expect(await page.getByRole("button", { name: "Confirm address" }).count()).toBe(0);
}, 120_000);

test("a link that is opened elsewhere leads to signing in, which proves the address and offers the passkeys", async () => {
  // Of the first account of an instance, nobody asks for proof.
  await site.openAccount("before@example.com");
  const email = ownAddress("elsewhere@example.com");
  const { page } = await site.visit("/robots.txt");
  await page.request.post(`${site.url}/api/register`, { data: { email, password: PASSWORD } });
  await page.request.post(`${site.url}/api/user/complete-onboarding`, { data: {} });
  await page.goto(`${site.url}/profile#passkeys`);
  const passkeys = page.getByRole("region", { name: "Passkeys" });
  await passkeys
    .getByText(`Please confirm your address first: open the link in the email to ${email}`)
    .waitFor();
  expect(await page.getByRole("button", { name: "Set up", exact: true }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await passkeys.getByRole("button", { name: "Resend the verification email" }).click();
  await passkeys.getByRole("button", { name: "Verification email sent" }).waitFor();

  const { page: phone } = await site.visit(await site.mailedLink(email, "verify"), {
    ...PHONE,
    statuses: [401],
  });
  await phone.getByRole("button", { name: "Confirm address" }).click();
  await phone.getByText("sign in now and confirm the address once more").waitFor();
  expect(await violations(phone)).toEqual([]);
  await phone.getByRole("link", { name: "Sign In" }).click();
  await signIn(phone, email);
  await phone.getByRole("button", { name: "Confirm address" }).click();
  await phone.getByRole("link", { name: /^Continue to/ }).waitFor();
  await page.reload();
  await passkeys.getByRole("button", { name: "Add a passkey" }).waitFor();
}, 120_000);

test("after a reset that proves the address, home asks about what was made before", async () => {
  await site.openAccount("before@example.com");
  const email = ownAddress("claimed@example.com");
  const { page } = await site.visit("/robots.txt");
  const call = (path: string, data: object) => page.request.post(`${site.url}/api${path}`, { data });
  await call("/register", { email, password: PASSWORD });
  await call("/user/complete-onboarding", {});
  for (const name of ["Kept", "Trap"]) {
    const { id } = await (await call("/workspaces", { name })).json();
    await call("/contacts", { firstName: "Eve", workspaceId: id });
  }
  await call("/password/forgot", { email });
  const [, , token] = (await site.mailedLink(email, "reset")).split("/");
  await call("/password/reset", { token, newPassword: PASSWORD });
  await call("/login", { email, password: PASSWORD });
  await page.goto(`${site.url}/`);
  const questions = page.getByRole("heading", { name: "Is this yours?" });
  await page.getByText(/^“Trap” of .* · envelopes: 0, templates: 0, contacts: 1$/).waitFor();
  expect(await questions.count()).toBe(2);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Delete Trap" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("“Trap” of").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Keep Kept" }).click();
  await questions.waitFor({ state: "detached" });
  const workspaces = await (await page.request.get(`${site.url}/api/workspaces`)).json();
  expect(workspaces.map(({ name }: { name: string }) => name).sort()).toEqual(["Kept", "My Workspace"]);
}, 120_000);

test("a change of the address is undone by the button, not by opening the link, and a new password follows", async () => {
  const { page, email } = await site.signUp("owner@example.com");
  const thief = ownAddress("thief@example.com");
  await page.request.patch(`${site.url}/api/user/profile`, { data: { email: thief } });
  const path = await site.mailedLink(email, "revert-email");
  const visitor = await site.visit(path, PHONE);
  const button = visitor.page.getByRole("button", { name: "This wasn't me" });
  await button.waitFor();
  expect(await violations(visitor.page)).toEqual([]);
  const user = await page.request.get(`${site.url}/api/user`);
  expect((await user.json()).email).toBe(thief);
  await button.click();
  await visitor.page.getByRole("heading", { name: "Your address was restored" }).waitFor();
  expect(await violations(visitor.page)).toEqual([]);
  expect((await page.request.get(`${site.url}/api/user`)).status()).toBe(401);
  await visitor.page.goto(site.url + (await site.mailedLink(email, "reset")));
  await visitor.page.getByRole("heading", { name: "Choose a new password" }).waitFor();

  visitor.expectStatus(400);
  await visitor.page.goto(site.url + path);
  await button.click();
  await visitor.page.getByText("This link is invalid or has expired.", { exact: true }).waitFor();
}, 120_000);

/** An account with a confirmed address, which has entered another one. */
async function changingAddress(address: string, next: string) {
  const { page, email } = await site.signUp(address);
  const [, , token] = (await site.mailedLink(email, "verify")).split("/");
  await page.request.post(`${site.url}/api/user/verify`, { data: { token } });
  const changed = ownAddress(next);
  await page.request.patch(`${site.url}/api/user/profile`, { data: { email: changed } });
  return { page, email, changed };
}

test("a changed address is confirmed on another device after signing in there", async () => {
  const { page, email, changed } = await changingAddress("moving@example.com", "moved@example.com");
  await page.goto(`${site.url}/profile`);
  await page.getByText(`${email} stays in use until you confirm the new address`).waitFor();
  const { page: phone } = await site.visit(await site.mailedLink(changed, "verify"), {
    ...PHONE,
    statuses: [403],
  });
  await phone.getByRole("button", { name: "Confirm address" }).click();
  await phone.getByText("please sign in to your account first").waitFor();
  await waitForFocus(phone.getByRole("main"));
  expect(await violations(phone)).toEqual([]);
  await phone.getByRole("link", { name: "Sign In" }).click();
  await phone.getByLabel("Email").fill(changed);
  await phone.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await phone.locator("form").getByRole("button", { name: "Sign In", exact: true }).click();
  await phone.waitForURL(`${site.url}/verify/*`);
  await phone.getByRole("button", { name: "Confirm address" }).click();
  await phone.getByRole("heading", { name: "Address confirmed" }).waitFor();
  await page.reload();
  await page.getByText("Verified", { exact: true }).waitFor();
  expect(await page.getByText("stays in use").count()).toBe(0);
}, 120_000);

test("an address that somebody else has entered is removed there by the button, not by opening the link", async () => {
  const { page, email, changed } = await changingAddress("claiming@example.com", "claimed@example.com");
  const { page: owner } = await site.visit("/auth?mode=forgot", PHONE);
  await owner.getByLabel("Email").fill(changed);
  await owner.getByRole("button", { name: "Send link" }).click();
  await owner.getByRole("heading", { name: "Check your email" }).waitFor();
  await owner.goto(site.url + (await site.mailedLink(changed, "release-email")));
  const button = owner.getByRole("button", { name: "Remove my address" });
  await button.waitFor();
  expect(await violations(owner)).toEqual([]);
  const current = async () => (await (await page.request.get(`${site.url}/api/user`)).json()).email;
  expect(await current()).toBe(changed);
  await button.click();
  await owner.getByRole("heading", { name: "Your address was removed" }).waitFor();
  expect(await violations(owner)).toEqual([]);
  expect(await current()).toBe(email);
}, 120_000);

test("the setup link creates the first account, and its page says afterwards that it is not needed", async () => {
  const server = await startBunSite({ variables: { HOST: "0.0.0.0" } });
  const fresh = await startTestSite(async () => server);
  const link = (await findSetupLink(server.deps)) ?? "";
  const { page } = await fresh.visit(new URL(link).pathname);
  await page.getByLabel("Email", { exact: true }).fill("ada@example.com");
  expect(await violations(page)).toEqual([]);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create Account" }).click();
  await page.waitForURL(`${server.url}/`);
  const { isAdministrator } = await (await page.request.get(`${server.url}/api/user`)).json();
  expect(isAdministrator).toBe(true);

  const { page: second } = await fresh.visit(new URL(link).pathname);
  await second.getByText("This link is no longer needed. Please sign in.").waitFor();
  expect(await second.getByLabel("Email", { exact: true }).count()).toBe(0);
  await second.getByRole("link", { name: "Back to sign in" }).click();
  await second.getByRole("tab", { name: "Sign In" }).waitFor();
  await fresh.stop();
}, 120_000);
