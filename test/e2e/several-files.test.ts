import { expect, test } from "bun:test";
import { createClient } from "../support/api/client";
import { createTus } from "../support/api/tus";
import { violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { pdfFile } from "../support/files/files";

const site = setUpTestSite();

test("“Several files” is saved in templates and envelopes, and the details show uploads", async () => {
  const { page } = await site.openAccount("several@example.com");
  await page.goto(`${site.url}/templates?dialog=new`);
  const create = page.getByRole("dialog", { name: "Create Document Template" });
  await create.getByLabel("Template Name").fill("Identity");
  await create.getByLabel("Document Name").fill("Passport");
  const several = create.getByRole("switch", { name: "Several files" });
  expect(await several.getAttribute("aria-checked")).toBe("false");
  await several.click();
  await create.getByText("Up to 20 files", { exact: false }).waitFor();
  expect(await violations(page)).toEqual([]);
  await create.getByRole("button", { name: "Create Template" }).click();
  await page.getByText("Template created", { exact: true }).waitFor();

  await page.getByRole("button", { name: "Edit Identity" }).click();
  const edit = page.getByRole("dialog", { name: "Edit Document Template" });
  expect(await edit.getByRole("switch", { name: "Several files" }).getAttribute("aria-checked")).toBe("true");
  await edit.getByLabel("Template Name").fill("Identity 2");
  await edit.getByRole("button", { name: "Update Template" }).click();
  await page.getByText("Template updated", { exact: true }).waitFor();

  await page.getByRole("button", { name: "Use Template Identity 2" }).click();
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  const next = wizard.getByRole("button", { name: "Next" });
  await wizard.getByLabel("Recipient Name").fill("Ada");
  await wizard.getByLabel("Recipient Email").fill("ada@example.com");
  await next.click();
  await wizard.getByLabel("Subject").fill("Papers");
  await next.click();
  expect(await wizard.getByRole("switch", { name: "Several files" }).getAttribute("aria-checked")).toBe(
    "true",
  );
  await wizard.getByText("None of these is required.", { exact: false }).waitFor();
  await wizard.getByRole("switch", { name: "Required" }).click();
  await wizard.getByText("None of these is required.", { exact: false }).waitFor({ state: "detached" });
  await next.click();
  await wizard.getByRole("button", { name: "Create Envelope" }).click();
  await page.getByText("Envelope created", { exact: true }).waitFor();

  const [envelope] = await (await page.request.get(`${site.url}/api/requests`)).json();
  expect(envelope.documents[0]).toMatchObject({ name: "Passport", multiple: true, required: true });
  const tus = createTus({ anonymous: () => createClient({ fetch, origin: site.url }) }, envelope);
  await tus.upload(envelope.documents[0].id, pdfFile("front.pdf"));

  await page.goto(`${site.url}/?envelope=${envelope.id}`);
  const details = page.getByRole("dialog");
  await details.getByText("uploading, 1 of 1", { exact: false }).waitFor();
  await details.getByText(/ · Several files$/).waitFor();

  await page.goto(`${site.url}/?edit=${envelope.id}`);
  const change = page.getByRole("dialog", { name: "Edit Envelope" });
  for (const step of ["Subject", "Document Name", "Reminder"]) {
    await change.getByRole("button", { name: "Next" }).click();
    await change.getByLabel(step).first().waitFor();
  }
  await change.getByRole("button", { name: "Update Envelope" }).click();
  await page.getByText("Envelope updated", { exact: true }).waitFor();
  const [changed] = await (await page.request.get(`${site.url}/api/requests`)).json();
  expect(changed.documents[0]).toMatchObject({ id: envelope.documents[0].id, multiple: true });
}, 120_000);
