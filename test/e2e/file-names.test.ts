import { expect, test } from "bun:test";
import { violations, waitForFocus } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();

test("a workspace's rule for file names is previewed as it is typed, saved, and reset", async () => {
  const { page } = await site.openAccount("names@example.com");
  await page.request.patch(`${site.url}/api/user/profile`, { data: { firstName: "Ada", lastName: "Ray" } });
  const stored = async () =>
    (await (await page.request.get(`${site.url}/api/workspaces`)).json())[0].fileNameRule;
  await page.goto(`${site.url}/profile`);
  await page.getByRole("link", { name: "Open workspace settings" }).click();
  const form = page.getByRole("region", { name: "File names" });
  const rule = form.getByLabel("Rule");
  const preview = () => form.getByRole("status").locator("span").allInnerTexts();
  expect(await rule.inputValue()).toBe("{document} - {recipient}");
  expect(await preview()).toEqual([
    ...["Passport - Ada Ray.jpg", "Bank statement - Ada Ray 1.pdf", "Bank statement - Ada Ray 2.pdf"],
  ]);
  await rule.fill("{name}/x");
  await form.getByText("{name} is not a placeholder. Choose one of those below.", { exact: true }).waitFor();
  expect(await preview()).toEqual([]);
  expect(await form.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
  expect(await violations(page)).toEqual([]);

  await rule.fill("");
  expect(await preview()).toContain("Passport - Ada Ray.jpg");
  await form.getByRole("button", { name: "Subject" }).click();
  await page.keyboard.type("/");
  await form.getByRole("button", { name: "Original name" }).click();
  expect(await rule.inputValue()).toBe("{subject}/{original}");
  expect(await preview()).toEqual([
    "Mortgage_IMG_2041.jpg",
    "Mortgage_scan 1 1.pdf",
    "Mortgage_scan 2 2.pdf",
  ]);
  await rule.press("Enter");
  await page.getByText("File names updated", { exact: true }).waitFor();
  expect(await stored()).toBe("{subject}/{original}");
  await page.reload();
  expect(await rule.inputValue()).toBe("{subject}/{original}");
  await form.getByRole("button", { name: "Reset to default" }).press("Enter");
  await page.getByText("File names updated", { exact: true }).waitFor();
  expect(await rule.inputValue()).toBe("{document} - {recipient}");
  expect(await stored()).toBeNull();
  await waitForFocus(form);
  // Three names at each key would interrupt what a screen reader says.
  expect(await form.getByRole("status").getAttribute("aria-live")).toBe("off");
}, 120_000);
