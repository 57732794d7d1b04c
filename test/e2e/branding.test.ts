import { expect, test } from "bun:test";
import { PHONE, violations, waitForFocus, waitUntilLoaded } from "../support/browser/browser";
import { setUpRequestor } from "../support/browser/site-set-up";
import { CONTRACT, choose, enterInformation, openLink, openRequestor } from "../support/browser/submit-page";
import { pdfFile } from "../support/files/files";

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
  const tileStyle = () =>
    picture.evaluate(({ parentElement: tile }) => {
      const { backgroundColor, paddingLeft, paddingTop } = getComputedStyle(tile ?? document.body);
      return { backgroundColor, paddingLeft, paddingTop };
    });
  const light = { backgroundColor: "rgb(212, 208, 198)", paddingLeft: "8px", paddingTop: "4px" };
  expect(await tileStyle()).toEqual(light);
  await page.emulateMedia({ colorScheme: "dark" });
  // The colour as it was chosen, because it is readable there.
  await page.waitForFunction(
    () =>
      getComputedStyle(document.querySelector("[type=submit]") ?? document.body).backgroundColor ===
      "rgb(255, 212, 0)",
  );
  // A logo for a light ground stays on one.
  expect(await tileStyle()).toEqual(light);
  expect(await violations(page)).toEqual([]);
  await enterInformation(page);
  expect(await violations(page)).toEqual([]);
}, 120_000);

test("the saved receipt has the sender's logo, name and footer in it, and works on its own", async () => {
  const sender = await openRequestor(site, "receipts@example.com");
  const logo = await sender.page.screenshot({ clip: { x: 0, y: 0, width: 640, height: 160 } });
  await sender.setBrand({ brandName: "Tax & <Co>", brandFooter: "Lovelace Ltd\nLondon" }, logo);
  const envelope = await sender.requestDocuments([CONTRACT]);
  const { page, expectStatus } = await openLink(site, envelope, PHONE);
  await enterInformation(page);
  await choose(page, "Signed contract", pdfFile("contract.pdf"));
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Submit Documents" }).click();
  const saveReceipt = async () => {
    const started = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save receipt of this submission" }).click();
    return Bun.file(await (await started).path()).text();
  };
  const html = await saveReceipt();
  expect(html).not.toMatch(/<script|https?:|Doculopes/);
  const reader = await site.visit("/robots.txt", PHONE);
  // What a page of the site may not load, a saved file may.
  await reader.page.goto(`data:text/html;charset=utf-8,${encodeURIComponent(html)}`);
  await reader.page.getByText("Tax & <Co>", { exact: true }).waitFor();
  const picture = reader.page.locator("header img");
  expect(await picture.evaluate((image: HTMLImageElement) => image.decode())).toBeUndefined();
  expect(
    await picture.evaluate(({ width, height, naturalWidth }: HTMLImageElement) => [
      width,
      height,
      naturalWidth,
    ]),
  ).toEqual([160, 40, 640]);
  expect(await reader.page.locator("footer").textContent()).toBe("Lovelace Ltd\nLondon");
  expectStatus(410);
  await page.reload();
  expect(await saveReceipt()).toBe(html);
  // Without the logo, the receipt is saved nevertheless.
  expectStatus(503);
  await page.route("**/api/submissions/*/logo", (route) => route.fulfill({ status: 503 }));
  expect(await saveReceipt()).not.toContain("<img");
}, 120_000);

test("an owner sets the brand in the workspace's settings, and the link's page shows it", async () => {
  const owner = await openRequestor(site, "owner@example.com");
  const { page } = owner;
  const [workspace] = await (await page.request.get(`${site.url}/api/workspaces`)).json();
  const stored = async () => (await (await page.request.get(`${site.url}/api/workspaces`)).json())[0];
  await page.goto(`${site.url}/workspace#branding`);
  const section = page.getByRole("region", { name: "Branding", exact: true });
  const preview = section.getByRole("region", { name: "Preview" });
  await section.getByLabel("Colour", { exact: true }).fill("gold");
  await section.getByRole("button", { name: "Save Changes" }).click();
  await section.getByText("Enter a colour as #rrggbb", { exact: true }).waitFor();
  await section.getByLabel("Brand name").fill("Lovelace Tax");
  await section.getByLabel("Colour", { exact: true }).fill("#FFD400");
  await section.getByLabel("Footer").fill("Lovelace Ltd");
  const [shownPage, mail] = ["The link's page", "Email"].map((title) =>
    preview.frameLocator(`iframe[title="${title}"]`),
  );
  for (const shown of [shownPage, mail]) {
    await shown?.getByText("Lovelace Tax", { exact: true }).waitFor();
    await shown?.getByText("Lovelace Ltd").waitFor();
  }
  expect(await preview.getByText("#ffd400").count()).toBe(1);
  await preview.getByRole("radio", { name: "Phone", exact: true }).check();
  expect(await section.getByLabel("Choose a colour").inputValue()).toBe("#ffd400");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Keep editing" }).click();

  const files = section.locator("input[type=file]");
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 400, height: 100 } });
  await files.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
  await page.getByText("Logo updated", { exact: true }).first().waitFor();
  await shownPage?.locator("img").first().waitFor();
  // A picture without transparency.
  await section.getByText("It can be seen in both themes without a plate.").waitFor();
  expect(await section.getByLabel("Footer").inputValue()).toBe("Lovelace Ltd");
  await section.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("Branding updated", { exact: true }).first().waitFor();
  const brand = { brandName: "Lovelace Tax", brandColor: "#ffd400", brandFooter: "Lovelace Ltd" };
  expect(await stored()).toMatchObject({ id: workspace.id, ...brand, logo: { width: 400, height: 100 } });
  const { submissionToken } = await owner.requestDocuments([CONTRACT]);
  const link = await site.visit(`/submit/${submissionToken}`, PHONE);
  const header = link.page.getByRole("banner");
  await header.getByText("Lovelace Tax", { exact: true }).waitFor();
  expect(await header.locator("img").evaluate((image: HTMLImageElement) => image.decode())).toBeUndefined();
  await link.page.getByText("Lovelace Ltd", { exact: true }).waitFor();

  await section.getByRole("button", { name: "Use the standard colour" }).press("Enter");
  await waitForFocus(section);
  await section.getByLabel("Brand name").fill("");
  const saved = page.waitForResponse((response) => response.request().method() === "PATCH");
  await section.getByRole("button", { name: "Save Changes" }).click();
  await saved;
  // The preview loads the logo again after a change, which it could not once it is removed.
  await waitUntilLoaded(page);
  await section.getByRole("button", { name: "Remove the logo" }).press("Enter");
  await page.getByText("Logo removed", { exact: true }).first().waitFor();
  await section.getByRole("button", { name: "Choose a logo", exact: true }).waitFor();
  await waitForFocus(section);
  expect(await stored()).toMatchObject({
    brandName: null,
    brandColor: null,
    brandFooter: "Lovelace Ltd",
    logo: null,
  });
}, 120_000);

test("a logo that is an HTML file is refused with a sentence", async () => {
  const { page, expectStatus } = await site.openAccount("html@example.com");
  expectStatus(415);
  await page.goto(`${site.url}/workspace`);
  const section = page.getByRole("region", { name: "Branding", exact: true });
  const buffer = Buffer.from("<html><script>alert(1)</script></html>");
  await section
    .locator("input[type=file]")
    .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
  await page.getByText("The logo must be a PNG, JPEG or WebP image", { exact: true }).first().waitFor();
}, 120_000);
