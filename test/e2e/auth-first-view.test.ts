import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import german from "../../locales/de/auth.json";
import english from "../../locales/en/auth.json";
import { DESKTOP, PHONE, type VisitOptions, waitForFocus } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

/* What visitors see and can do before the page's script is loaded, and what happens to their input. */

const site = setUpTestSite();

/** A page whose scripts are held back until `release` is called. */
async function withoutScripts(path: string, options?: VisitOptions) {
  const { page } = await site.visit("/robots.txt", options);
  const gate = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto(site.url + path, { waitUntil: "commit" });
  await page.locator("main h1").waitFor({ state: "attached" });
  // Before that, the browser paints nothing.
  await page.waitForFunction(() => document.styleSheets.length > 0);
  return { page, release: gate.resolve };
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const email = (page: Page) => page.getByLabel("Email", { exact: true });
const password = (page: Page) => page.getByLabel("Password", { exact: true });

/** The layout shift since the page was opened, as the browser measures it. */
function layoutShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    type Shift = PerformanceEntry & { value: number };
    let whole = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { value } of list.getEntries() as Shift[]) whole += value;
    });
    observer.observe({ type: "layout-shift", buffered: true });
    // After two frames, the browser has reported all shifts.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return whole;
  });
}

test("nothing moves above what comes and goes: the passkey's button, and the services one can sign in with", async () => {
  for (const size of [DESKTOP, PHONE]) {
    const { page, release } = await withoutScripts("/auth", size);
    await page.addInitScript(() => Reflect.deleteProperty(window, "PublicKeyCredential"));
    await page.route("**/api/auth/providers", (route) => route.fulfill({ json: ["google", "github"] }));
    await page.reload({ waitUntil: "commit" });
    const tab = page.getByRole("tab", { name: "Create Account" });
    const before = await tab.boundingBox();
    expect(await page.getByRole("button", { name: english.passkey.signIn }).count()).toBe(1);
    release();
    await page.getByRole("button", { name: /GitHub/ }).waitFor();
    await page.getByRole("button", { name: english.passkey.signIn }).waitFor({ state: "detached" });
    expect(await tab.boundingBox()).toEqual(before);
  }
});

test("the form is shown before any script is loaded, and typed text stays", async () => {
  for (const size of [DESKTOP, PHONE]) {
    const { page, release } = await withoutScripts("/auth", { ...size, colorScheme: "dark" });
    await page.getByRole("heading", { name: "Sign in to Doculopes" }).waitFor();
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await email(page).fill("nobody@example.com");
    await password(page).fill("correct horse");
    release();
    await page.waitForLoadState("load");
    await page.getByRole("button", { name: english.showPassword }).click();
    await page.getByRole("button", { name: english.hidePassword }).waitFor();
    expect(await email(page).inputValue()).toBe("nobody@example.com");
    expect(await password(page).inputValue()).toBe("correct horse");
    expect(await layoutShift(page)).toBeLessThan(0.01);
    await page.getByRole("tab", { name: "Create Account" }).click();
    expect(await email(page).inputValue()).toBe("nobody@example.com");
  }
}, 120_000);

test("a button pressed before the script is loaded takes effect afterwards", async () => {
  const { page, release } = await withoutScripts("/auth");
  await email(page).fill("nobody@example.com");
  await page.getByRole("tab", { name: "Create Account" }).click();
  expect(await page.getByRole("tab", { selected: true }).textContent()).toBe("Sign In");
  release();
  await page.getByRole("tab", { name: "Create Account", selected: true }).waitFor();
  await page.getByRole("heading", { name: "Create your account" }).waitFor();
  expect(await email(page).inputValue()).toBe("nobody@example.com");
}, 120_000);

test("the form works again after an outage, during which one of its scripts failed", async () => {
  const { page, problems } = await site.visit("/auth");
  const aborted = page.waitForEvent("requestfailed");
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await aborted;
  await page.unroute("**/assets/*.js");
  await page.getByText("Invalid email address").waitFor();
  expect(problems.splice(0).join()).toContain("net::ERR_FAILED");
});

test("a form submitted before the script is loaded is sent afterwards, never with a password in the URL", async () => {
  const { page, release } = await withoutScripts("/auth", { statuses: [401] });
  await email(page).fill("nobody@example.com");
  await password(page).fill("correct horse");
  await page.keyboard.press("Enter");
  expect(page.url()).toBe(`${site.url}/auth`);
  release();
  await page.getByText("Login failed", { exact: true }).waitFor();
  expect(page.url()).toBe(`${site.url}/auth`);
}, 120_000);

test("visitors with another language see the form without English words", async () => {
  for (const size of [DESKTOP, PHONE]) {
    const { page, release } = await withoutScripts("/auth", { ...size, locale: "de-DE" });
    const shown = await heading(page).evaluate((element) => getComputedStyle(element).color);
    expect(shown).toBe("rgba(0, 0, 0, 0)");
    expect(await page.locator("input[type=email]").isVisible()).toBe(true);
    release();
    await page.getByRole("heading", { name: "Bei Doculopes anmelden" }).waitFor();
    expect(await heading(page).evaluate((element) => getComputedStyle(element).color)).not.toBe(shown);
    await page.getByRole("button", { name: german.showPassword }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    expect(await layoutShift(page)).toBeLessThan(0.05);
  }
}, 120_000);

test("if the texts of a language cannot be loaded, English is shown", async () => {
  const { page } = await site.visit("/robots.txt", { locale: "de-DE", statuses: [503] });
  await page.route("**/locales/de/*.json", (route) => route.fulfill({ status: 503 }));
  await page.goto(`${site.url}/auth`);
  await page.waitForFunction(() => document.documentElement.dataset.texts === undefined);
  await page.getByRole("heading", { name: "Sign in to Doculopes" }).waitFor();
}, 120_000);

test("another page of visitors never shows the sign-in form first", async () => {
  for (const [path, name] of [
    ["/auth?mode=forgot", "Reset your password"],
    ["/reset/some-token", "Choose a new password"],
    ["/verify/some-token", "Confirm your email address"],
    ["/revert-email/some-token", "Undo the change of your email address"],
    ["/release-email/some-token", "Remove your address from an account"],
    ["/restore-owner/some-token", "Become an owner again"],
    ["/setup/some-token", "Set up Doculopes"],
    ["/unsubscribe/some-token", "This link did not work"],
  ] as const) {
    const { page, release } = await withoutScripts(path, { statuses: [404] });
    expect(await page.locator("main h1").isVisible()).toBe(false);
    release();
    await page.getByRole("heading", { name }).waitFor();
  }
}, 120_000);

test("the return address survives a password reset and the back button", async () => {
  const { page } = await site.visit("/auth?next=%2Fcontacts");
  await page.getByText("Please sign in to continue.").waitFor();
  await email(page).fill("lost@example.com");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await page.getByRole("heading", { name: "Reset your password" }).waitFor();
  expect(await email(page).inputValue()).toBe("lost@example.com");
  await page.goBack();
  await page.getByRole("tab", { name: "Sign In" }).waitFor();
  expect(await email(page).inputValue()).toBe("lost@example.com");
  await page.goForward();
  await page.getByRole("link", { name: "Back to sign in" }).click();
  await page.getByRole("tab", { name: "Sign In" }).waitFor();
  expect(page.url()).toBe(`${site.url}/auth`);
  await page.reload();
  await page.getByText("Please sign in to continue.").waitFor();
}, 120_000);

test("signed-in users are redirected to the requested page or home", async () => {
  const { page } = await site.openAccount("ada@example.com");
  for (const [search, path] of [
    ["?next=%2Fcontacts%3Fdialog%3Dnew", "/contacts?dialog=new"],
    ["?next=https%3A%2F%2Fexample.com%2F", "/"],
    ["?next=%2F%2Fexample.com", "/"],
  ]) {
    await page.goto(`${site.url}/auth${search}`, { waitUntil: "commit" });
    await page.waitForURL(`${site.url}${path}`);
  }
}, 120_000);

test("a provider's failure is shown once, in the visitor's language", async () => {
  const { page } = await site.visit("/auth?error=sign_in_failed&next=%2Fcontacts", { locale: "de-DE" });
  await page.getByText("Anmeldung fehlgeschlagen", { exact: true }).waitFor();
  expect(page.url()).toBe(`${site.url}/auth`);
  await page.getByText("um fortzufahren", { exact: false }).waitFor();
}, 120_000);

test("the arrow keys switch between the tabs", async () => {
  const { page } = await site.visit("/auth");
  const submitTop = async (name: string) =>
    (await page.locator("form").getByRole("button", { name, exact: true }).boundingBox())?.y;
  const top = await submitTop("Sign In");
  await page.getByRole("tab", { name: "Sign In" }).press("ArrowRight");
  // Switching between the tabs must not move the button.
  expect(await submitTop("Create Account")).toBe(top as number);
  await page.getByRole("heading", { name: "Create your account" }).waitFor();
  const created = page.getByRole("tab", { name: "Create Account", selected: true });
  await waitForFocus(created);
  await created.press("Home");
  await page.getByRole("tab", { name: "Sign In", selected: true }).waitFor();
  await page.keyboard.press("Tab");
  await waitForFocus(email(page));
}, 120_000);

test("a language chosen at sign-in stays on every page, and typed text with it", async () => {
  const { page } = await site.visit("/auth", { locale: "en-GB" });
  await email(page).fill("nobody@example.com");
  await page.getByLabel("Language").selectOption("de");
  await page.getByRole("heading", { name: "Bei Doculopes anmelden" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  expect(await page.getByLabel("E-Mail").inputValue()).toBe("nobody@example.com");
  await page.reload();
  await page.getByRole("heading", { name: "Bei Doculopes anmelden" }).waitFor();
  await page.goto(`${site.url}/auth?mode=forgot`);
  await page.locator("html[lang=de]").waitFor();
  expect(await page.getByLabel("Sprache").inputValue()).toBe("de");
}, 120_000);
