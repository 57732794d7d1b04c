import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { CONTRACT, openRequestor } from "../support/browser/submit-page";

const site = setUpTestSite();

const accountZone = async (page: Page) =>
  (await (await page.request.get(`${site.url}/api/user`)).json()).timeZone;

/** The zone is saved in the background. */
async function waitForZone(page: Page, timeZone: string): Promise<void> {
  while ((await accountZone(page)) !== timeZone) await page.waitForTimeout(30);
}

test("an account uses the zone of its first browser, also in another, and can change it in Settings", async () => {
  const email = `zone-${crypto.randomUUID()}@example.com`;
  const { page } = await site.signUp(email, { timezoneId: "America/Los_Angeles" });
  await waitForZone(page, "America/Los_Angeles");
  const { page: travelling } = await site.visit("/auth", { timezoneId: "Asia/Tokyo" });
  await travelling.getByLabel("Email").fill(email);
  await travelling.getByLabel("Password", { exact: true }).fill("correct horse");
  await travelling.getByRole("button", { name: "Sign In", exact: true }).click();
  await travelling.waitForURL(`${site.url}/`);
  await travelling.goto(`${site.url}/profile`);
  const zone = travelling.getByLabel("Time zone", { exact: true });
  expect(await zone.inputValue()).toBe("America/Los_Angeles");
  await travelling.getByText("between 9 and 10 in the morning (Pacific Time)").waitFor();
  expect(await violations(travelling)).toEqual([]);
  await travelling.getByRole("button", { name: "Use this device's time zone: Tokyo" }).click();
  await travelling.getByText("between 9 and 10 in the morning (Japan Standard Time)").waitFor();
  await waitForZone(page, "Asia/Tokyo");
  expect(await zone.inputValue()).toBe("Asia/Tokyo");
  await zone.selectOption({ label: "Berlin" });
  await travelling.getByText("between 9 and 10 in the morning (Central European Time)").waitFor();
  await waitForZone(page, "Europe/Berlin");
}, 120_000);

test("the zone is shown only if the recipient's clock shows another time", async () => {
  const requestor = await openRequestor(site, `asks-${crypto.randomUUID()}@example.com`, {
    timezoneId: "Europe/Berlin",
  });
  await requestor.page.goto(site.url);
  await waitForZone(requestor.page, "Europe/Berlin");
  const { submissionToken } = await requestor.requestDocuments([CONTRACT], { expirationDate: "2098-11-30" });
  const open = async (timezoneId: string) => {
    const { page } = await site.visit(`/submit/${submissionToken}`, { timezoneId });
    return page.getByText(/^Link works until/).textContent();
  };
  const named = "Link works until 30 November 2098, end of day (Central European Time)";
  expect(await open("America/New_York")).toBe(named);
  expect(await open("Europe/Paris")).toBe("Link works until 30 November 2098");
  await requestor.page.reload();
  await requestor.page.getByText("link works until 30 Nov 2098", { exact: false }).waitFor();
  expect(await requestor.page.getByText("Central European Time").count()).toBe(0);
}, 120_000);

test("the wizard offers the days of the account's zone, and says which one it is", async () => {
  const { page } = await site.signUp(`wizard-${crypto.randomUUID()}@example.com`, {
    timezoneId: "Pacific/Kiritimati",
  });
  await waitForZone(page, "Pacific/Kiritimati");
  await page.goto(`${site.url}/?wizard=new`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Recipient Name").fill("Rita");
  await dialog.getByLabel("Recipient Email").fill("rita@example.com");
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByLabel("Subject").fill("Papers");
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByLabel("Document Name").fill("Contract");
  await dialog.getByRole("button", { name: "Next" }).click();
  const date = dialog.getByLabel(/Expir/);
  const today = await page.evaluate(() =>
    new Intl.DateTimeFormat("sv-SE", { timeZone: "Pacific/Kiritimati" }).format(new Date()),
  );
  expect(await date.getAttribute("min")).toBe(today);
  await dialog.getByText("until the end of that day (Line Islands Time)", { exact: false }).waitFor();
}, 120_000);
