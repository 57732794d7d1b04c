import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { PASSWORD, type VisitOptions } from "../support/browser/browser";
import { ownAddress } from "../support/browser/own-address";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();

/** An account for which this was chosen on another device. */
async function accountWith(address: string, preferences: Record<string, string>): Promise<string> {
  const { page, email } = await site.signUp(address);
  const response = await page.request.patch(`${site.url}/api/user/profile`, { data: preferences });
  expect(response.ok()).toBe(true);
  await page.context().close();
  return email;
}

async function signIn(email: string, options?: VisitOptions, stored?: Record<string, string>): Promise<Page> {
  const { page } = await site.visit("/robots.txt", options);
  await page.evaluate((entries) => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, stored ?? {});
  await page.goto(`${site.url}/auth`);
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=password]").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${site.url}/`);
  return page;
}

const untilLooks = (page: Page, theme: string, language: string) =>
  page.waitForFunction(
    ([theme, language]) =>
      document.documentElement.dataset.theme === theme &&
      document.documentElement.lang === language &&
      document.querySelector("h1"),
    [theme, language],
  );

test("a new device uses the theme and language of the account", async () => {
  const email = await accountWith("moves@example.com", { themePreference: "dark", languagePreference: "de" });
  const page = await signIn(email, { locale: "en-GB", colorScheme: "light" });
  await untilLooks(page, "dark", "de");
  await page.getByRole("button", { name: "Neuer Umschlag" }).waitFor();
  await page.reload();
  await untilLooks(page, "dark", "de");
  expect(await page.evaluate(() => localStorage.theme)).toBe("dark");
}, 120_000);

test("a choice on a device wins over the account's", async () => {
  const email = await accountWith("stays@example.com", { themePreference: "dark", languagePreference: "de" });
  const page = await signIn(
    email,
    { locale: "en-GB", colorScheme: "dark" },
    { theme: "light", i18nextLng: "fr" },
  );
  await untilLooks(page, "light", "fr");
  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  await untilLooks(page, "light", "fr");
}, 120_000);

test("an account without preferences uses the browser's language and the system's theme", async () => {
  const email = await accountWith("plain@example.com", {});
  const page = await signIn(email, { locale: "ja-JP", colorScheme: "dark" });
  await untilLooks(page, "dark", "ja");
  expect(await page.evaluate(() => localStorage.getItem("theme"))).toBeNull();
}, 120_000);

test("a new account starts with the language of its sign-up", async () => {
  const { page } = await site.visit("/auth", { locale: "pt-BR" });
  await page.getByRole("tab").nth(1).click();
  await page.locator("input[type=email]").fill(ownAddress("novo@example.com"));
  await page.locator("input[type=password]").fill(PASSWORD);
  const saved = page.waitForResponse("**/api/user/profile");
  await page.keyboard.press("Enter");
  expect(await (await saved).json()).toMatchObject({ languagePreference: "pt" });
}, 120_000);
