import { expect, test } from "bun:test";
import type { Page, Response } from "playwright-core";
import { seedLoad } from "../../worker/cli/seed/load";
import type { Dependencies } from "../../worker/dependencies";
import { startBunSite, waitUntilLoaded } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

/* Lists of which the browser holds a part. */

let deps: Dependencies;
const site = setUpTestSite(async () => {
  const server = await startBunSite();
  deps = server.deps;
  return server;
});

const COUNT = 2500;
const KB = 1024;
const MB = 1024 * KB;

/** An account with envelopes "Documents for file 1" (the oldest) to the last one, on the home page once it is quiet. */
async function account(address: string, { busy = false } = {}) {
  const { page } = await site.openAccount(address);
  const read = async (path: string) => (await page.request.get(`${site.url}/api/${path}`)).json();
  const [{ id: userId }, [{ id: workspaceId }]] = [await read("user"), await read("workspaces")];
  await seedLoad(deps.db, { userId, workspaceId }, COUNT, new Date());
  const lists: Response[] = [];
  page.on("response", (response) => {
    if (response.url().includes("/api/requests")) lists.push(response);
  });
  // As on a busy device, where rows may come before a render that says they are being read.
  if (busy)
    await page.addInitScript(() => {
      const start = window.setTimeout;
      window.setTimeout = ((run: TimerHandler, ms: number) => start(run, ms || 200)) as typeof setTimeout;
    });
  await page.goto(`${site.url}/`);
  await waitUntilLoaded(page);
  const file = (number: number) =>
    page.getByRole("link", { name: `Documents for file ${number}`, exact: true });
  const rowCount = (count: number) => page.locator(`table[aria-rowcount='${count + 1}']`).waitFor();
  return { page, lists, file, rowCount };
}

const scrollTo = (page: Page, part: number) =>
  page.evaluate((part) => window.scrollTo(0, document.documentElement.scrollHeight * part), part);

const selected = (page: Page, text: string) =>
  page.getByText(text, { exact: true }).locator("visible=true").first().waitFor();

test("home with thousands of envelopes makes three calls, and reads on as it is scrolled", async () => {
  const { page, lists, file, rowCount } = await account("scroll@example.com", { busy: true });
  await file(COUNT).waitFor();
  await rowCount(COUNT);
  await page.getByRole("tab", { name: "All 2,500" }).waitFor();
  await page.getByRole("tab", { name: "Drafts 416" }).waitFor();
  const paths = lists.map((response) =>
    response
      .url()
      .slice(site.url.length)
      .replace(/workspaceId=\d+/, ""),
  );
  expect(paths.toSorted()).toEqual([
    "/api/requests/bulk?",
    "/api/requests?&view=row&limit=1&counts=1",
    "/api/requests?&view=row&limit=100",
  ]);
  const bodies = await Promise.all(lists.map((response) => response.body()));
  expect(bodies.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(120 * KB);

  await scrollTo(page, 0.03);
  await file(COUNT - 70).waitFor();
  expect(await page.locator("tr[aria-busy]").count()).toBe(0);
  // Far down, rows are grey until they are read.
  const held = Promise.withResolvers<void>();
  await page.route("**/api/requests?*cursor=*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await scrollTo(page, 0.8);
  await page.locator("tr[aria-busy]").first().waitFor();
  expect(await page.locator("tbody a").count()).toBe(0);
  held.resolve();
  await file(500).waitFor();
  await scrollTo(page, 1);
  await file(1).waitFor();
  await page.locator(`tr[aria-rowindex='${COUNT + 1}']`).waitFor();

  const network = await page.context().newCDPSession(page);
  await network.send("HeapProfiler.collectGarbage");
  const { usedSize } = await network.send("Runtime.getHeapUsage");
  expect(usedSize).toBeLessThan(40 * MB);
}, 120_000);

test("the server filters, sorts and counts a long list, while the rows before stay", async () => {
  const { page, file, rowCount } = await account("find@example.com");
  const filter = page.getByPlaceholder("Filter Doculopes...");
  const held = Promise.withResolvers<void>();
  await page.route(
    "**/api/requests?*filter=*",
    async (route) => {
      await held.promise;
      await route.continue();
    },
    { times: 1 },
  );
  const asked = page.waitForRequest(/filter=/);
  // Not key by key: on a slow machine, the pause between two keys is long enough for a call.
  await filter.fill("FILE 249");
  expect(new URL((await asked).url()).searchParams.get("filter")).toBe("FILE 249");
  expect(await file(COUNT).count()).toBe(1);
  held.resolve();
  await rowCount(11);
  await file(249).waitFor();
  await page.getByRole("tab", { name: "All 11" }).waitFor();
  await page.getByRole("tab", { name: "Waiting 7" }).click();
  await rowCount(7);
  await page.getByRole("button", { name: "Subject" }).click();
  const subjects = () => page.locator("tbody a").allInnerTexts();
  const waiting = [249, 2490, 2491, 2493, 2496, 2497, 2499];
  await page.waitForURL(/sort=subject/);
  await waitUntilLoaded(page);
  expect(await subjects()).toEqual(waiting.map((number) => `Documents for file ${number}`));
  await page.reload();
  await rowCount(7);
  await page.goBack();
  await rowCount(11);

  await page.goto(`${site.url}/?sort=subject`);
  await file(1).waitFor();
}, 120_000);

test("a reload of a long list, and the way back to contacts, find the page where it was", async () => {
  const { page, file, rowCount } = await account("place@example.com");
  await rowCount(COUNT);
  const scrolled = () => page.evaluate(() => window.scrollY);
  const isAt = (place: number) => page.waitForFunction((place) => window.scrollY === place, place);
  await scrollTo(page, 0.5);
  // The router only knows where the page is once it was told of the scrolling, as the rows are.
  await file(COUNT / 2).waitFor();
  const place = await scrolled();
  expect(place).toBeGreaterThan(50_000);
  await page.reload();
  await isAt(place);
  await page.getByRole("link", { name: "Contacts", exact: true }).click();
  const contact = page.getByRole("link", { name: "Recipient 1", exact: true });
  await contact.scrollIntoViewIfNeeded();
  const before = await scrolled();
  expect(before).toBeGreaterThan(1000);
  await contact.click();
  await page.waitForURL(/contacts\/\d/);
  await page.getByRole("heading", { name: "Recipient 1", exact: true }).waitFor();
  await page.goBack();
  await contact.waitFor();
  await isAt(before);
}, 120_000);

test("all that a list finds is selected, up to 1,000; a deleted row goes at once", async () => {
  const { page, file, rowCount } = await account("many@example.com");
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await selected(page, "The first 1,000 of 2,500 selected");
  await page.getByRole("button", { name: /^Delete \d/ }).click();
  await page.getByRole("alertdialog", { name: "Delete 1,000 envelopes?" }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await page
    .getByText("selected", { exact: false })
    .locator("visible=true")
    .first()
    .waitFor({ state: "detached" });
  await page.getByRole("tab", { name: "Drafts" }).click();
  await rowCount(416);
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await selected(page, "416 selected");
  await page.keyboard.press("Escape");

  const held = Promise.withResolvers<void>();
  await page.route("**/api/requests?*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Delete Documents for file 2495" }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: /^Delete/ })
    .click();
  await file(2495).waitFor({ state: "detached" });
  held.resolve();
  await rowCount(415);
  await page.getByRole("tab", { name: "All 2,499" }).waitFor();
}, 120_000);

test("contacts are read on as they are scrolled, in the cards and in the picker's search", async () => {
  const { page } = await site.openAccount("contacts@example.com");
  const contacts = Array.from({ length: 150 }, (_, index) => ({
    ...{ firstName: `Person ${index + 1}`, company: "Acme", email: `person${index + 1}@example.com` },
  }));
  const made = await page.request.post(`${site.url}/api/contacts/bulk`, {
    data: { contacts, match: "none" },
  });
  expect(made.status(), await made.text()).toBe(201);
  await page.goto(`${site.url}/contacts?sortBy=name`);
  const names = page.getByRole("heading", { level: 2 });
  await names.nth(99).waitFor();
  await scrollTo(page, 1);
  await names.nth(149).waitFor();
  await page.goto(`${site.url}/?wizard=new`);
  await page.getByRole("button", { name: "Choose a contact" }).click();
  await page.getByRole("combobox", { name: "Search contacts" }).fill("149");
  await page.getByRole("option", { name: /Person 149/ }).click();
  expect(await page.getByLabel("Recipient Email").inputValue()).toBe("person149@example.com");
}, 120_000);
