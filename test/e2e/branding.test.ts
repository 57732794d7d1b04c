import { expect, test } from "bun:test";
import { PHONE, violationsInEveryTheme } from "../support/browser/browser";
import { setUpRequestor } from "../support/browser/site-set-up";
import { CONTRACT, enterInformation } from "../support/browser/submit-page";

const { site, requestor: ada } = setUpRequestor("ada@example.com");

test("the link's page is the sender's: logo, name, colour and footer, without a layout shift", async () => {
  const logo = await ada.page.screenshot({ clip: { x: 0, y: 0, width: 640, height: 160 } });
  const brand = {
    brandName: "Lovelace Tax Advisers",
    brandColor: "#ffd400",
    brandFooter: "Lovelace Ltd\nLondon",
  };
  await ada.setBrand(brand, logo);
  const { submissionToken } = await ada.requestDocuments([CONTRACT]);
  const { page } = await site.visit("/robots.txt", PHONE);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/submissions/*/logo", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${site.url}/submit/${submissionToken}`);
  const header = page.getByRole("banner");
  await header.getByText("Lovelace Tax Advisers", { exact: true }).waitFor();
  expect(await page.title()).toContain("Lovelace Tax Advisers");
  const picture = header.locator("img");
  const before = await picture.boundingBox();
  expect(before).toMatchObject({ width: 120, height: 30 });
  const heading = page.getByRole("heading", { level: 1 });
  const place = await heading.boundingBox();
  release();
  await picture.evaluate((image: HTMLImageElement) => image.decode());
  expect(await picture.boundingBox()).toEqual(before);
  expect(await heading.boundingBox()).toEqual(place);
  expect(await page.getByText("Lovelace Ltd").textContent()).toBe("Lovelace Ltd\nLondon");
  expect(await header.getByText("Doculopes").count()).toBe(0);
  await page.emulateMedia({ colorScheme: "dark" });
  // The colour as it was chosen, because it is readable there.
  await page.waitForFunction(
    () =>
      getComputedStyle(document.querySelector("[type=submit]") ?? document.body).backgroundColor ===
      "rgb(255, 212, 0)",
  );
  expect(await violationsInEveryTheme(page)).toEqual([]);
  await enterInformation(page);
  expect(await violationsInEveryTheme(page)).toEqual([]);
}, 120_000);
