import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { freePort } from "../../worker/cli/cloudflare/wrangler";
import { PASSWORD, PHONE, startBunSite, violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { startOpenIdProvider } from "../support/servers/openid-provider";

const port = String(await freePort());
const publicUrl = `http://localhost:${port}`;
const provider = await startOpenIdProvider(publicUrl);
afterAll(() => provider.stop());

const { issuer, clientId, clientSecret } = provider.settings();
const variables = {
  ...{ PORT: port, OIDC_ISSUER: issuer, OIDC_NAME: "Acme" },
  ...{ OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
};
const site = setUpTestSite(() => startBunSite({ publicUrl, variables }));

/** Sends the browser where the provider would, once this account there has signed in and agreed. */
async function agreeAs(page: Page, email: string): Promise<void> {
  await page.route(/\/api\/auth\/oidc(\/link)?$/, async (route) => {
    const response = await route.fetch();
    const { url } = await response.json();
    const back = await provider.agree(new URL(url), email, { email, email_verified: true });
    await route.fulfill({ response, json: { url: back.href } });
  });
}

const account = async (page: Page) => (await page.request.get(`${site.url}/api/user`)).json();

test("a provider is linked after its account was shown, and signs in to the page that was asked for", async () => {
  const { page, email } = await site.openAccount("linking@example.com", PHONE);
  const token = (await site.mailedLink(email, "verify")).split("/").at(-1);
  await page.request.post(`${site.url}/api/user/verify`, { data: { token } });
  await agreeAs(page, "ada@acme.example");
  await page.goto(`${site.url}/profile#providers`);
  const section = page.getByRole("region", { name: "Linked sign-ins" });
  await section.getByRole("button", { name: "Link Acme" }).click();
  await page.getByRole("heading", { name: "Link Acme to your account?" }).waitFor();
  await page.getByText("ada@acme.example at Acme", { exact: false }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("link", { name: "Don't link" }).click();
  await section.getByText("No service is linked", { exact: false }).waitFor();
  await section.getByRole("button", { name: "Link Acme" }).click();
  await page.getByRole("button", { name: "Link Acme" }).click();
  await section.getByRole("button", { name: "Unlink Acme" }).waitFor();

  const { page: elsewhere } = await site.visit("/contacts", PHONE);
  // A route that is added while the page redirects is lost at times.
  await elsewhere.getByRole("button", { name: "Continue with Acme" }).waitFor();
  await agreeAs(elsewhere, "ada@acme.example");
  await elsewhere.getByRole("button", { name: "Continue with Acme" }).click();
  await elsewhere.waitForURL(`${site.url}/contacts`);
  expect((await account(elsewhere)).email).toBe(email);
}, 120_000);

test("coming back from a provider, somebody who has signed in meanwhile stays so until they switch", async () => {
  const { page, email } = await site.openAccount("staying@example.com");
  const { page: signedOut } = await site.visit("/auth?next=/contacts", { statuses: [401] });
  await agreeAs(signedOut, "bea@acme.example");
  await signedOut.request.post(`${site.url}/api/login`, { data: { email, password: PASSWORD } });
  await signedOut.getByRole("button", { name: "Continue with Acme" }).click();
  await signedOut.getByRole("heading", { name: "Switch accounts?" }).waitFor();
  await signedOut.getByText(`You are signed in as ${email}`, { exact: false }).waitFor();
  expect((await account(signedOut)).email).toBe(email);
  await signedOut.getByRole("button", { name: "Switch account" }).click();
  await signedOut.waitForURL(`${site.url}/contacts`);
  expect((await account(signedOut)).email).toBe("bea@acme.example");
  // The question is answered.
  await signedOut.goto(`${site.url}/auth?mode=confirm`);
  await signedOut.getByRole("heading", { name: "Nothing was changed" }).waitFor();
  expect((await account(page)).email).toBe(email);
}, 120_000);
