import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { runScheduledJobs } from "../../worker/jobs";
import { DAY_MS } from "../../worker/lib/durations";
import { DESKTOP, PASSWORD, PHONE, startBunSite, violations, waitForFocus } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { CONTRACT, openRequestor, type Requestor } from "../support/browser/submit-page";
import { docxFile } from "../support/files/files";
import { readZip } from "../support/files/zip";

const PHONE_BROWSER =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1";

/** The offset of the server's clock. */
let ahead = 0;
let runJobs: () => Promise<void>;
const site = setUpTestSite(async () => {
  const server = await startBunSite({ clock: { now: () => new Date(Date.now() + ahead) } });
  runJobs = () => runScheduledJobs(server.deps);
  return server;
});

const regionOf = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function openSettings(page: Page, section: string): Promise<void> {
  await page.goto(`${site.url}/profile#${section}`);
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
}

async function openFileDeletion(page: Page): Promise<void> {
  await page.goto(`${site.url}/workspace#retention`);
  await page.getByRole("heading", { level: 1, name: "Workspace" }).waitFor();
}

/** A completed envelope of the requestor. */
async function completed(ada: Requestor): Promise<number> {
  const { id, submissionToken } = await ada.requestDocuments([CONTRACT]);
  const body = new FormData();
  body.append(CONTRACT.name, docxFile("contract.docx"));
  const response = await fetch(`${site.url}/api/submissions/${submissionToken}`, { method: "POST", body });
  expect(response.status).toBe(201);
  return id;
}

test("each session is listed and can be ended, one by one or all at once", async () => {
  const { page, email } = await site.signUp("devices@example.com");
  const data = { email, password: PASSWORD };
  const phones = await Promise.all(
    [1, 2, 3].map(() => site.visit("/auth", { ...PHONE, userAgent: PHONE_BROWSER })),
  );
  for (const { page: phone } of phones) await phone.request.post(`${site.url}/api/login`, { data });

  await openSettings(page, "sessions");
  const devices = regionOf(page, "Where you are signed in");
  const phoneItems = devices.getByRole("listitem").filter({ hasText: "Safari on iPhone" });
  await phoneItems.nth(2).waitFor();
  const here = devices.getByRole("listitem").filter({ hasText: "This device" });
  await here.getByText("Chrome on Linux").waitFor();
  await here.getByText(/^Active now, from /).waitFor();
  expect(await devices.getByText(/^Active now/).count()).toBe(1);
  expect(await here.getByRole("button").count()).toBe(0);
  expect(await violations(page)).toEqual([]);

  await devices.getByRole("button", { name: "Sign out Safari on iPhone" }).first().click();
  await page.getByText("The device was signed out", { exact: true }).waitFor();
  await phoneItems.nth(2).waitFor({ state: "detached" });
  await waitForFocus(devices.getByRole("list"));
  await devices.getByRole("button", { name: "Sign out everywhere else" }).click();
  await page.getByText("All other devices were signed out", { exact: true }).waitFor();
  await phoneItems.first().waitFor({ state: "detached" });
  await devices.getByRole("button").first().waitFor({ state: "detached" });
  for (const { page: phone } of phones)
    expect((await phone.request.get(`${site.url}/api/user`)).status()).toBe(401);
  expect((await page.request.get(`${site.url}/api/user`)).status()).toBe(200);
}, 120_000);

test("settings list recent sign-ins, failed ones too, and a signed-in owner can begin to replace the password", async () => {
  const { page, email } = await site.signUp("recent@example.com", DESKTOP);
  const thief = await site.visit("/auth", { ...PHONE, userAgent: PHONE_BROWSER, statuses: [401] });
  const data = { email, password: "a guess" };
  for (let count = 0; count < 10; count++) await thief.page.request.post(`${site.url}/api/login`, { data });

  await openSettings(page, "sign-ins");
  const section = regionOf(page, "Recent sign-ins");
  const items = section.getByRole("listitem");
  await items.nth(9).waitFor();
  expect(await items.filter({ hasText: "Safari on iPhone" }).filter({ hasText: "Failed" }).count()).toBe(10);
  await section.getByRole("button", { name: "Show more" }).click();
  const first = items.filter({ hasText: "Chrome on Linux" }).filter({ hasText: "With a password" });
  await first.getByText(/^[^,].* from /).waitFor();
  expect(await first.getByText("Failed").count()).toBe(0);
  expect(await violations(page)).toEqual([]);

  // The mail about a sign-in leads here, often in a browser that is signed in.
  await page.goto(`${site.url}/auth?mode=forgot`);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await page.goto(site.url + (await site.mailedLink(email, "reset")));
  await page.getByLabel("New Password", { exact: true }).fill("another horse");
  await page.getByLabel("Confirm New Password").fill("another horse");
  await page.getByRole("button", { name: "Change Password" }).click();
  await page.getByRole("heading", { name: "Password changed" }).waitFor();
  expect((await page.request.get(`${site.url}/api/user`)).status()).toBe(401);
}, 120_000);

test("a workspace's files are deleted after the chosen time, and the envelope says so", async () => {
  const ada = await openRequestor(site, "keeper@example.com");
  const { page } = ada;
  const id = await completed(ada);
  await openFileDeletion(page);
  const section = regionOf(page, "File deletion");
  const choice = section.getByRole("button", {
    name: "Files of completed envelopes Keep until I delete them",
  });
  await choice.waitFor();
  expect(await violations(page)).toEqual([]);
  const choose = async (label: string) => {
    await section.getByRole("button", { name: /^Files of completed envelopes/ }).click();
    await page.getByRole("option", { name: label }).click();
  };
  const question = page.getByRole("alertdialog", { name: "Delete files after 30 days?" });
  await choose("30 days after completion");
  await question.getByText("Workspace: My Workspace").waitFor();
  await question
    .getByText(
      /^1 file of 1 completed envelope will be deleted on .*20\d\d\. Deleted files cannot be restored\.$/,
    )
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  await choice.waitFor();
  await waitForFocus(choice);
  const agree = async () => {
    await choose("30 days after completion");
    await question.getByRole("button", { name: "Delete after 30 days" }).click();
    await page.getByText("Retention updated", { exact: true }).first().waitFor();
    await question.waitFor({ state: "detached" });
    await section.getByText("Files are deleted 30 days after their envelope is completed.").waitFor();
  };
  await agree();
  await choose("365 days after completion");
  await section.getByText("Files are deleted 365 days after their envelope is completed.").waitFor();
  await agree();
  await choose("Keep until I delete them");
  await choice.waitFor();
  await agree();

  const details = async () => {
    await page.goto(`${site.url}/?envelope=${id}`);
    return page.getByRole("dialog");
  };
  await (await details()).getByText(/^These files will be deleted on /).waitFor();
  expect(await violations(page)).toEqual([]);
  try {
    // The jobs of the second minute send the notice that those of the first have queued.
    for (const days of [24, 24, 29.99, 31.01]) {
      ahead = days * DAY_MS;
      await page.request.post(`${site.url}/api/login`, {
        data: { email: ada.email, password: PASSWORD },
      });
      await runJobs();
    }
    const dialog = await details();
    await dialog.getByText(/^The files were deleted on /).waitFor();
    await dialog.getByText("contract.docx", { exact: true }).waitFor();
    expect(await dialog.getByRole("button", { name: /^(View|Download)/ }).count()).toBe(0);
    await dialog.getByText("Files deleted", { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await openFileDeletion(page);
    await choose("7 days after completion");
    await section.getByText("Files are deleted 7 days after their envelope is completed.").waitFor();
  } finally {
    ahead = 0;
  }
}, 120_000);

test("what is asked and said about the deletion of an envelope without files names its answers", async () => {
  const ada = await openRequestor(site, "asker@example.com");
  const { page } = ada;
  const { id, submissionToken, documents } = await ada.requestDocuments([
    { name: "Have you moved?", kind: "yesNo", required: true },
  ]);
  const answered = await page.request.post(`${site.url}/api/submissions/${submissionToken}/submit`, {
    data: { answers: { [String(documents[0]?.id)]: "no" } },
  });
  expect(answered.status()).toBe(201);

  await openFileDeletion(page);
  const section = regionOf(page, "File deletion");
  await section.getByRole("button", { name: /^Files of completed envelopes/ }).click();
  await page.getByRole("option", { name: "30 days after completion" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete answers after 30 days?" });
  await question.getByText(/^The answers of 1 completed envelope will be deleted, the first on /).waitFor();
  await question.getByRole("button", { name: "Delete after 30 days" }).click();
  await question.waitFor({ state: "detached" });

  await page.goto(`${site.url}/?envelope=${id}`);
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/^These answers will be deleted on /).waitFor();
  expect(await violations(page)).toEqual([]);
  try {
    for (const days of [24, 24, 29.99, 31.01]) {
      ahead = days * DAY_MS;
      await page.request.post(`${site.url}/api/login`, { data: { email: ada.email, password: PASSWORD } });
      await runJobs();
    }
    await page.goto(`${site.url}/?envelope=${id}`);
    await dialog.getByText(/^The answers were deleted on /).waitFor();
  } finally {
    ahead = 0;
  }
}, 120_000);

test("the timeline shows actors, and their addresses on demand", async () => {
  const ada = await openRequestor(site, "auditor@example.com");
  const id = await completed(ada);
  await ada.page.goto(`${site.url}/?envelope=${id}`);
  const item = (label: string) =>
    ada.page.getByRole("dialog").getByRole("listitem").filter({ hasText: label }).first();
  for (const [event, actor] of [
    ["Created", "You"],
    ["Completed", "Recipient"],
  ] as const) {
    await item(event).getByText(actor, { exact: true }).click();
    await item(event).getByText("127.0.0.1", { exact: true }).waitFor();
  }
  expect(await violations(ada.page)).toEqual([]);
}, 120_000);

test("the account's data is downloaded as one archive", async () => {
  const ada = await openRequestor(site, "mover@example.com");
  const id = await completed(ada);
  await openSettings(ada.page, "data");
  const coming = ada.page.waitForEvent("download");
  await regionOf(ada.page, "Your data").getByRole("link", { name: "Download my data" }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^doculopes-\d{4}-\d\d-\d\d\.zip$/);
  const files = readZip(await Bun.file(await download.path()).bytes());
  const data = JSON.parse(new TextDecoder().decode(files.get("data.json")));
  const [envelope] = data.envelopes;
  expect([envelope.id, data.account.email]).toEqual([id, ada.email]);
  const sent = await docxFile("contract.docx").bytes();
  expect(Buffer.from(sent).equals(files.get(envelope.submissions[0].file) ?? Buffer.of())).toBe(true);
}, 120_000);
