import { afterAll, afterEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { scanQuarantinedFiles } from "../../worker/jobs/quarantined-files";
import { PHONE, startBunSite, violations } from "../support/browser/browser";
import { setUpRequestor } from "../support/browser/site-set-up";
import { CONTRACT, choose, enterInformation, openLink, PASSPORT } from "../support/browser/submit-page";
import { infectedFile, jpegFile, pdfFile } from "../support/files/files";
import { type ClamdServer, startClamdServer } from "../support/servers/clamd-server";
import { waitFor } from "../support/wait";

let clamd: ClamdServer;
let server: Awaited<ReturnType<typeof startBunSite>>;
/** How far the server's clock is ahead. */
let ahead = 0;
const { site, requestor: ada } = setUpRequestor("ada@example.com", async () => {
  clamd = await startClamdServer();
  server = await startBunSite({
    clamavUrl: clamd.url,
    clock: { now: () => new Date(Date.now() + ahead) },
  });
  return server;
});
afterEach(() => clamd.misbehave(undefined));
afterAll(() => clamd.stop());

async function submit(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Review & Submit" }).waitFor();
  await page.getByRole("button", { name: "Submit Documents" }).click();
}

test("a virus is reported at its document as soon as it is uploaded, and the other files stay", async () => {
  const envelope = await ada.requestDocuments([PASSPORT, CONTRACT]);
  const { page } = await openLink(site, envelope, { ...PHONE, statuses: [400] });
  await enterInformation(page);
  await choose(page, "Passport", jpegFile("passport.jpg"));
  await choose(page, "Signed contract", infectedFile("contract.pdf"));
  const card = (name: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });
  const sentence = "A virus was found in “contract.pdf”. Please choose another file.";
  await card("Signed contract").getByText(sentence, { exact: true }).waitFor();
  const input = page.getByLabel("Signed contract", { exact: true });
  expect(await input.getAttribute("aria-invalid")).toBe("true");
  await card("Passport").getByText("passport.jpg", { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);

  await choose(page, "Signed contract", pdfFile("contract.pdf"));
  await page.getByText(sentence, { exact: true }).waitFor({ state: "detached" });
  await submit(page);
  await page.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();
  const { submissions } = await ada.readEnvelope(envelope.id);
  expect(submissions.map(({ fileName }) => fileName)).toEqual(["passport.jpg", "contract.pdf"]);
}, 120_000);

test("a requestor sees quarantined and removed files and can open neither", async () => {
  const envelope = await ada.requestDocuments([PASSPORT, CONTRACT]);
  const { page: recipient } = await openLink(site, envelope);
  await enterInformation(recipient);
  await clamd.stop();
  await choose(recipient, "Passport", jpegFile("passport.jpg"));
  await choose(recipient, "Signed contract", infectedFile("contract.pdf"));
  await submit(recipient);
  await recipient.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();

  const { page } = ada;
  await page.goto(`${site.url}/?envelope=${envelope.id}`);
  const dialog = page.getByRole("dialog");
  const file = (name: string) => dialog.getByRole("listitem").filter({ hasText: name }).last();
  for (const name of ["passport.jpg", "contract.pdf"]) {
    await file(name).getByText("Virus scan in progress", { exact: true }).waitFor();
    expect(await file(name).getByRole("button").count()).toBe(0);
  }
  expect(await violations(page)).toEqual([]);

  // As the schedule does every minute. Half a minute later the files are due again.
  await scanQuarantinedFiles(server.deps);
  await clamd.start();
  ahead = 60_000;
  await waitFor("a verdict on both files", async () => {
    await scanQuarantinedFiles(server.deps);
    const { submissions } = await ada.readEnvelope(envelope.id);
    return submissions.every(({ withheld }) => withheld !== "checking");
  });
  await page.reload();
  await file("contract.pdf").getByText("Removed: a virus was found", { exact: true }).waitFor();
  expect(await file("contract.pdf").getByRole("button").count()).toBe(0);
  await file("passport.jpg").getByRole("button", { name: "Download Passport" }).waitFor();
  const event = file("A virus was found and the file was removed");
  await event.getByText("Signed contract", { exact: true }).waitFor();
  await event.getByText("1 message").click();
  await file("You were notified of a virus").getByText(ada.email).waitFor();
  expect(await violations(page)).toEqual([]);
}, 120_000);
