import { expect, test } from "bun:test";
import { violations } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();

test("three services are disconnected, and connecting fails for each", async () => {
  const { page } = await site.signUp("services@example.com");
  await page.getByRole("link", { name: "Integrations" }).click();
  await page.getByRole("heading", { level: 1, name: "Integrations" }).waitFor();
  const cards = page.getByRole("list", { name: "Integrations" }).getByRole("listitem");
  expect(await cards.count()).toBe(3);
  for (const [name, text] of [
    ["CRM", "Sync contacts and documents with your CRM"],
    ["E-Signature", "Send documents for electronic signature"],
    ["HR", "Sync employee and HR documents"],
  ] as const) {
    const card = cards.filter({ has: page.getByRole("heading", { name }) });
    await card.getByText(text, { exact: true }).waitFor();
    await card.getByText("disconnected", { exact: true }).waitFor();
    await card.getByText("Coming soon", { exact: true }).waitFor();
    await card.getByRole("button", { name: "Connect" }).click();
    await page.getByText("Connection failed", { exact: true }).waitFor();
    await page.getByText("Failed to connect integration", { exact: true }).waitFor();
    // At the page's end, the failure covers no card.
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const [above, below] = [await card.boundingBox(), await page.getByRole("alert").boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(below?.y ?? 0);
    await page.getByRole("alert").getByRole("button", { name: "Dismiss" }).click();
    await page.getByText("Connection failed", { exact: true }).waitFor({ state: "detached" });
    await card.getByText("disconnected", { exact: true }).waitFor();
  }
  expect(await violations(page)).toEqual([]);
}, 120_000);
