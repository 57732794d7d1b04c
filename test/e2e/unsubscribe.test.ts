import { expect, test } from "bun:test";
import { DESKTOP, violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { CONTRACT, openRequestor } from "../support/browser/submit-page";

const site = setUpTestSite();

test("a recipient stops the mails of a sender by a button, and allows them again", async () => {
  const to = "charles.babbage.of.the.analytical.engine@computing-machines.example.com";
  const { page, requestDocuments, email } = await openRequestor(site, "ada@example.com", { statuses: [409] });
  await page.request.post(`${site.url}/api/contacts`, { data: { firstName: "Charles", email: to } });
  const { id } = await requestDocuments([CONTRACT], { recipientEmail: to });
  const link = await site.mailedLink(to, "unsubscribe");
  const recipient = await site.visit(link);
  const heading = (name: string) => recipient.page.getByRole("heading", { name, level: 1 }).waitFor();
  await heading("Stop emails from this sender?");
  await recipient.page
    .getByText(`Ada Lovelace (${email}) asks you for documents.`, { exact: false })
    .waitFor();
  expect(await violations(recipient.page)).toEqual([]);
  await recipient.page.reload();
  await heading("Stop emails from this sender?");
  await recipient.page.getByRole("button", { name: "Stop emails" }).click();
  await heading("Emails stopped");
  const [workspace] = await (await page.request.get(`${site.url}/api/workspaces`)).json();
  await page.request.patch(`${site.url}/api/workspaces/${workspace.id}`, {
    data: { brandName: "Engines Tax" },
  });
  await recipient.page.reload();
  await heading("Emails stopped");
  await recipient.page.getByRole("banner").getByText("Engines Tax", { exact: true }).waitFor();
  expect(await recipient.page.getByText("Doculopes", { exact: true }).count()).toBe(0);

  const refused = "Does not want emails from you";
  await page.goto(`${site.url}/?envelope=${id}`);
  const details = page.getByRole("dialog");
  await details.getByText(refused, { exact: true }).waitFor();
  expect(await details.getByRole("button", { name: "Remind", exact: true }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await page.goto(`${site.url}/contacts`);
  await page.getByText(refused, { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);

  await page.goto(`${site.url}/?wizard=new`);
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  await wizard.getByRole("button", { name: "Choose a contact" }).click();
  await page.getByRole("option").getByText(refused, { exact: false }).click();
  const next = wizard.getByRole("button", { name: "Next" });
  await next.click();
  await wizard.getByLabel("Subject").fill("Papers");
  await next.click();
  await wizard.getByLabel("Document Name").fill("Passport");
  await next.click();
  await wizard.getByRole("button", { name: "Create Envelope" }).click();
  // At its field, and in the toast.
  const refusal = `${to} does not want emails from you.`;
  await wizard.getByRole("alert").getByText(refusal, { exact: false }).first().waitFor();
  expect(await wizard.getByLabel("Recipient Email").inputValue()).toBe(to);
  await page.setViewportSize({ width: 390, height: 450 });
  const beyond = await wizard.locator("form").evaluate(({ parentElement: body }) => {
    if (body) return body.scrollWidth - body.clientWidth;
  });
  expect(beyond).toBe(0);
  await page.setViewportSize(DESKTOP.viewport);

  await recipient.page.getByRole("button", { name: "Allow emails again" }).click();
  await heading("Mails allowed again");
  await recipient.page.getByRole("button", { name: "Stop emails" }).waitFor();
  for (let step = 0; step < 3; step += 1) await next.click();
  await wizard.getByRole("button", { name: "Create Envelope" }).click();
  await wizard.waitFor({ state: "detached" });
}, 120_000);

test("the link of a sender whose account was deleted says so, and what else it may be", async () => {
  const { page, requestDocuments } = await openRequestor(site, "gone@example.com");
  await requestDocuments([CONTRACT], { recipientEmail: "left@example.com" });
  const link = await site.mailedLink("left@example.com", "unsubscribe");
  const deleted = await page.request.delete(`${site.url}/api/user/account`);
  expect(deleted.status()).toBeLessThan(300);
  const recipient = await site.visit(link, { statuses: [404] });
  await recipient.page.getByRole("heading", { name: "This link did not work", level: 1 }).waitFor();
  const text = recipient.page.getByRole("status");
  await text.getByText("the account has been deleted", { exact: false }).waitFor();
  await text.getByText("open it again from the newest email", { exact: false }).waitFor();
}, 120_000);
