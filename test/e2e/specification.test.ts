import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Visitor } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { choose, enterInformation, openLink, openRequestor } from "../support/browser/submit-page";
import { pdfFile } from "../support/files/files";

const site = setUpTestSite();

const seen = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

/** Breaks the connection of every request to the path while `act` runs; the browser logs that, as it should. */
async function broken({ page, problems }: Visitor, path: string, act: () => Promise<void>): Promise<void> {
  await page.route(`**${path}`, (route) => route.abort());
  await act();
  await page.unroute(`**${path}`);
  const others = problems.filter((problem) => !problem.includes("net::ERR_FAILED"));
  problems.splice(0, problems.length, ...others);
}

/** Delays responses to the path until `release` is called. */
async function delayResponses(page: Page, path: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**${path}`, async (route) => {
    await promise;
    await route.continue();
  });
  return { release: resolve };
}

test("the page shows that the user is loading", async () => {
  const { page } = await site.signUp("loading@example.com");
  const user = await delayResponses(page, "/api/user");
  await page.reload({ waitUntil: "commit" });
  await seen(page, "Loading...");
  user.release();
  await page.getByRole("heading", { level: 1 }).waitFor();
});

test("failures have the titles of the specification", async () => {
  const visitor = await site.openAccount("failing@example.com");
  const { page } = visitor;
  const { id } = await page.request
    .post(`${site.url}/api/contacts`, { data: { firstName: "Grace" } })
    .then((response) => response.json());
  await page.request.post(`${site.url}/api/requests`, { data: { isDraft: true, subject: "Unsent" } });

  await page.goto(`${site.url}/contacts`);
  await page.getByRole("button", { name: /^Delete.*Grace/ }).click();
  await broken(visitor, `/api/contacts/${id}`, async () => {
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: /^Delete/ })
      .click();
    await seen(page, "Delete failed");
    await page.getByText("Failed to delete contact").first().waitFor();
  });
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Create Workspace" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Lost");
  await broken(visitor, "/api/workspaces", async () => {
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    await seen(page, "Error");
    await page.getByText("Failed to create workspace").first().waitFor();
  });
  await page.goto(site.url);

  await broken(visitor, "/api/logout", async () => {
    await page.getByRole("button", { name: "Sign Out" }).click();
    await seen(page, "Logout failed");
  });
}, 120_000);

test("a failed save of an envelope names the action", async () => {
  const visitor = await site.signUp("unsaved@example.com");
  const { page } = visitor;
  const fill = async () => {
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Recipient Name").fill("Grace Hopper");
    await dialog.getByLabel("Recipient Email").fill("grace@example.com");
    await dialog.getByRole("button", { name: "Next" }).click();
    await dialog.getByLabel("Subject").fill("Papers");
    await dialog.getByRole("button", { name: "Next" }).click();
    await dialog.getByLabel("Document Name").fill("Contract");
    await dialog.getByRole("button", { name: "Next" }).click();
  };
  await page.getByRole("button", { name: "New Envelope" }).click();
  await fill();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /^Reminder Frequency/ }).click();
  for (const name of ["None", "Daily", "Weekly", "Monthly"])
    await page.getByRole("option", { name, exact: true }).waitFor();
  await page.getByRole("option", { name: "Daily", exact: true }).click();
  await broken(visitor, "/api/requests", async () => {
    await dialog.getByRole("button", { name: "Create Envelope" }).click();
    await seen(page, "Failed to create envelope");
  });
  await dialog.getByRole("button", { name: "Save as Draft" }).click();
  await seen(page, "Draft saved");
  await dialog.waitFor({ state: "detached" });

  await page
    .getByRole("button", { name: /^Edit/ })
    .or(page.getByRole("link", { name: /^Edit/ }))
    .first()
    .click();
  await page.getByRole("dialog", { name: "Edit Envelope" }).waitFor();
  for (const _ of ["Message", "Documents", "Settings"])
    await dialog.getByRole("button", { name: "Next" }).click();
  await broken(visitor, "/api/requests/*", async () => {
    await dialog.getByRole("button", { name: "Update Envelope" }).click();
    await seen(page, "Failed to update envelope");
  });
}, 120_000);

test("the wizard offers every country code of the specification", async () => {
  const { page } = await site.openAccount("codes@example.com");
  await page.goto(`${site.url}/?wizard=new`);
  await page.getByRole("button", { name: /^Country Code/ }).click();
  const countries = {
    "+1": "United States/Canada",
    "+44": "United Kingdom",
    "+61": "Australia",
    "+33": "France",
    "+49": "Germany",
    "+81": "Japan",
    "+86": "China",
    "+91": "India",
  };
  await page.getByRole("option").first().waitFor();
  const offered = await page.getByRole("listbox").getByRole("option").allInnerTexts();
  expect(offered.map((text) => text.replace(/\s+/g, " ").trim())).toEqual(
    Object.entries(countries).map(([code, country]) => `${code} ${country}`),
  );
});

test("a file's details have its size in a fitting unit, and say what is unknown", async () => {
  const ada = await openRequestor(site, "units@example.com");
  const envelope = await ada.requestDocuments([{ name: "Contract" }]);
  const { page } = await openLink(site, envelope);
  await enterInformation(page);
  await choose(page, "Contract", pdfFile("contract.pdf", "x".repeat(3000)));
  await page.getByRole("button", { name: "Next" }).click();
  const sending = await delayResponses(page, `/api/submissions/${envelope.submissionToken}`);
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByRole("button", { name: "Uploading..." }).waitFor();
  sending.release();
  await seen(page, "Documents Submitted Successfully");
  await seen(page, "Your documents have been uploaded and the requestor has been notified.");

  const owner = ada.page;
  await owner.route(/\/api\/requests/, async (route) => {
    const response = await route.fetch();
    const unknown = (await response.text()).replaceAll(/"completedAt":"[^"]+"/g, '"completedAt":null');
    await route.fulfill({ response, body: unknown });
  });
  await owner.goto(`${site.url}/?envelope=${envelope.id}`);
  await owner
    .getByRole("button", { name: /^View/ })
    .or(owner.getByRole("link", { name: /^View/ }))
    .first()
    .click();
  await owner
    .getByText(/\d KB$/)
    .first()
    .waitFor();
  await seen(owner, "Not available");
}, 120_000);

test("a required file that another device removed is reported as missing when the rest is submitted", async () => {
  const ada = await openRequestor(site, "gone@example.com");
  const envelope = await ada.requestDocuments([{ name: "Contract", required: true }]);
  const { page } = await openLink(site, envelope);
  await enterInformation(page);
  await choose(page, "Contract", pdfFile());
  await seen(page, "Uploaded");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Review & Submit" }).waitFor();
  const link = `${site.url}/api/submissions/${envelope.submissionToken}`;
  const { documents } = await (await fetch(link)).json();
  const upload = `${link}/uploads/${documents[0].files[0].id}`;
  await fetch(upload, { method: "DELETE", headers: { "Tus-Resumable": "1.0.0" } });
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await seen(page, "Missing Required Documents");
  await seen(page, "Please upload all required documents before submitting.");
}, 120_000);
