import { afterAll, beforeAll, expect, test } from "bun:test";
import { PASSWORD, startBunSite } from "../support/browser";
import { inEachEngine } from "../support/engines/in-each-engine";
import { button, byRole, heading, openPage, text } from "../support/engines/page";
import { ENGINES } from "../support/engines/tab";

const ADMINISTRATOR = "ada@example.com";
const addressOf = (engine: string) => `a-person-with-a-long-address.${engine}@accounting.example.com`;

let site: Awaited<ReturnType<typeof startBunSite>>;
beforeAll(async () => {
  site = await startBunSite();
  // The first account is the administrator.
  for (const email of [ADMINISTRATOR, ...ENGINES.map(addressOf)]) {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ email, password: PASSWORD });
    const { status } = await fetch(`${site.url}/api/register`, { method: "POST", headers, body });
    expect(status).toBe(201);
  }
}, 60_000);
afterAll(() => site.stop(), 30_000);

inEachEngine((engine, name) => {
  test("an administrator finds an account, disables it and sees it in the audit log", async () => {
    const page = await openPage(await engine().open(), site.url);
    await page.goto("/robots.txt");
    const email = addressOf(name);
    await page.api("POST", "/api/login", { email: ADMINISTRATOR, password: PASSWORD });
    await page.goto("/administration");
    await page.see(heading("Administration"));
    await page.fill("Search by email or name", `.${name}@`);
    await page.gone(button(new RegExp(`^${ADMINISTRATOR}`)));
    await page.click(button(new RegExp(`^${email}`)));
    await page.see(byRole("dialog", email));
    await page.click(button("Disable account"));
    await page.focused(button("Cancel"));
    await page.tabTo(button("Disable account"));
    await page.press("Enter");
    await page.see(text("Account disabled"));
    expect(await page.violations()).toEqual([]);
    await page.press("Escape");
    await page.gone(byRole("dialog"));
    await page.see(text(`${email} was disabled`));
    for (const width of [320, 1280]) {
      await page.resize(width, 800);
      expect(await page.layoutProblems()).toEqual([]);
    }
    expect(page.tab.problems).toEqual([]);
    await page.tab.close();
  }, 120_000);
});
