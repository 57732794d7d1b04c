import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { findUserByEmail, updateUser } from "../../db/queries/users";
import { startBunSite, violations, waitForFocus } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { CONTRACT, openRequestor, type Requestor } from "../support/browser/submit-page";
import { pdfFile } from "../support/files/files";
import { startCloudProviders } from "../support/servers/cloud";
import { MY_DRIVE, SITE_DRIVE } from "../support/servers/cloud/graph";
import { startWebdavServer, type WebdavServer } from "../support/servers/webdav-server";
import { waitFor } from "../support/wait";

const cloud = startCloudProviders();
let server: Awaited<ReturnType<typeof startBunSite>>;
const site = setUpTestSite(async () => {
  server = await startBunSite({ variables: { WEBHOOK_ALLOW_PRIVATE: "on", ...cloud.variables } });
  return server;
});
/** Of this attempt. */
let dav: WebdavServer;
beforeEach(() => {
  dav = startWebdavServer();
});
afterEach(() => dav.stop());
afterAll(() => cloud.stop());

/** Sends an envelope, and submits a file to it. */
async function submit({ page, requestDocuments }: Requestor, subject: string) {
  const envelope = await requestDocuments([{ name: "Married?", kind: "yesNo" }, CONTRACT], { subject });
  const buffer = Buffer.from(await pdfFile().arrayBuffer());
  const file = { name: "contract.pdf", mimeType: "application/pdf", buffer };
  const response = await page.request.post(`${site.url}/api/submissions/${envelope.submissionToken}`, {
    multipart: { [CONTRACT.name]: file },
  });
  expect(response.status()).toBe(201);
  return envelope;
}

test("a destination is added, gets what is submitted, is seen under the file, waits for new credentials, and is removed", async () => {
  // The wrong password is refused.
  const requestor = await openRequestor(site, "files@example.com", { statuses: [400] });
  const { page } = requestor;
  const { db } = server.deps;
  const account = await findUserByEmail(db, requestor.email);
  // Sees what the operator has not set up. The first account would be one, but not that of a second attempt.
  await updateUser(db, account?.id ?? 0, { isAdministrator: true });
  const earlier = await submit(requestor, "Papers");
  await page.goto(site.url);
  await page.getByRole("link", { name: "Integrations" }).click();
  const section = page.getByRole("region", { name: "File destinations" });
  await section.getByText("No destinations yet").waitFor();
  await section.getByRole("button", { name: "Add destination" }).press("Enter");
  const kinds = page.getByRole("dialog", { name: "Add destination" });
  await kinds.getByText("Not set up on this server. The operator sets DELIVERY_DIR.").waitFor();
  expect(await violations(page)).toEqual([]);
  await kinds.getByRole("button", { name: "WebDAV" }).press("Enter");

  const form = page.getByRole("dialog", { name: "Add destination: WebDAV" });
  await form.getByRole("button", { name: "Add destination" }).click();
  await form.getByText("Name is required").waitFor();
  expect(await form.getByText("This is required").count()).toBe(3);
  await form
    .getByText(
      `Charles Babbage › ${new Date().getFullYear()} › Papers › Signed contract - Charles Babbage.pdf`,
    )
    .waitFor();
  const rule = form.getByLabel("Folder of each envelope");
  await rule.fill("{nobody}");
  await form.getByText(/unknown placeholder/).waitFor();
  await rule.fill("");
  await form.getByRole("button", { name: "Recipient" }).click();
  await form.getByText("Charles Babbage › Signed contract - Charles Babbage.pdf").waitFor();
  expect(await violations(page)).toEqual([]);
  await form.getByLabel("Name", { exact: true }).fill("Nextcloud");
  await form.getByLabel("Address").fill(dav.url);
  await form.getByLabel("User name").fill("office");
  await form.getByLabel("Password").fill("wrong");
  await form.getByRole("button", { name: "Add destination" }).click();
  await form
    .getByRole("alert")
    .getByText(/^The destination does not accept these credentials/)
    .waitFor();
  await form.getByLabel("Password").fill("s:ecret ü");
  await form.getByRole("button", { name: "Add destination" }).click();
  await form.waitFor({ state: "detached" });
  const card = section.getByRole("listitem").filter({ hasText: "Nextcloud" });
  await card.getByText("Nothing delivered yet").waitFor();

  await card.getByRole("button", { name: "Deliver earlier files: Nextcloud" }).click();
  const backfill = page.getByRole("dialog", { name: "Deliver earlier files" });
  await backfill.getByText(/^1 file, /).waitFor();
  await backfill.getByRole("button", { name: "Deliver" }).click();
  await backfill.waitFor({ state: "detached" });
  await waitFor("the file", async () => dav.names().some((name) => name.endsWith(".pdf")) || undefined);
  await page.goto(`${site.url}/?envelope=${earlier.id}`);
  await page.getByRole("dialog").getByText("In Nextcloud: Charles Babbage", { exact: true }).waitFor();

  dav.respond = () => new Response(null, { status: 401 });
  await submit(requestor, "More papers");
  await waitFor("a delivery that the server has denied", async () => {
    const response = await page.request.get(`${site.url}/api/workspaces`);
    const [workspace] = (await response.json()) as { hasStoppedDestination?: boolean }[];
    return workspace?.hasStoppedDestination;
  });
  await page.goto(site.url);
  await page.getByText("Files are waiting to be delivered").waitFor();
  await page.getByRole("link", { name: "Open destinations" }).click();
  await card.getByText(/waiting: enter new credentials$/).waitFor();
  await section.getByText(/^Nextcloud no longer accepts the sign-in/).waitFor();
  expect(await violations(page)).toEqual([]);
  delete dav.respond;
  await card.getByRole("button", { name: "Test: Nextcloud" }).click();
  await card.getByText(/^It works/).waitFor();
  await waitFor(
    "both files",
    async () => dav.names().filter((name) => name.endsWith(".pdf")).length > 1 || undefined,
  );
  await card.getByRole("button", { name: "Log: Nextcloud" }).click();
  const log = page.getByRole("dialog", { name: "Deliveries" });
  await log.getByText("contract.pdf", { exact: true }).first().waitFor();
  expect(await violations(page)).toEqual([]);
  await page.goBack();
  await log.waitFor({ state: "detached" });

  await card.getByRole("button", { name: "Pause: Nextcloud" }).click();
  await card.getByText("Paused", { exact: true }).waitFor();
  await card.getByRole("button", { name: "Remove: Nextcloud" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove destination" }).click();
  await section.getByText("No destinations yet").waitFor();
  expect(dav.names().filter((name) => name.endsWith(".pdf"))).toHaveLength(2);
}, 120_000);

const { graph } = cloud;
const clients = graph.addFolder(MY_DRIVE, "Clients");
graph.addFolder(MY_DRIVE, "Abroad", clients.id);
for (let count = 0; count < 210; count += 1) graph.addFolder(MY_DRIVE, `Client ${count}`, clients.id);
const address = "https://contoso.sharepoint.com/sites/tax/Library";
graph.share(address, graph.addFolder(SITE_DRIVE, "Library").id);

test("a destination is connected at Microsoft, which leads back, and its folder is chosen by keyboard or by its address", async () => {
  const { page } = await site.openAccount("cloud@example.com", { statuses: [400] });
  // The person agrees at once: a page of the site asks nobody else for anything.
  await page.route("**/api/destinations/connect", async (route) => {
    const response = await route.fetch();
    const asked = new URL((await response.json()).url);
    const back = new URL(asked.searchParams.get("redirect_uri") ?? "");
    back.searchParams.set("state", asked.searchParams.get("state") ?? "");
    back.searchParams.set("code", graph.grants.agree(asked));
    await route.fulfill({ response, json: { url: back.href } });
  });
  await page.goto(`${site.url}/integrations?error=sign_in_failed`);
  await page.getByText("It could not be connected", { exact: true }).waitFor();
  await page.waitForURL(/\/integrations$/);
  await page.getByRole("button", { name: "Add destination" }).click();
  await page.getByRole("button", { name: /^OneDrive or SharePoint/ }).click();

  const form = page.getByRole("dialog", { name: "Choose folder" });
  await page.getByText("Connected", { exact: true }).waitFor();
  await page.waitForURL(/\/integrations$/);
  const folder = (name: string) => form.getByRole("treeitem", { name, exact: true });
  await folder("Clients").waitFor();
  await form.getByRole("button", { name: "Save Changes" }).click();
  await form.getByText("This is required").waitFor();
  await folder("Clients").focus();
  await page.keyboard.press("ArrowRight");
  await folder("Abroad").waitFor();
  expect(await folder("Client 205").count()).toBe(0);
  await folder("Show more").focus();
  await page.keyboard.press("Enter");
  await folder("Client 205").waitFor();
  await folder("Clients").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await form.getByText("Chosen: Abroad").waitFor();
  expect(await folder("Abroad").getAttribute("aria-selected")).toBe("true");
  await page.keyboard.press("ArrowLeft");
  await waitForFocus(folder("Clients"));
  expect(await violations(page)).toEqual([]);
  await form.getByLabel("Or the address of a SharePoint folder").fill("https://example.com/");
  await form.getByRole("button", { name: "Find" }).click();
  await form.getByText(/^There is no such folder/).waitFor();
  await form.getByLabel("Or the address of a SharePoint folder").fill(address);
  await form.getByRole("button", { name: "Find" }).click();
  await form.getByText("Chosen: Library").waitFor();
  await form.getByRole("button", { name: "Save Changes" }).click();
  await form.waitFor({ state: "detached" });
  const card = page.getByRole("region", { name: "File destinations" }).getByRole("listitem");
  await card.getByText("Library", { exact: true }).waitFor();
  await card.getByText("Nothing delivered yet").waitFor();
}, 120_000);
