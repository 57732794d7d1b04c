import { expect, test } from "bun:test";
import { withoutSuggestions } from "../support/browser/authenticator";
import { PHONE } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

/** Of the German page: its bundle, its style sheet and four files of texts. */
const MAX_BYTES = 110 * 1024;

const site = setUpTestSite();

/** Opens the sign-in page in German on a phone. @returns the size of what it loads, and its scripts that use passkeys */
async function load() {
  const { page } = await site.visit("/robots.txt", { ...PHONE, locale: "de-DE" });
  await withoutSuggestions(page);
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  let bytes = 0;
  network.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const passkeyScripts: string[] = [];
  page.on("response", async (response) => {
    if (!response.url().endsWith(".js")) return;
    const code = await response.text().catch(() => "");
    if (code.includes("navigator.credentials")) passkeyScripts.push(new URL(response.url()).pathname);
  });
  await page.goto(`${site.url}/auth`, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Mit Passkey anmelden" }).waitFor();
  return { page, bytes, passkeyScripts };
}

test("the sign-in page does not grow, and the code of passkeys comes when one is to be used", async () => {
  const { page, bytes, passkeyScripts } = await load();
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  expect(passkeyScripts).toEqual([]);
  process.stdout.write(`${(bytes / 1024).toFixed(1)} KB\n`);
  const loaded = page.waitForResponse((response) => response.url().endsWith(".js"));
  await page.getByRole("button", { name: "Mit Passkey anmelden" }).focus();
  expect(await (await loaded).text()).toContain("navigator.credentials");
}, 120_000);
