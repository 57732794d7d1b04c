import { afterAll, beforeAll, expect } from "bun:test";
import { PASSWORD, startBunSite } from "../support/browser/browser";
import { inEachEngine } from "../support/engines/in-each-engine";
import { button, byRole, heading, openPage, text } from "../support/engines/page";

const ADMINISTRATOR = "ada@example.com";

let site: Awaited<ReturnType<typeof startBunSite>>;
beforeAll(async () => {
  site = await startBunSite();
  // The first account is the administrator.
  await register(ADMINISTRATOR);
}, 60_000);
afterAll(() => site.stop(), 30_000);

async function register(email: string): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ email, password: PASSWORD });
  const { status } = await fetch(`${site.url}/api/register`, { method: "POST", headers, body });
  expect(status).toBe(201);
}

inEachEngine((test) => {
  test("an administrator finds an account, disables it and sees it in the audit log", async (engine) => {
    const name = crypto.randomUUID();
    const email = `${name}@accounting-department.example.com`;
    await register(email);
    const page = await openPage(await engine.open(), site.url);
    await page.goto("/robots.txt");
    await page.api("POST", "/api/login", { email: ADMINISTRATOR, password: PASSWORD });
    await page.goto("/administration");
    await page.see(heading("Administration"));
    await page.fill("Search by email or name", `${name}@`);
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
