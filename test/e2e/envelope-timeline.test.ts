import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { DAY_MS } from "../../worker/lib/durations";
import { DeliveryError } from "../../worker/ports/mailer";
import { PHONE, startBunSite, violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import {
  CONTRACT,
  choose,
  enterInformation,
  openRequestor,
  type Requestor,
} from "../support/browser/submit-page";
import { docxFile } from "../support/files/files";
import { createMemoryMailer } from "../support/memory/memory-mailer";
import { waitFor } from "../support/wait";

const REASON = "550 5.1.1 No such user here";

/** The offset of the server's clock. */
let ahead = 0;
const site = setUpTestSite(() => {
  const memory = createMemoryMailer();
  const mailer = {
    ...memory,
    async send(mail: Parameters<typeof memory.send>[0]) {
      if (mail.to.startsWith("nobody@")) throw new DeliveryError(REASON, { permanent: true });
      await memory.send(mail);
    },
  };
  return startBunSite({ clock: { now: () => new Date(Date.now() + ahead) }, mailer });
});

const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** The envelope's details, with the timeline. */
async function open(page: Page, id: number): Promise<{ dialog: Locator; timeline: Locator }> {
  await page.goto(`${site.url}/?envelope=${id}`);
  const dialog = page.getByRole("dialog");
  const heading = page.getByRole("heading", { name: "Timeline", exact: true });
  return { dialog, timeline: dialog.locator("section").filter({ has: heading }) };
}

const untilInTimeline = (ada: Requestor, id: number, kind: string) =>
  waitFor(`${kind} in the timeline`, async () => {
    const response = await ada.page.request.get(`${site.url}/api/requests/${id}/timeline`);
    const entries: { kind: string; message?: string; status?: string }[] = await response.json();
    return entries.some((entry) => entry.kind === kind || `${entry.message} ${entry.status}` === kind);
  });

/** Waits until the pressed button was removed without losing the focus. */
const untilFocusMoved = (page: Page) =>
  page.waitForFunction(() => document.activeElement?.closest("[role=dialog]"));

/** The label of each timeline entry, in order. */
const labels = (timeline: Locator) =>
  timeline
    .getByRole("listitem")
    .evaluateAll((items) => items.map((item) => item.querySelector("p")?.textContent));

test("the timeline shows an envelope from its creation to the download", async () => {
  const ada = await openRequestor(site, "ada@example.com");
  const { id, submissionToken } = await ada.requestDocuments([CONTRACT]);
  await untilInTimeline(ada, id, "invitation sent");
  const { page: recipient } = await site.visit(`/submit/${submissionToken}`, PHONE);
  await recipient.getByLabel("Name", { exact: true }).waitFor();
  await recipient.mouse.move(5, 5);
  expect((await (await ada.page.request.get(`${site.url}/api/requests/${id}/timeline`)).json()).length).toBe(
    3,
  );
  await enterInformation(recipient);
  await untilInTimeline(ada, id, "opened");
  await choose(recipient, CONTRACT.name, docxFile("contract.docx"));
  await recipient.getByRole("button", { name: "Next" }).click();
  await recipient.getByRole("button", { name: "Submit" }).click();
  await recipient.getByText("Documents Submitted Successfully").first().waitFor();
  await untilInTimeline(ada, id, "receipt sent");

  const { dialog, timeline } = await open(ada.page, id);
  await timeline.getByText("2 messages").waitFor();
  expect(await labels(timeline)).toEqual(["Completed", "Opened by the recipient", "Sent", "Created"]);
  await timeline.getByText("just now").first().waitFor();
  const address = timeline.getByText("127.0.0.1", { exact: true });
  expect(await address.first().isVisible()).toBe(false);
  for (const summary of await timeline.locator("summary").all()) await summary.click();
  await address.first().waitFor();
  await timeline.getByText("Receipt for the recipient").waitFor();
  expect(await labels(timeline)).toEqual([
    ...["Completed", "You were notified", "Receipt for the recipient"],
    ...["Opened by the recipient", "Sent", "Invitation", "Created"],
  ]);
  for (const word of ["Created", "Completed"])
    expect(await timeline.getByText(word, { exact: true }).count()).toBe(1);
  expect(await timeline.locator("time").first().getAttribute("title")).toContain(
    String(new Date().getFullYear()),
  );
  expect(await timeline.getByRole("button").count()).toBe(0);
  expect(await violations(ada.page)).toEqual([]);

  const download = ada.page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download Signed contract" }).click();
  await (await download).path();
  await timeline.getByText("Downloaded", { exact: true }).waitFor();
}, 120_000);

test("a failed message says why, and is resent after the address is corrected", async () => {
  const ada = await openRequestor(site, "grace@example.com");
  const { id } = await ada.requestDocuments([CONTRACT], { recipientEmail: "nobody@example.com" });
  await untilInTimeline(ada, id, "invitation failed");
  const { dialog, timeline } = await open(ada.page, id);
  await timeline.getByText("Could not be delivered.").waitFor();
  await timeline.getByText("The message was rejected. Please check the address.").waitFor();
  expect(await violations(ada.page)).toEqual([]);
  await dialog.getByRole("button", { name: "Remind", exact: true }).click();
  const reminder = ada.page.getByRole("dialog", { name: /^Remind / });
  await reminder.getByText("The last message did not reach the recipient.", { exact: false }).waitFor();
  await reminder.getByRole("button", { name: "Cancel" }).click();

  await timeline.getByRole("button", { name: "Send again to nobody@example.com" }).click();
  await ada.page.getByText("The message is being sent", { exact: true }).waitFor();
  await untilFocusMoved(ada.page);
  await timeline.getByText("Could not be delivered.").waitFor();

  await timeline.getByRole("button", { name: "Correct the address" }).click();
  const wizard = ada.page.getByRole("dialog", { name: "Edit Envelope" });
  await wizard.getByLabel("Recipient Email").fill("somebody@example.com");
  for (let step = 0; step < 3; step += 1) await wizard.getByRole("button", { name: "Next" }).click();
  await wizard.getByRole("button", { name: "Update Envelope" }).click();
  await ada.page.getByText("Envelope updated", { exact: true }).waitFor();
  await untilInTimeline(ada, id, "invitation sent");
  await open(ada.page, id);
  await dialog.getByText("somebody@example.com").first().waitFor();
  await timeline.getByText("Updated", { exact: true }).waitFor();
  expect(await timeline.getByRole("button", { name: "Correct the address" }).count()).toBe(0);
}, 120_000);

test("a recipient can be reminded from the details, and at most once an hour", async () => {
  const ada = await openRequestor(site, "mary@example.com");
  const { id } = await ada.requestDocuments([CONTRACT]);
  const { dialog, timeline } = await open(ada.page, id);
  await dialog.getByRole("button", { name: "Remind", exact: true }).click();
  await ada.page.getByRole("button", { name: "Send reminder" }).click();
  await ada.page.getByText("The reminder is being sent", { exact: true }).waitFor();
  await timeline.getByText("Reminder", { exact: true }).waitFor({ state: "attached" });
  await dialog.getByRole("button", { name: "Remind", exact: true }).click();
  await ada.page.getByText("The recipient was reminded less than an hour ago").first().waitFor();
  expect(await ada.page.getByRole("button", { name: "Send reminder" }).isDisabled()).toBe(true);
  await ada.page.keyboard.press("Escape");
  await timeline.getByText("Reminded", { exact: true }).waitFor();
  expect(await timeline.getByText("Reminder", { exact: true }).count()).toBe(1);
}, 120_000);

test("a new link is sent, after which the one before says so", async () => {
  const ada = await openRequestor(site, "linking@example.com");
  const { id, submissionToken } = await ada.requestDocuments([CONTRACT]);
  const { dialog, timeline } = await open(ada.page, id);
  await dialog.getByRole("button", { name: "More actions" }).click();
  expect(await violations(ada.page)).toEqual([]);
  await ada.page.getByRole("menuitem", { name: "New link" }).click();
  const question = ada.page.getByRole("alertdialog", { name: "Send a new link?" });
  expect(await violations(ada.page)).toEqual([]);
  await question.getByRole("button", { name: "Send new link" }).click();
  await ada.page.getByText("New link sent", { exact: true }).waitFor();
  await timeline.getByText("Link replaced", { exact: true }).waitFor();
  expect(await dialog.getByText(submissionToken).count()).toBe(0);
  const { page, expectStatus } = await site.visit("/robots.txt");
  expectStatus(404, 410);
  await page.goto(`${site.url}/submit/${submissionToken}`);
  await page.getByRole("heading", { level: 1, name: "Invalid Submission Link" }).waitFor();
  await page.getByText("This link was replaced. A newer message has the new link.").waitFor();
}, 120_000);

test("an expired envelope is extended, and its link works again", async () => {
  const ada = await openRequestor(site, "joan@example.com");
  ahead = -9 * DAY_MS;
  const { id, submissionToken } = await ada.requestDocuments([CONTRACT], { expirationDate: dayFromNow(-5) });
  ahead = 0;
  const { dialog, timeline } = await open(ada.page, id);
  await timeline.getByText("Expired", { exact: true }).waitFor();
  expect(await dialog.getByRole("button", { name: "Remind", exact: true }).count()).toBe(0);
  expect(await violations(ada.page)).toEqual([]);
  const day = dialog.getByLabel("Link works until");
  await dialog.getByRole("button", { name: "Extend" }).click();
  await dialog.getByText("Please choose a day").waitFor();
  await day.fill(dayFromNow(-1));
  await dialog.getByText("The date cannot be in the past").waitFor();
  expect(await violations(ada.page)).toEqual([]);
  await day.fill(dayFromNow(20));
  await dialog.getByRole("button", { name: "Extend" }).click();
  await ada.page.getByText("Envelope extended", { exact: true }).waitFor();
  await timeline.getByText("Extended", { exact: true }).waitFor();
  await day.waitFor({ state: "detached" });
  await untilFocusMoved(ada.page);
  const { page: recipient } = await site.visit(`/submit/${submissionToken}`);
  await recipient.getByLabel("Name", { exact: true }).waitFor();
}, 120_000);

test("a long timeline is collapsed, and one that fails to load says so", async () => {
  const ada = await openRequestor(site, "emmy@example.com", { statuses: [500] });
  const { id, updatedAt: _read, ...envelope } = await ada.requestDocuments([CONTRACT]);
  for (let change = 0; change < 10; change += 1)
    await ada.page.request.put(`${site.url}/api/requests/${id}`, { data: envelope });
  await ada.page.route("**/timeline", (route) => route.fulfill({ status: 500, json: {} }));
  const { timeline } = await open(ada.page, id);
  await timeline.getByText("The timeline could not be loaded").waitFor();
  await timeline.getByText("Created", { exact: true }).waitFor();
  expect(await violations(ada.page)).toEqual([]);
  await ada.page.unroute("**/timeline");
  await timeline.getByRole("button", { name: "Try again" }).click();
  await timeline.getByRole("button", { name: /^Show \d+ more$/ }).click();
  expect(await timeline.getByText("Updated", { exact: true }).count()).toBe(10);
  await untilFocusMoved(ada.page);
}, 120_000);
