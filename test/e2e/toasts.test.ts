import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { DESKTOP, MOVING, PHONE, waitForFocus } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { waitFor } from "../support/wait";

const site = setUpTestSite();

const SIZES = {
  "small phone": { ...PHONE, viewport: { width: 320, height: 568 } },
  tablet: { viewport: { width: 768, height: 1024 } },
  desktop: DESKTOP,
};

/** Whether the toast covers a part of the element. */
async function covers(toast: Locator, element: Locator): Promise<boolean> {
  const [one, other] = [await toast.boundingBox(), await element.boundingBox()];
  if (!one || !other) throw new Error("One of them is not shown");
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

for (const [name, size] of Object.entries(SIZES)) {
  test(`on a ${name} a toast covers neither headings nor the buttons of a dialog`, async () => {
    const { page } = await site.openAccount("toast@example.com", { ...size, ...MOVING });
    await page.goto(`${site.url}/?wizard=new`);
    const dialog = page.getByRole("dialog", { name: "Create New Envelope" });
    await dialog.getByRole("button", { name: "Next" }).click();
    const toast = page.getByRole("alert").filter({ hasText: "Required Fields" });
    await toast.waitFor();
    await page.waitForFunction(() =>
      document.getAnimations().every(({ playState }) => playState !== "running"),
    );
    const covered: string[] = [];
    for (const element of [
      dialog.getByRole("heading", { name: "Create New Envelope" }),
      dialog.getByRole("button", { name: "Cancel" }),
      dialog.getByRole("button", { name: "Next" }),
      dialog.getByRole("button", { name: "Close" }),
      dialog.getByText("Recipient name is required"),
      dialog.getByText("Recipient email is required"),
    ]) {
      await element.scrollIntoViewIfNeeded();
      if (await covers(toast, element)) covered.push(String(element));
    }
    expect(covered).toEqual([]);

    await dialog.getByRole("button", { name: "Cancel" }).focus();
    await page.getByRole("button", { name: "Go to the first one" }).press("Enter");
    await waitForFocus(dialog.getByLabel("Recipient Name"));
    await dialog.getByRole("button", { name: "Next" }).click();
    await toast.waitFor();
    // The toast is dismissed as soon as something is typed.
    await dialog.getByLabel("Recipient Name").fill("Rita");
    await toast.waitFor({ state: "detached" });
    await dialog.getByLabel("Recipient Email").fill("rita@example.com");
    await dialog.getByRole("button", { name: "Next" }).click();
    await dialog.getByLabel("Subject").waitFor();
    await dialog.getByRole("button", { name: "Next" }).click();
    await toast.waitFor();
    await dialog.getByRole("button", { name: "Previous" }).click();
    await toast.waitFor({ state: "detached" });
  }, 120_000);
}

test("in a dialog a toast covers no field on a phone, and is beside the dialog on a desktop", async () => {
  const { page } = await site.openAccount("toast-field@example.com", { ...PHONE, ...MOVING });
  await page.goto(`${site.url}/?wizard=new`);
  const dialog = page.getByRole("dialog", { name: "Create New Envelope" });
  await dialog.getByRole("button", { name: "Next" }).click();
  const toast = page.getByRole("alert").filter({ hasText: "Required Fields" });
  // Hovered, it stays.
  await toast.hover();
  await dialog.getByLabel("Phone", { exact: true }).scrollIntoViewIfNeeded();
  expect(await covers(toast, dialog.getByLabel("Phone", { exact: true }))).toBe(false);
  await page.setViewportSize(DESKTOP.viewport);
  await page.waitForFunction((wanted) => innerWidth === wanted, DESKTOP.viewport.width);
  expect(await covers(toast, dialog.locator("form"))).toBe(false);
  expect(await covers(toast, page.locator("aside"))).toBe(false);
}, 120_000);

test("on a small phone the field that a toast in a dialog is about stays visible above it", async () => {
  const { page } = await site.openAccount("toast-invalid@example.com", {
    ...SIZES["small phone"],
    ...MOVING,
  });
  await page.goto(`${site.url}/?wizard=new`);
  const dialog = page.getByRole("dialog", { name: "Create New Envelope" });
  await dialog.getByRole("button", { name: "Next" }).click();
  const toast = page.getByRole("alert").filter({ hasText: "Required Fields" });
  await toast.waitFor();
  await waitForFocus(dialog.getByLabel("Recipient Name"));
  for (const shown of [dialog.getByLabel("Recipient Name"), dialog.getByText("Recipient name is required")])
    await waitFor("the field and its error to be above the toast", async () => {
      const [above, below] = [await shown.boundingBox(), await toast.boundingBox()];
      return (above && below && above.y + above.height <= below.y) || undefined;
    });
}, 60_000);

test("on a phone a toast does not cover the page's header", async () => {
  const { page } = await site.openAccount("toast-header@example.com", { ...PHONE, ...MOVING });
  await page.goto(`${site.url}/profile`);
  await page.getByLabel("First Name").fill("Ada");
  await page.getByRole("button", { name: "Save Changes" }).click();
  const toast = page.getByRole("status").filter({ hasText: "Profile updated" });
  await toast.waitFor();
  expect(await covers(toast, page.getByRole("button", { name: /menu/ }))).toBe(false);
}, 120_000);

test("on a phone of any height a toast covers no button at the beginning of a page", async () => {
  const { page } = await site.openAccount("toast-height@example.com", { ...PHONE, ...MOVING });
  await page.goto(`${site.url}/integrations`);
  await page
    .getByRole("button", { name: /^Connect/ })
    .first()
    .click();
  const toast = page.getByRole("alert").filter({ hasText: "Connection failed" });
  // Hovered, it stays.
  await toast.hover();
  await page.evaluate(() => scrollTo(0, 0));
  for (const height of [640, 700, 760, 820]) {
    await page.setViewportSize({ width: 390, height });
    await page.waitForFunction((wanted) => innerHeight === wanted, height);
    for (const button of await page.getByRole("main").getByRole("button").all())
      expect(await covers(toast, button)).toBe(false);
  }
}, 120_000);

test("beside the sections of settings a toast covers neither the buttons nor the fields in them", async () => {
  const viewport = { width: 1280, height: 800 };
  const { page } = await site.openAccount("toast-settings@example.com", { viewport, ...MOVING });
  await page.goto(`${site.url}/workspace`);
  const members = page.getByRole("region", { name: "Members" });
  await members.getByLabel("Email").fill("bob@example.com");
  await members.getByRole("button", { name: "Invite", exact: true }).click();
  const toast = page.getByRole("status").filter({ hasText: "The invitation is on its way" });
  // Hovered, it stays.
  await toast.hover();
  const revoke = members.getByRole("button", { name: /Revoke/ });
  await revoke.evaluate((button) => button.scrollIntoView({ block: "end" }));
  for (const element of [revoke, members.getByLabel("Email"), members.getByRole("combobox").last()])
    expect(await covers(toast, element)).toBe(false);
}, 120_000);

test("on the sign-in page a toast is next to the form", async () => {
  const { page } = await site.visit("/auth", { ...DESKTOP, statuses: [401] });
  await page.getByLabel("Email").fill("nobody@example.com");
  await page.getByLabel("Password", { exact: true }).fill("wrong password");
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  const toast = page.getByRole("alert").filter({ hasText: "Login failed" });
  await toast.waitFor();
  const form = await page.getByRole("main").boundingBox();
  const box = await toast.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual((form?.x ?? 0) + (form?.width ?? 0));
}, 120_000);

test("a failed save is told, although what explains it cannot be loaded either", async () => {
  const { page, problems } = await site.openAccount("toast-offline@example.com");
  await page.route(/\/error-text-[^/]*\.js/, (route) => route.abort());
  await page.goto(`${site.url}/contacts`);
  await page.getByRole("button", { name: "Add Contact" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("First Name").fill("Ada");
  await page.route("**/api/contacts*", (route) => route.abort());
  await dialog.getByRole("button", { name: "Add Contact" }).click();
  await page.getByRole("alert").filter({ hasText: "Creation failed" }).waitFor();
  await page.unroute("**/api/contacts*");
  await dialog.getByRole("button", { name: "Add Contact" }).click();
  await dialog.waitFor({ state: "detached" });
  // As the browser should.
  expect(new Set(problems.map((problem) => problem.replace(/^.*: /, "")))).toEqual(
    new Set(["net::ERR_FAILED"]),
  );
  problems.length = 0;
}, 120_000);

test("F8 leads to a toast, Escape closes it and not its dialog, and a swipe of 50 pixels does too", async () => {
  const { page } = await site.openAccount("toast-keys@example.com", DESKTOP);
  await page.goto(`${site.url}/?wizard=new`);
  const dialog = page.getByRole("dialog", { name: "Create New Envelope" });
  const next = dialog.getByRole("button", { name: "Next" });
  await next.click();
  const toast = page.getByRole("alert").filter({ hasText: "Required Fields" });
  await toast.waitFor();
  await page.keyboard.press("F8");
  await waitForFocus(page.getByRole("region", { name: "Notifications (F8)" }));
  await page.keyboard.press("Escape");
  await toast.waitFor({ state: "detached" });
  await next.click();
  await toast.waitFor();
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== "running"),
  );
  const swipe = async (distance: number) => {
    const { x, y } = (await toast.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(x + 60, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + 60 + distance, y + 20, { steps: 4 });
    await page.mouse.up();
  };
  await swipe(45);
  expect(await toast.isVisible()).toBe(true);
  await swipe(55);
  await toast.waitFor({ state: "detached" });
  expect(await dialog.isVisible()).toBe(true);
}, 120_000);
