import { expect, test } from "bun:test";
import { file } from "bun";
import type { Locator, Page } from "playwright-core";
import { HOUR_MS } from "../../worker/lib/durations";
import { codeOf } from "../support/api/two-factor";
import { PASSWORD, PHONE, startBunSite, violations, waitForFocus } from "../support/browser/browser";
import { holdNextCall } from "../support/browser/held-call";
import { setUpTestSite } from "../support/browser/site-set-up";

/** The offset of the server's clock: a code works once, so each sign-in needs a later one. */
let ahead = 0;
const clock = { now: () => new Date(Date.now() + ahead) };
const site = setUpTestSite(() => startBunSite({ clock }));

function nextCode(secret: string): string {
  ahead += 60_000;
  return codeOf(secret, new Date(Date.now() + ahead).toISOString());
}

const section = (page: Page) => page.getByRole("region", { name: "Second factor", exact: true });
const shownCodes = (dialog: Locator) =>
  dialog.getByRole("listitem").filter({ hasText: /^\w{4}(-\w{4}){3}$/ });
const code = (page: Page) => page.getByLabel("Code", { exact: true });

/** Sets up an authenticator app by the secret that the dialog shows. @returns it with the recovery codes */
async function setUpApp(page: Page, label = "Set up authenticator app") {
  await page.goto(`${site.url}/profile#two-factor`);
  await section(page).getByRole("button", { name: label }).click();
  const dialog = page.getByRole("dialog", { name: "Set up authenticator app" });
  const picture = dialog.getByRole("img", { name: "QR code for the authenticator app" });
  // Not every app reads light on dark.
  expect(
    await picture.evaluate((svg) => [...svg.children].map((part) => getComputedStyle(part).fill)),
  ).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
  const shown = await dialog.getByLabel("Secret", { exact: true }).inputValue();
  const secret = shown.replaceAll(" ", "");
  expect(await violations(page)).toEqual([]);
  await code(page).fill("000000");
  await page.keyboard.press("Enter");
  await dialog.getByText(/^This code is not correct/).waitFor();
  await waitForFocus(code(page));
  await code(page).fill(nextCode(secret));
  // What is shown once is not lost by closing too early.
  const release = await holdNextCall(page, "**/api/two-factor/totp/confirm");
  await page.keyboard.press("Enter");
  expect(await dialog.getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true);
  await page.keyboard.press("Escape");
  release();
  const codes = page.getByRole("dialog", { name: "Save your recovery codes" });
  await shownCodes(codes).first().waitFor();
  const recoveryCodes = await shownCodes(codes).allTextContents();
  return { secret, recoveryCodes, codes };
}

/** Copies, downloads and prints the recovery codes: each with product, address and date, and nothing else. */
async function expectCopies(page: Page, dialog: Locator, recoveryCodes: string[]): Promise<void> {
  const today = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
  const lines = ["Doculopes", `Recovery codes for ${new URL(site.url).host}, ${today}`, ...recoveryCodes];
  const linesOf = (text: string) => text.split("\n").filter(Boolean);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await dialog.getByRole("button", { name: "Copy" }).click();
  await dialog.getByRole("button", { name: "Copied" }).waitFor();
  expect(linesOf(await page.evaluate(() => navigator.clipboard.readText()))).toEqual(lines);
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("doculopes-recovery-codes.txt");
  expect(linesOf(await file(await download.path()).text())).toEqual(lines);
  await page.evaluate(() =>
    Object.assign(window, { print: () => document.body.setAttribute("data-printed", "") }),
  );
  await dialog.getByRole("button", { name: "Print" }).click();
  await page.locator("[data-printed]").waitFor({ state: "attached" });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  // biome-ignore lint/performance/useDomNodeTextContent: only what is shown
  expect(linesOf(await page.evaluate(() => document.body.innerText))).toEqual(lines);
  const sheet = await page.pdf();
  expect(sheet.toString("latin1").match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
}

async function beginSignIn(page: Page, email: string): Promise<void> {
  // Signed out, the app would lead to the same page, in the midst of going there.
  await page.goto("about:blank");
  await page.request.post(`${site.url}/api/logout`);
  await page.goto(`${site.url}/auth`);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
}

const home = (page: Page) => page.waitForURL(`${site.url}/`);

test("an authenticator app is set up, and signing in needs its code until the device is remembered", async () => {
  const { page, email } = await site.signUp("app@example.com", { statuses: [400, 401] });
  const { secret, recoveryCodes, codes } = await setUpApp(page);
  expect(new Set(recoveryCodes).size).toBe(10);
  expect(await violations(page)).toEqual([]);
  await expectCopies(page, codes, recoveryCodes);
  // The codes are not shown again: only the button closes them.
  await page.keyboard.press("Escape");
  await waitForFocus(codes.getByRole("button", { name: "I have saved them" }));
  await page.keyboard.press("Enter");
  await section(page).getByText("10 left", { exact: true }).waitFor();

  await beginSignIn(page, email);
  await page.getByRole("heading", { level: 1, name: "Confirm that it's you" }).waitFor();
  await waitForFocus(code(page));
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await page.getByText("Code is required", { exact: true }).waitFor();
  await code(page).fill("000000");
  await page.keyboard.press("Enter");
  await page.getByText(/^This code is not correct/).waitFor();
  // The clock of the phone is off by 90 seconds.
  await code(page).fill(codeOf(secret, new Date(Date.now() + ahead - 90_000).toISOString()));
  await page.keyboard.press("Enter");
  await page.locator("button[aria-busy]").waitFor({ state: "detached" });
  await page.getByText(/check the phone's clock$/).waitFor();
  await page.getByLabel("Remember this device for 30 days").check();
  const valid = nextCode(secret);
  await code(page).fill(`${valid.slice(0, 3)} ${valid.slice(3)}`);
  await page.keyboard.press("Enter");
  await home(page);

  await beginSignIn(page, email);
  await home(page);
  await page.goto(`${site.url}/profile#two-factor`);
  await page.getByText("With a password, then remembered device", { exact: true }).waitFor();
  await section(page).getByRole("button", { name: "Forget all" }).click();
  await page.getByText("The devices were forgotten", { exact: true }).waitFor();
  await beginSignIn(page, email);
  await code(page).fill(nextCode(secret));
  await page.keyboard.press("Enter");
  await home(page);
}, 180_000);

test("on a phone, a recovery code signs in once, new codes replace the others, the app is removed", async () => {
  const { page, email } = await site.signUp("recovery@example.com", { ...PHONE, statuses: [400, 401] });
  const { recoveryCodes, codes } = await setUpApp(page);
  await codes.getByRole("button", { name: "I have saved them" }).click();
  const [first = "", second = ""] = recoveryCodes;
  const typeRecoveryCode = async (typed: string) => {
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    const field = page.getByLabel("Recovery code", { exact: true });
    await waitForFocus(field);
    await field.fill(typed);
    await page.keyboard.press("Enter");
  };

  await beginSignIn(page, email);
  await typeRecoveryCode(first.toUpperCase());
  await home(page);
  await beginSignIn(page, email);
  await typeRecoveryCode(first);
  await page.getByText(/^This code is not correct/).waitFor();
  expect(await violations(page)).toEqual([]);
  // The second step ends, and begins again with the password.
  ahead += HOUR_MS;
  await page.keyboard.press("Enter");
  await page.getByText(/^This took too long/).waitFor();
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await typeRecoveryCode(second);
  await home(page);

  await page.goto(`${site.url}/profile#two-factor`);
  await section(page).getByText("8 left", { exact: true }).waitFor();
  await section(page).getByRole("button", { name: "Make new codes" }).click();
  await shownCodes(codes).nth(9).waitFor();
  expect(await shownCodes(codes).allTextContents()).not.toContain(recoveryCodes[2]);
  await codes.getByRole("button", { name: "I have saved them" }).click();
  await waitForFocus(section(page).getByRole("button", { name: "Make new codes" }));
  await section(page).getByRole("button", { name: "Remove" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await section(page).getByText("Off", { exact: true }).waitFor();
  await beginSignIn(page, email);
  await home(page);
}, 180_000);

test("who has lost the phone signs in with a recovery code and sets up another one, which ends the old one", async () => {
  const owner = await site.signUp("lost@example.com", { statuses: [400, 401] });
  const lost = await setUpApp(owner.page);
  const { page } = await site.visit("/auth", { ...PHONE, statuses: [400, 401] });
  const signIn = async () => {
    await beginSignIn(page, owner.email);
    await page.getByRole("heading", { level: 1, name: "Confirm that it's you" }).waitFor();
  };
  await signIn();
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code", { exact: true }).fill(lost.recoveryCodes[0] ?? "");
  await page.keyboard.press("Enter");
  await home(page);
  const renewed = await setUpApp(page, "Set up on another phone");
  expect(renewed.secret).not.toBe(lost.secret);
  await renewed.codes.getByRole("button", { name: "I have saved them" }).click();
  await section(page).getByText("10 left", { exact: true }).waitFor();

  await signIn();
  await code(page).fill(nextCode(lost.secret));
  await page.keyboard.press("Enter");
  await page.getByText(/^This code is not correct/).waitFor();
  await code(page).fill(nextCode(renewed.secret));
  await page.keyboard.press("Enter");
  await home(page);
  await page.goto(`${site.url}/profile#sign-ins`);
  await page.getByText("With a password, then recovery code", { exact: true }).waitFor();
}, 180_000);
