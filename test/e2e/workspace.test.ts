import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { type Visitor, violations, waitForFocus, waitUntilLoaded } from "../support/browser/browser";
import { holdNextCall } from "../support/browser/held-call";
import { setUpTestSite } from "../support/browser/site-set-up";
import { CONTRACT, openRequestor } from "../support/browser/submit-page";
import { docxFile } from "../support/files/files";
import { waitFor } from "../support/wait";

const site = setUpTestSite();

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const toast = (page: Page, title: string) => page.getByText(title, { exact: true }).first().waitFor();
async function chooseRole(select: Locator, role: string): Promise<void> {
  await select.click();
  await select.page().getByRole("option", { name: role, exact: true }).click();
}
const open = async (page: Page) => {
  await page.getByRole("link", { name: "Manage workspace" }).click();
  await page.getByRole("heading", { level: 1, name: "Workspace" }).waitFor();
};
const workspacesOf = async (page: Page) =>
  (await page.request.get(`${site.url}/api/workspaces`)).json() as Promise<
    { id: number; name: string; role: string }[]
  >;

/** A colleague who has joined the owner's first workspace, which is selected. */
async function joinAs(owner: Page, address: string, role: string): Promise<Visitor & { email: string }> {
  const [{ id } = { id: 0 }] = await workspacesOf(owner);
  const colleague = await site.signUp(address);
  const { page, email } = colleague;
  const invited = await owner.request.post(`${site.url}/api/workspaces/${id}/invitations`, {
    data: { email, role },
  });
  expect(invited.status()).toBe(201);
  const token = (await site.mailedLink(email, "invite")).split("/").at(-1);
  const joined = await page.request.post(`${site.url}/api/invitations/join`, { data: { token } });
  expect(joined.status()).toBe(200);
  await page.evaluate((workspace) => localStorage.setItem("workspace", String(workspace)), id);
  await page.goto(`${site.url}/`);
  // A removal while it loads would be a 404 in its console.
  await waitUntilLoaded(page);
  return colleague;
}

test("whoever works alone finds one entry more, which invites people", async () => {
  const { page } = await site.signUp("alone@example.com");
  await page.getByRole("link", { name: "Invite people" }).click();
  const members = region(page, "Members");
  await members.getByText("You work alone here.").waitFor();
  expect(await members.getByRole("list", { name: "Members" }).count()).toBe(0);
  expect(await region(page, "Leave workspace").count()).toBe(0);
  await region(page, "Delete workspace").getByText("This is your only workspace.").waitFor();
  expect(await violations(page)).toEqual([]);
}, 120_000);

test("an owner renames a workspace and is asked before unsaved changes are lost", async () => {
  const { page } = await site.signUp("renamer@example.com");
  await open(page);
  const general = region(page, "General");
  await general.getByLabel("Name").fill("");
  await general.getByRole("button", { name: "Save Changes" }).click();
  await general.getByText("Name is required").waitFor();
  await general.getByLabel("Name").fill("Holm & Partners");
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await page.getByRole("link", { name: "Contacts" }).click();
  await question.getByRole("button", { name: "Keep editing" }).click();
  await general.getByLabel("Description").fill("Taxes");
  await general.getByRole("button", { name: "Save Changes" }).click();
  await toast(page, "Workspace updated");
  const rule = region(page, "File names").getByRole("textbox");
  await rule.fill("{document}");
  await page.getByRole("button", { name: "Create Workspace" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Workspace" });
  await dialog.getByLabel("Name").fill("Another");
  // What is typed there is kept, so closing asks nothing; selecting it asks because of the page below.
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Create Workspace" }).click();
  await dialog.getByRole("button", { name: "Create" }).click();
  await question.getByRole("button", { name: "Keep editing" }).click();
  expect(await rule.inputValue()).toBe("{document}");
  await page.getByRole("button", { name: "Workspace Holm & Partners" }).waitFor();
  expect(await workspacesOf(page)).toMatchObject([
    { name: "Holm & Partners", description: "Taxes" },
    { name: "Another" },
  ]);
  await page
    .getByRole("navigation", { name: "Sections of this page" })
    .getByRole("link", { name: "Activity" })
    .click();
  const activity = region(page, "Activity");
  await activity.getByText("The settings of the workspace were changed").waitFor();
  await activity.getByText("Name: My Workspace → Holm & Partners").waitFor();
  await activity.getByLabel("Kind").selectOption("Downloads");
  await activity.getByText("No activity matches the filter.").waitFor();
}, 120_000);

test("deleting a workspace says what goes with it, and needs its name", async () => {
  const { page, requestDocuments } = await openRequestor(site, "deleter@example.com");
  const [first] = await workspacesOf(page);
  const { submissionToken } = await requestDocuments([CONTRACT]);
  const body = new FormData();
  body.append(CONTRACT.name, new File(["%PDF-1.7\n%%EOF\n"], "contract.pdf"));
  await fetch(`${site.url}/api/submissions/${submissionToken}`, { method: "POST", body });
  await requestDocuments([CONTRACT]);
  const second = await page.request.post(`${site.url}/api/workspaces`, { data: { name: "Second" } });
  expect(second.status()).toBe(201);
  await page.goto(`${site.url}/workspace?id=${first?.id}#delete`);
  await region(page, "Delete workspace").getByRole("button", { name: "Delete workspace" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete this workspace?" });
  await question
    .getByText("2 envelopes with 1 file, all templates and all contacts will be deleted.", { exact: false })
    .waitFor();
  const confirm = question.getByRole("button", { name: "Delete workspace" });
  await question.getByLabel("To confirm, type My Workspace").fill("My");
  expect(await confirm.isDisabled()).toBe(true);
  expect(await violations(page)).toEqual([]);
  await question.getByLabel("To confirm, type My Workspace").fill("My Workspace");
  await confirm.click();
  await toast(page, "Workspace deleted");
  await page.getByRole("button", { name: "Workspace Second" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
  expect(await workspacesOf(page)).toMatchObject([{ name: "Second" }]);
}, 120_000);

test("several addresses are invited at once, each with its result; a link is sent again and revoked", async () => {
  const owner = await site.signUp("inviter@example.com");
  const { page } = owner;
  await open(page);
  const members = region(page, "Members");
  owner.expectStatus(409);
  await members.getByLabel("Email").fill(`one@example.org, two@example.org\n${owner.email}`);
  await members.getByLabel("Role", { exact: true }).selectOption("Viewer");
  await members.getByText("Can look at everything and download files").waitFor();
  const invite = members.getByRole("button", { name: "Invite", exact: true });
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const [role, button] = [
      await members.getByLabel("Role", { exact: true }).boundingBox(),
      await invite.boundingBox(),
    ];
    expect(button?.y).toBe(role?.y as number);
  }
  await invite.click();
  const results = members.getByRole("status", { name: "Results" });
  await results.getByText("Invited: two@example.org", { exact: true }).waitFor();
  await results
    .getByText(`Not invited: ${owner.email}. ${owner.email} is already a member of this workspace`)
    .waitFor();
  expect(await members.getByLabel("Email").inputValue()).toBe(owner.email);
  const invitations = members.getByRole("list", { name: "Open invitations" });
  await invitations.getByRole("listitem").nth(1).waitFor();
  expect(await violations(page)).toEqual([]);

  const first = await site.mailedLink("one@example.org", "invite");
  await members.getByRole("button", { name: "Resend the invitation for one@example.org" }).click();
  await toast(page, "The invitation was sent again");
  const late = await site.visit(first, { statuses: [400] });
  await late.page.getByRole("heading", { name: "This link did not work" }).waitFor();
  await chooseRole(members.getByLabel("Role for one@example.org"), "Member");
  await toast(page, "Role changed");
  await members.getByRole("button", { name: "Revoke the invitation for one@example.org" }).press("Enter");
  await toast(page, "Invitation revoked");
  await invitations.getByText("one@example.org").waitFor({ state: "detached" });
  await waitForFocus(page.locator("#content"));
  await region(page, "Activity").getByText("The invitation for one@example.org was revoked").waitFor();
}, 120_000);

test("an owner changes roles in place, keeps the last owner, and chooses who gets the envelopes", async () => {
  const owner = await site.signUp("chief@example.com");
  const bea = await joinAs(owner.page, "bea.member@example.com", "member");
  const carl = await joinAs(owner.page, "carl.member@example.com", "member");
  const { page } = owner;
  await open(page);
  const list = region(page, "Members").getByRole("list", { name: "Members" });
  const roleOf = (email: string) => list.getByLabel(`Role of ${email}`);
  await roleOf(bea.email).waitFor();
  expect(await violations(page)).toEqual([]);

  owner.expectStatus(409);
  // In a closed list, an arrow key chooses nothing.
  await roleOf(carl.email).focus();
  await page.keyboard.press("ArrowDown");
  await waitForFocus(page.getByRole("listbox"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await waitForFocus(list.getByRole("button", { name: `Role of ${carl.email} Member`, exact: true }));
  await chooseRole(roleOf(owner.email), "Member");
  const demotion = page.getByRole("alertdialog", { name: "Give up your role as owner?" });
  await demotion.getByRole("button", { name: "Change my role" }).click();
  await toast(page, "A workspace needs an owner. Please make somebody else an owner first");
  expect(await roleOf(owner.email).textContent()).toBe("Owner");
  await region(page, "Leave workspace").getByText("You are the only owner.").waitFor();

  await chooseRole(roleOf(carl.email), "Owner");
  await toast(page, "Role changed");
  await region(page, "Leave workspace").getByRole("button", { name: "Leave workspace" }).waitFor();
  await list.getByRole("button", { name: `Remove ${bea.email}` }).click();
  const removal = page.getByRole("alertdialog", { name: `Remove ${bea.email}?` });
  await removal
    .getByText(/API tokens lose access .+ Webhooks .+ switched off\. .+ recurring envelopes are paused/)
    .waitFor();
  await removal.getByLabel("Assigned envelopes go to").selectOption(carl.email);
  expect(await violations(page)).toEqual([]);
  const [request] = await Promise.all([
    page.waitForRequest((call) => call.method() === "DELETE"),
    removal.getByRole("button", { name: "Remove", exact: true }).click(),
  ]);
  await toast(page, "Person removed");
  await list.getByText(bea.email).waitFor({ state: "detached" });
  const { id } = await (await carl.page.request.get(`${site.url}/api/user`)).json();
  expect(new URL(request.url()).searchParams.get("assignTo")).toBe(String(id));
}, 120_000);

test("who removes somebody or makes them a viewer is offered new links for their open envelopes", async () => {
  const owner = await site.signUp("linking@example.com");
  const people = [
    await joinAs(owner.page, "dora.member@example.com", "member"),
    await joinAs(owner.page, "erik.member@example.com", "member"),
  ] as const;
  const [{ id } = { id: 0 }] = await workspacesOf(owner.page);
  const tokens: string[] = [];
  for (const { page } of people) {
    const data = {
      ...{ workspaceId: id, recipientName: "Rita", recipientEmail: "rita@example.com", subject: "Papers" },
      documents: [{ name: "Contract" }],
    };
    const sent = await page.request.post(`${site.url}/api/requests`, { data });
    tokens.push((await sent.json()).submissionToken);
  }
  const { page } = owner;
  await open(page);
  const list = region(page, "Members").getByRole("list", { name: "Members" });
  const [dora, erik] = people;
  await chooseRole(list.getByLabel(`Role of ${dora.email}`), "Viewer");
  const demotion = page.getByRole("alertdialog", { name: `Make ${dora.email} a viewer?` });
  await demotion
    .getByLabel("Links of open envelopes")
    .selectOption(`Send a new link for 1 envelope of ${dora.email}`);
  expect(await violations(page)).toEqual([]);
  await demotion.getByRole("button", { name: "Change role" }).click();
  await toast(page, "Role changed");
  await list.getByRole("button", { name: `Remove ${erik.email}` }).click();
  const removal = page.getByRole("alertdialog", { name: `Remove ${erik.email}?` });
  await removal.getByText("1 open envelope", { exact: true }).waitFor();
  await removal.getByLabel("Links of open envelopes").selectOption("Send new links for all 2 open envelopes");
  await removal.getByRole("button", { name: "Remove", exact: true }).click();
  await toast(page, "Person removed");
  for (const token of tokens)
    await waitFor("the new link", async () => {
      const response = await page.request.get(`${site.url}/api/submissions/${token}`);
      return response.status() === 410;
    });
}, 120_000);

test("members see what concerns them, and leave", async () => {
  const owner = await site.signUp("boss@example.com");
  const { page } = await joinAs(owner.page, "dora.member@example.com", "member");
  await open(page);
  await region(page, "General").getByText("Member: Can create, send and review envelopes").waitFor();
  await region(page, "Members").getByText(owner.email).waitFor();
  expect(await page.getByRole("main").getByRole("region").count()).toBe(3);
  expect(await region(page, "Members").getByRole("button").count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await region(page, "Leave workspace").getByRole("button", { name: "Leave workspace" }).click();
  const question = page.getByRole("alertdialog", { name: "Leave “My Workspace”?" });
  await question.getByRole("button", { name: "Leave workspace" }).click();
  await toast(page, "You have left the workspace");
  expect(new URL(page.url()).pathname).toBe("/");
  expect(await workspacesOf(page)).toMatchObject([{ role: "owner" }]);
}, 120_000);

test("an owner who was removed opens the mailed link, and is an owner again by its button alone", async () => {
  const { page } = await site.signUp("first-owner@example.com");
  const { page: others, email } = await joinAs(page, "second-owner@example.com", "owner");
  const [{ id } = { id: 0 }] = await workspacesOf(page);
  const { id: userId } = await (await others.request.get(`${site.url}/api/user`)).json();
  const removed = await page.request.delete(`${site.url}/api/workspaces/${id}/members/${userId}`);
  expect(removed.status()).toBe(204);
  const ids = async () => (await workspacesOf(others)).map((workspace) => workspace.id);
  const { page: mail } = await site.visit(await site.mailedLink(email, "restore-owner"));
  const button = mail.getByRole("button", { name: "This wasn't me" });
  await button.waitFor();
  expect(await violations(mail)).toEqual([]);
  expect(await ids()).not.toContain(id);
  await button.click();
  await mail.getByRole("heading", { name: "You are an owner again" }).waitFor();
  expect(await ids()).toContain(id);
  await others.goto(`${site.url}/workspace`);
  await region(others, "Activity").getByText(`${email} is an owner again`).waitFor();
}, 120_000);

test("a viewer sees no button that changes something, on any screen", async () => {
  const owner = await openRequestor(site, "shown@example.com");
  const [{ id: workspaceId } = { id: 0 }] = await workspacesOf(owner.page);
  const post = async (path: string, data: object) => {
    const response = await owner.page.request.post(`${site.url}/api/${path}`, { data });
    expect(response.status()).toBe(201);
    return (await response.json()).id as number;
  };
  const contact = await post("contacts", { firstName: "Rita", workspaceId });
  await post("templates", { name: "Taxes", fields: [{ name: "Payslip" }], workspaceId });
  const pending = await owner.requestDocuments([CONTRACT], { subject: "Still open" });
  const draft = await owner.requestDocuments([CONTRACT], { subject: "A draft", isDraft: true });
  const { id: completed, submissionToken } = await owner.requestDocuments([CONTRACT], { subject: "Done" });
  const body = new FormData();
  body.append(CONTRACT.name, docxFile("contract.docx"));
  const sent = await fetch(`${site.url}/api/submissions/${submissionToken}`, { method: "POST", body });
  expect(sent.status).toBe(201);

  const { page } = await joinAs(owner.page, "looker@example.com", "viewer");
  const content = page.getByRole("main");
  const buttons = (within: Locator) =>
    within.getByRole("button").evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent));
  await page.getByRole("row").nth(3).waitFor();
  expect(await page.getByRole("button", { name: "New Envelope" }).count()).toBe(0);
  await page.getByLabel("Assigned to").waitFor();
  expect(await page.getByRole("button", { name: "Mine", exact: true }).count()).toBe(0);
  expect(await page.getByRole("row").nth(1).getByRole("button").count()).toBe(0);
  await page.getByRole("checkbox", { name: "Select Done" }).check();
  await page
    .getByRole("group", { name: "Selected envelopes" })
    .getByRole("button", { name: "Download" })
    .waitFor();
  expect(await page.getByRole("button", { name: /^(Delete|Remind)\b/ }).count()).toBe(0);

  const dialog = page.getByRole("dialog");
  for (const { id, subject } of [pending, draft]) {
    await page.goto(`${site.url}/?envelope=${id}`);
    await dialog
      .getByText(subject ?? "")
      .first()
      .waitFor();
    await dialog.getByRole("listitem").filter({ hasText: "Created" }).waitFor();
    // Viewers may watch.
    expect((await buttons(dialog)).filter((name) => !/watch/i.test(name ?? ""))).toEqual(["Close"]);
  }
  await page.goto(`${site.url}/?envelope=${completed}`);
  await dialog.getByRole("button", { name: /^View/ }).waitFor();
  expect(await dialog.getByRole("button", { name: /Accept|Ask again|Undo|Remind/ }).count()).toBe(0);
  await dialog.getByRole("button", { name: "Review", exact: true }).click();
  await page.getByRole("navigation", { name: "Documents" }).getByText("contract.docx").waitFor();
  await page.keyboard.press("r");
  await page.keyboard.press("a");
  expect(await page.getByRole("button", { name: /^(Accept|Ask)/ }).count()).toBe(0);

  await page.goto(`${site.url}/contacts`);
  await page.getByRole("link", { name: "Rita" }).waitFor();
  expect(await content.getByRole("button", { name: /Add|Edit|Delete|Request/ }).count()).toBe(0);
  await page.goto(`${site.url}/contacts/${contact}`);
  await page.getByRole("heading", { level: 1, name: "Rita" }).waitFor();
  expect(await content.getByRole("button", { name: /Edit|Delete|Request/ }).count()).toBe(0);
  await page.goto(`${site.url}/templates`);
  await page.getByText("Payslip").waitFor();
  expect(await buttons(content)).toEqual(["Board of Taxes"]);
  expect(await violations(page)).toEqual([]);
  await page.goto(`${site.url}/?view=board`);
  await page.getByRole("gridcell", { name: "Charles Babbage, Done, Signed contract, to review" }).waitFor();
  expect(await page.locator("main [aria-haspopup]").count()).toBe(0);
  // Nor are they told how to do what they may not.
  await page.goto(`${site.url}/schedules?schedules=scheduled`);
  await page.getByText("Nothing is scheduled.", { exact: true }).waitFor();
  await page.goto(`${site.url}/schedules?schedules=recurring`);
  await page.getByText("No recurring envelopes yet.", { exact: true }).waitFor();
  await page.goto(`${site.url}/?wizard=new`);
  await page.getByText("Viewers can look at everything and change nothing", { exact: true }).waitFor();
  await page.getByRole("row").nth(3).waitFor();
  expect(await dialog.count()).toBe(0);
  expect(page.url()).not.toContain("wizard");
}, 120_000);

test("who loses the role or the membership while typing is told, and loses nothing typed", async () => {
  const owner = await site.signUp("demoter@example.com");
  const colleague = await joinAs(owner.page, "typing@example.com", "member");
  const { page, email } = colleague;
  colleague.expectStatus(403, 404);
  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByRole("button", { name: "Add Contact" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("First Name").fill("Rita");

  await open(owner.page);
  const list = region(owner.page, "Members").getByRole("list", { name: "Members" });
  await chooseRole(list.getByLabel(`Role of ${email}`), "Viewer");
  await toast(owner.page, "Role changed");
  const save = form.getByRole("button", { name: /^(Add|Create|Save)/ });
  await save.click();
  await toast(page, "Viewers can look at everything and change nothing");
  await page
    .getByRole("main")
    .getByRole("button", { name: "Add Contact", includeHidden: true })
    .waitFor({ state: "detached" });
  expect(await form.getByLabel("First Name").inputValue()).toBe("Rita");

  await list.getByRole("button", { name: `Remove ${email}` }).click();
  await owner.page.getByRole("alertdialog").getByRole("button", { name: "Remove", exact: true }).click();
  await toast(owner.page, "Person removed");
  await save.click();
  await toast(page, "You no longer have access to “My Workspace”");
  expect(await form.getByLabel("First Name").inputValue()).toBe("Rita");
}, 120_000);

test("deleting the account says what happens to each workspace, and leads to members without another owner", async () => {
  const { page } = await site.openAccount("goer@example.com");
  const bea = await joinAs(page, "bea.stays@example.com", "member");
  await page.request.post(`${site.url}/api/workspaces`, { data: { name: "Private" } });
  await page.goto(`${site.url}/profile`);
  await page.getByRole("button", { name: "Delete Account" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete your account?" });
  const fates = question.getByRole("list", { name: "Your workspaces" });
  const fateOf = (name: string) => fates.getByRole("listitem").filter({ hasText: name });
  await fateOf("Private").getByText("It is deleted, with its envelopes and files.").waitFor();
  await fateOf("My Workspace").getByText("It has members, but no other owner.").waitFor();
  const confirm = question.getByRole("button", { name: "Delete Account" });
  expect(await confirm.isDisabled()).toBe(true);
  expect(await violations(page)).toEqual([]);
  await question.getByRole("link", { name: "Members of My Workspace" }).click();
  const list = region(page, "Members").getByRole("list", { name: "Members" });
  await chooseRole(list.getByLabel(`Role of ${bea.email}`), "Owner");
  await toast(page, "Role changed");
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("button", { name: "Delete Account" }).click();
  await fateOf("My Workspace").getByText("It stays.").waitFor();
  await confirm.click();
  await page.getByText("Account deleted", { exact: true }).waitFor();
  expect((await workspacesOf(bea.page)).map(({ role }) => role)).toEqual(["owner", "owner"]);
}, 120_000);

test("a section that the address names stays in place while what is above it loads", async () => {
  const { page } = await site.openAccount("deep-link@example.com", {
    viewport: { width: 1440, height: 700 },
  });
  // As in WebKit, which does not keep in place what is on the screen.
  await page.addInitScript(() =>
    document.addEventListener("DOMContentLoaded", () => {
      document.documentElement.style.overflowAnchor = "none";
    }),
  );
  const release = await holdNextCall(page, "**/api/requests/preview?*");
  await page.goto(`${site.url}/workspace#file-types`);
  const section = region(page, "File types");
  await section.waitFor();
  release();
  await page.locator("iframe").nth(1).waitFor();
  await waitUntilLoaded(page);
  const top = await section.evaluate((shown) => shown.getBoundingClientRect().top);
  expect(Math.round(top)).toBe(16);
  // Whoever scrolls is not led back.
  await section.hover();
  await page.mouse.wheel(0, -300);
  await waitFor("the page to be scrolled", async () => {
    const scrolled = await section.evaluate((shown) => shown.getBoundingClientRect().top);
    return Math.round(scrolled) === 316 || undefined;
  });
}, 60_000);
