import { afterAll, beforeAll, expect, test } from "bun:test";
import { PHONE, startBunSite, violations, waitForFocus } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { startGateway, type TestGateway } from "../support/servers/http-gateway";
import { waitFor } from "../support/wait";

const site = setUpTestSite(() => startBunSite({ variables: { WEBHOOK_ALLOW_PRIVATE: "on" } }));
let receiver: TestGateway;
beforeAll(() => {
  receiver = startGateway();
});
afterAll(() => receiver.stop());

test("a token is created, shown once, works and is revoked", async () => {
  const { page } = await site.openAccount("tokens@example.com");
  await page.goto(`${site.url}/integrations`);
  const section = page.getByRole("region", { name: "API tokens" });
  await section.getByText("No tokens yet").waitFor();
  await section.getByRole("button", { name: "Create token" }).press("Enter");
  const form = page.getByRole("dialog", { name: "Create token" });
  await waitForFocus(form.getByLabel("Name"));
  await form.getByRole("button", { name: "Create token" }).click();
  await form.getByText("Name is required").waitFor();
  expect(await violations(page)).toEqual([]);
  await form.getByLabel("Name").fill("Nightly backup");
  await form.getByLabel("Name").press("Enter");
  const shown = page.getByRole("dialog", { name: "Token created" });
  const token = await shown.getByLabel("Token").inputValue();
  expect(token).toStartWith("dlp_");
  await page.keyboard.press("Escape");
  await waitForFocus(shown.getByRole("button", { name: "I have saved it" }));
  await page.keyboard.press("Enter");
  await shown.waitFor({ state: "detached" });

  const item = section.getByRole("listitem").filter({ hasText: "Nightly backup" });
  await item.getByText("never used").waitFor();
  expect(await page.content()).not.toContain(token);
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${site.url}/api/contacts`, { headers })).status).toBe(200);
  await item.getByRole("button", { name: "Revoke Nightly backup" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke token" }).click();
  await section.getByText("No tokens yet").waitFor();
  expect((await fetch(`${site.url}/api/contacts`, { headers })).status).toBe(401);
}, 120_000);

test("a webhook is added, tested, redelivered, edited, switched off and deleted", async () => {
  const { page } = await site.openAccount("webhooks@example.com");
  await page.goto(site.url);
  await page.getByRole("link", { name: "Integrations" }).click();
  const section = page.getByRole("region", { name: "Webhooks" });
  await section.getByText("No webhooks yet").waitFor();
  await section.getByRole("button", { name: "Add webhook" }).click();
  const form = page.getByRole("dialog", { name: "Add webhook" });
  await form.getByRole("button", { name: "Add webhook" }).click();
  await form.getByText("Address is required").waitFor();
  await form.getByLabel("Address").fill(`${receiver.url}/hooks`);
  await form.getByRole("checkbox", { name: "Opened" }).uncheck();
  expect(await violations(page)).toEqual([]);
  await form.getByRole("button", { name: "Add webhook" }).click();
  const shown = page.getByRole("dialog", { name: "Signing secret" });
  expect(await shown.getByLabel("Secret").inputValue()).toStartWith("whsec_");
  await shown.getByRole("button", { name: "I have saved it" }).click();

  receiver.respond = () => new Response("not today", { status: 500 });
  await section.getByRole("button", { name: /^Send test/ }).click();
  await page.getByText("Test sent", { exact: true }).waitFor();
  await section.getByRole("button", { name: /^Deliveries to/ }).click();
  const deliveries = page.getByRole("dialog", { name: "Deliveries" });
  await deliveries.getByText("Waiting", { exact: true }).waitFor();
  receiver.respond = () => new Response("thanks");
  await waitFor("the next try", async () => {
    const [webhook] = await (await page.request.get(`${site.url}/api/webhooks`)).json();
    const response = await page.request.get(`${site.url}/api/webhooks/${webhook.id}/deliveries`);
    return (await response.json())[0].status === "delivered" || undefined;
  });
  await deliveries.getByRole("button", { name: "Refresh" }).click();
  await deliveries.getByText("Delivered", { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  const before = receiver.requests.length;
  await deliveries.getByRole("button", { name: /^Redeliver Test/ }).click();
  await page.getByText("The message is being sent again", { exact: true }).waitFor();
  expect(receiver.requests.length).toBeGreaterThanOrEqual(before);
  await page.goBack();
  await deliveries.waitFor({ state: "detached" });

  await section.getByRole("button", { name: /^Edit the webhook/ }).click();
  const edited = page.getByRole("dialog", { name: "Edit webhook" });
  expect(await edited.getByRole("checkbox", { name: "Opened" }).isChecked()).toBe(false);
  await edited.getByLabel("Description").fill("Accounting");
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  for (const close of [
    () => page.keyboard.press("Escape"),
    () => edited.getByRole("button", { name: "Close" }).click(),
  ]) {
    await close();
    await question.getByRole("button", { name: "Keep editing" }).click();
    await question.waitFor({ state: "detached" });
  }
  expect(await edited.getByLabel("Description").inputValue()).toBe("Accounting");
  await edited.getByRole("checkbox", { name: "Sent" }).uncheck();
  await edited.getByRole("button", { name: "Save Changes" }).click();
  await edited.waitFor({ state: "detached" });
  await section.getByText("Accounting", { exact: true }).waitFor();

  await section.getByRole("switch", { name: `On ${receiver.url}/hooks` }).click();
  await section.getByRole("switch", { name: "Off" }).waitFor();
  expect(await section.getByRole("button", { name: /^Send test/ }).isDisabled()).toBe(true);
  const asked = page.getByRole("alertdialog");
  for (const button of [/^Replace secret/, /^Delete the webhook/]) {
    await section.getByRole("button", { name: button }).click();
    await asked.waitFor();
    await page.goBack();
    await asked.waitFor({ state: "detached" });
  }
  await section.getByRole("button", { name: /^Delete the webhook/ }).click();
  await asked.getByRole("button", { name: "Delete webhook" }).click();
  await section.getByText("No webhooks yet").waitFor();
}, 120_000);

test("a webhook can be limited to one workspace", async () => {
  const { page } = await site.openAccount("workspace@example.com");
  expect((await page.request.post(`${site.url}/api/workspaces`, { data: { name: "Taxes" } })).status()).toBe(
    201,
  );
  await page.goto(`${site.url}/integrations`);
  const section = page.getByRole("region", { name: "Webhooks" });
  await section.getByRole("button", { name: "Add webhook" }).click();
  const form = page.getByRole("dialog", { name: "Add webhook" });
  await form.getByLabel("Address").fill(`${receiver.url}/hooks`);
  await form.getByRole("button", { name: "Workspace All workspaces" }).click();
  await page.getByRole("option", { name: "Taxes" }).click();
  await form.getByRole("button", { name: "Add webhook" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await section.getByText("Only Taxes", { exact: true }).waitFor();
}, 120_000);

test("a rejected URL is reported under its field, and a list that fails to load can be retried", async () => {
  const { page, expectStatus } = await site.signUp("rejected@example.com", PHONE);
  expectStatus(400, 503);
  await page.route("**/api/tokens", (route) => route.fulfill({ status: 503, body: "{}" }), { times: 1 });
  await page.goto(`${site.url}/integrations`);
  await page.getByText("The tokens could not be loaded").waitFor();
  await page.getByRole("button", { name: "Try Again" }).click();
  await page.getByText("No tokens yet").waitFor();
  await page.getByRole("button", { name: "Add webhook" }).click();
  const form = page.getByRole("dialog", { name: "Add webhook" });
  await form.getByLabel("Address").fill("ftp://example.com/");
  await form.getByRole("button", { name: "Add webhook" }).click();
  await form
    .getByRole("alert")
    .getByText("The address must begin with https:// and be public")
    .first()
    .waitFor();
  await page.getByText("The webhook could not be added", { exact: true }).waitFor();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
}, 120_000);

test("a password change keeps the tokens unless asked to revoke them", async () => {
  const { page } = await site.openAccount("password@example.com");
  const data = { name: "Backup", scope: "read" };
  expect((await page.request.post(`${site.url}/api/tokens`, { data })).status()).toBe(201);
  const count = async () => (await (await page.request.get(`${site.url}/api/tokens`)).json()).length;
  let password = "correct horse";
  for (const revoke of [false, true]) {
    await page.goto(`${site.url}/profile#password`);
    const form = page.getByRole("region", { name: "Change Password" });
    await form.getByLabel("Current Password").fill(password);
    password += "!";
    await form.getByLabel("New Password", { exact: true }).fill(password);
    await form.getByLabel("Confirm New Password").fill(password);
    const box = form.getByRole("checkbox", {
      name: "Also revoke all API tokens and sent invitations, switch off all webhooks, pause file destinations, and stop what is planned",
    });
    expect(await box.isChecked()).toBe(false);
    if (revoke) await box.check();
    // The toast of the first change may still be there.
    const changed = page.waitForResponse((response) => response.url().endsWith("/change-password"));
    await form.getByRole("button", { name: "Change Password" }).click();
    expect((await changed).ok()).toBe(true);
    await page.getByText("Password updated", { exact: true }).waitFor();
    expect(await count()).toBe(revoke ? 0 : 1);
  }
}, 120_000);
