import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ENVELOPE } from "../support/api/envelopes";
import { PHONE, violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();

async function send(page: Page, changes: object = {}) {
  const response = await page.request.post(`${site.url}/api/requests`, { data: { ...ENVELOPE, ...changes } });
  expect(response.status(), await response.text()).toBe(201);
  return response.json();
}

/** An account with a name, on the home page. */
async function person(address: string, firstName: string, lastName: string) {
  const { page, email } = await site.openAccount(address);
  const named = await page.request.patch(`${site.url}/api/user/profile`, { data: { firstName, lastName } });
  const { id } = await named.json();
  return { page, email, id };
}

/** Two people who share the first one's workspace, with an envelope of each. */
async function team(name: string, role = "member") {
  const ada = await person(`ada-${name}@example.com`, "Ada", "Lovelace");
  const max = await person(`max-${name}@example.com`, "Max", "Mustermann");
  const [{ id: workspaceId }] = await (await ada.page.request.get(`${site.url}/api/workspaces`)).json();
  const invitation = { email: max.email, role };
  const path = `${site.url}/api/workspaces/${workspaceId}/invitations`;
  expect((await ada.page.request.post(path, { data: invitation })).status()).toBe(201);
  const token = (await site.mailedLink(max.email, "invite")).split("/").at(-1);
  const joined = await max.page.request.post(`${site.url}/api/invitations/join`, { data: { token } });
  expect(joined.status()).toBe(200);
  await send(ada.page, { subject: "Lease" });
  await send(ada.page, {
    ...{ subject: "Taxes", workspaceId },
    ...(role !== "viewer" && { assigneeId: max.id }),
  });
  await max.page.request.post(`${site.url}/api/workspaces/${workspaceId}/select`);
  for (const { page } of [ada, max]) {
    await page.goto(`${site.url}/`);
    await row(page, "Taxes").waitFor();
  }
  return { ada: ada.page, max: max.page };
}

const row = (page: Page, subject: string) => page.getByRole("row").filter({ hasText: subject });
const mine = (page: Page) => page.getByRole("button", { name: "Mine", exact: true });

async function open(page: Page, subject: string) {
  await page.getByRole("link", { name: subject, exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "Timeline" }).waitFor();
  return dialog;
}

test("two people see whose envelope is whose, filter their own, and hand one over", async () => {
  const { ada, max } = await team("two");
  await row(ada, "Lease").getByText("Assigned to Ada Lovelace").waitFor({ state: "attached" });
  await row(ada, "Taxes").getByText("Assigned to Max Mustermann").waitFor({ state: "attached" });
  expect(await violations(ada)).toEqual([]);

  // By keyboard, and after a reload.
  await mine(ada).focus();
  await ada.keyboard.press("Enter");
  await row(ada, "Taxes").waitFor({ state: "detached" });
  await ada.getByRole("tab", { name: "All 1" }).waitFor();
  await ada.reload();
  await row(ada, "Lease").waitFor();
  expect(await row(ada, "Taxes").count()).toBe(0);
  expect(await mine(ada).getAttribute("aria-pressed")).toBe("true");

  await ada.getByRole("combobox", { name: "Assigned to" }).selectOption("Max Mustermann");
  await row(ada, "Taxes").waitFor();
  expect(await row(ada, "Lease").count()).toBe(0);
  expect(await mine(ada).getAttribute("aria-pressed")).toBe("false");
  await mine(ada).click();

  const details = await open(ada, "Lease");
  expect(await violations(ada)).toEqual([]);
  await details.getByRole("button", { name: "Assigned to Ada Lovelace" }).focus();
  await ada.keyboard.press("Enter");
  await ada.getByRole("listbox").getByRole("option", { name: "Max Mustermann" }).waitFor();
  await ada.keyboard.press("ArrowDown");
  await ada.keyboard.press("Enter");
  await details.getByRole("button", { name: "Assigned to Max Mustermann" }).waitFor();
  await details.getByRole("listitem").filter({ hasText: "Assigned to" }).getByText("Ada Lovelace").waitFor();
  await details.getByText("Ada Lovelace", { exact: true }).first().waitFor();
  await details.getByRole("button", { name: "Watch", exact: true }).click();
  await details.getByRole("button", { name: "Unwatch", exact: true }).waitFor();
  await ada.keyboard.press("Escape");
  await ada.getByText("No results.", { exact: true }).waitFor();

  await max.reload();
  await mine(max).click();
  await row(max, "Lease").waitFor();
  const taken = await open(max, "Lease");
  await taken.getByText("Ada Lovelace", { exact: true }).first().waitFor();
  // The assignee gets the notices anyway.
  expect(await taken.getByRole("button", { name: "Watch", exact: true }).count()).toBe(0);
  await max.keyboard.press("Escape");

  // Several at once, without what is whose already.
  await send(ada, { subject: "Visa" });
  await max.goto(`${site.url}/`);
  await row(max, "Visa").waitFor();
  await max.getByRole("checkbox", { name: "Select all" }).click();
  await max.getByRole("button", { name: "Assign 3", exact: true }).click();
  const several = max.getByRole("dialog");
  const confirm = several.getByRole("button", { name: "Assign", exact: true });
  expect(await confirm.isDisabled()).toBe(true);
  await several.getByRole("button", { name: "Assigned to" }).click();
  await max.getByRole("listbox").getByRole("option", { name: "Max Mustermann" }).click();
  await several.getByText(/^2 selected envelopes are left out, because they are assigned/).waitFor();
  expect(await violations(max)).toEqual([]);
  await several.getByRole("button", { name: "Assigned to Max Mustermann" }).click();
  await max.getByRole("listbox").getByRole("option", { name: "Ada Lovelace" }).click();
  await confirm.click();
  await several.waitFor({ state: "detached" });
  await max.getByText("2 envelopes assigned", { exact: true }).waitFor();
  for (const subject of ["Lease", "Taxes", "Visa"])
    await row(max, subject).getByText("Assigned to Ada Lovelace").waitFor({ state: "attached" });
}, 120_000);

test("the wizard assigns an envelope, and the preview shows that person as the sender", async () => {
  const { ada } = await team("wizard");
  await ada.goto(`${site.url}/`);
  await ada.getByRole("link", { name: "Taxes", exact: true }).waitFor();
  await send(ada, { subject: "Draft", isDraft: true });
  await ada.reload();
  await ada.getByRole("button", { name: "Edit Draft" }).click();
  const wizard = ada.getByRole("dialog");
  for (let step = 0; step < 3; step += 1) await wizard.getByRole("button", { name: "Next" }).click();
  await wizard.getByRole("button", { name: "Assigned to Ada Lovelace" }).click();
  await ada.getByRole("listbox").getByRole("option", { name: "Max Mustermann" }).click();
  await wizard.getByRole("button", { name: "Preview the message" }).click();
  await wizard.getByText(/Max Mustermann via/).waitFor();
  expect(await violations(ada)).toEqual([]);
  await wizard.getByRole("button", { name: "Save as Draft" }).click();
  await wizard.waitFor({ state: "detached" });
  await row(ada, "Draft").getByText("Assigned to Max Mustermann").waitFor({ state: "attached" });

  // One's own new name is shown without a reload.
  await ada.getByRole("link", { name: "Settings" }).click();
  await ada.getByLabel("First Name").fill("Augusta");
  await ada
    .getByRole("region", { name: "Profile", exact: true })
    .getByRole("button", { name: "Save" })
    .click();
  await ada.getByText("Profile updated", { exact: true }).waitFor();
  await ada.getByRole("navigation").getByRole("link", { name: "Doculopes" }).click();
  await row(ada, "Lease").getByText("Assigned to Augusta Lovelace").waitFor({ state: "attached" });
}, 120_000);

test("a viewer watches, and is offered nothing that would be rejected", async () => {
  const { max } = await team("viewer", "viewer");
  await max.getByRole("checkbox", { name: "Select all" }).click();
  await max.getByRole("button", { name: "Clear selection" }).waitFor();
  expect(await max.getByRole("button", { name: /^Assign/ }).count()).toBe(0);
  await max.getByRole("button", { name: "Clear selection" }).click();
  const details = await open(max, "Taxes");
  await details.getByText("Assigned to", { exact: true }).waitFor();
  expect(await details.getByRole("button", { name: /^Assigned to/ }).count()).toBe(0);
  await details.getByRole("button", { name: "Watch", exact: true }).click();
  await details.getByRole("button", { name: "Unwatch", exact: true }).click();
  await details.getByRole("button", { name: "Watch", exact: true }).waitFor();
}, 120_000);

test("somebody alone in the workspace sees none of it", async () => {
  const { page } = await person("solo@example.com", "Ada", "Lovelace");
  await send(page, { subject: "Lease" });
  await page.setViewportSize(PHONE.viewport);
  await page.goto(`${site.url}/`);
  await row(page, "Lease").waitFor();
  expect(await mine(page).count()).toBe(0);
  expect(await page.getByText("Assigned to").count()).toBe(0);
  const details = await open(page, "Lease");
  await details.getByText("You", { exact: true }).first().waitFor();
  expect(await details.getByText("Assigned to").count()).toBe(0);
  expect(await details.getByRole("button", { name: "Watch", exact: true }).count()).toBe(0);
  expect(await details.getByText("Ada Lovelace").count()).toBe(0);
}, 120_000);
