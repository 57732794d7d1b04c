import { expect, test } from "bun:test";
import { announceFileDeletions } from "../../worker/jobs/retention";
import { ENVELOPE, form, linkOf } from "../support/api/envelopes";
import { PHONE, startBunSite, violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { pdfFile } from "../support/files/files";
import { createMemoryMailer } from "../support/memory/memory-mailer";

let announce: () => Promise<void>;
const site = setUpTestSite(async () => {
  const server = await startBunSite({ mailer: Object.assign(createMemoryMailer(), { localOnly: true }) });
  announce = () => announceFileDeletions(server.deps);
  return server;
});

test("without a mail server, home shows which files will be deleted, and the notice period begins then", async () => {
  const { page } = await site.signUp("notice@example.com", PHONE);
  const call = async (method: "GET" | "POST" | "PATCH", path: string, data?: object) => {
    const response = await page.request.fetch(`${site.url}/api${path}`, { method, data });
    expect(response.ok(), await response.text()).toBe(true);
    return response.json();
  };
  const [{ id }] = await call("GET", "/workspaces");
  const sent = await call("POST", "/requests", ENVELOPE);
  await fetch(site.url + linkOf(sent), { method: "POST", body: form({ Contract: pdfFile() }) });
  await call("PATCH", `/workspaces/${id}`, { retentionDays: 7 });
  await announce();
  expect(await call("GET", "/workspaces/deletion-notices")).toMatchObject([{ envelopes: 1, unseen: true }]);

  const shown = page.waitForResponse((response) => response.url().endsWith("/deletion-notice"));
  await page.reload();
  expect((await shown).status()).toBe(204);
  expect(await call("GET", "/workspaces/deletion-notices")).toMatchObject([{ unseen: false }]);
  const notice = page.getByText(/^The files of 1 envelope in My Workspace will be deleted from /);
  await notice.waitFor();
  expect(await violations(page)).toEqual([]);

  await call("PATCH", `/workspaces/${id}`, { retentionDays: null });
  await page.reload();
  await page.getByRole("row").nth(1).waitFor();
  expect(await notice.count()).toBe(0);
}, 120_000);
