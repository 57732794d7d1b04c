import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { PHONE, violations } from "../support/browser/browser";
import { setUpRequestor } from "../support/browser/site-set-up";
import { CONTRACT, openLink, openRequestor } from "../support/browser/submit-page";

const PICTURE = "**/api/submissions/*/picture";

const { site, requestor: ada } = setUpRequestor("ada@example.com");
beforeAll(async () => {
  await ada.choosePicture(await ada.page.screenshot());
}, 120_000);

const pictureOf = (page: Page) => page.locator(`main img[src$="/picture"]`);
const initialsOf = (page: Page) => page.getByText("AL", { exact: true });

const isDrawn = (page: Page) =>
  pictureOf(page).evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0);

test("the requestor's picture replaces the initials once it is loaded, without a layout shift", async () => {
  const { page } = await site.visit("/robots.txt", PHONE);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(PICTURE, async (route) => {
    await released;
    await route.continue();
  });
  const { submissionToken } = await ada.requestDocuments([CONTRACT]);
  await page.goto(`${site.url}/submit/${submissionToken}`);
  await initialsOf(page).waitFor();
  const heading = page.getByRole("heading", { level: 1 });
  const before = await heading.boundingBox();
  release();
  await initialsOf(page).waitFor({ state: "detached" });
  expect(await isDrawn(page)).toBe(true);
  expect(await pictureOf(page).boundingBox()).toMatchObject({ width: 52, height: 52 });
  expect(await heading.boundingBox()).toEqual(before);
  expect(await violations(page)).toEqual([]);
  await page.getByLabel("Name", { exact: true }).fill("Charles Babbage");
  await page.getByLabel("Email", { exact: true }).fill("charles@example.com");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Upload Documents" }).waitFor();
  expect(await pictureOf(page).isVisible()).toBe(true);
}, 120_000);

test.each(["rejected", "not an image"])("the initials stay where the picture is %s", async (failure) => {
  const { page, expectStatus } = await site.visit("/robots.txt");
  if (failure === "rejected") expectStatus(404);
  await page.route(PICTURE, (route) => {
    const status = failure === "not an image" ? 200 : 404;
    return route.fulfill({ status, contentType: "image/png", body: "not an image" });
  });
  const { submissionToken } = await ada.requestDocuments([CONTRACT]);
  await page.goto(`${site.url}/submit/${submissionToken}`);
  await initialsOf(page).waitFor();
  await pictureOf(page).waitFor({ state: "detached" });
  expect(await initialsOf(page).isVisible()).toBe(true);
});

test("a requestor without a picture is shown by initials, and no picture is requested", async () => {
  const grace = await openRequestor(site, "grace@example.com");
  const { page } = await openLink(site, await grace.requestDocuments([CONTRACT]));
  await initialsOf(page).waitFor();
  expect(await pictureOf(page).count()).toBe(0);
}, 120_000);
