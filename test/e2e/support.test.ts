import { expect, test } from "bun:test";
import { DESKTOP, PHONE, violations, waitForFocus } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";

const site = setUpTestSite();

test("the help chat answers, sends a message, and never covers other controls", async () => {
  const { page, email } = await site.signUp("help@example.com");
  const support = page.getByRole("button", { name: "Support" });
  const panel = page.getByRole("region", { name: "Help chat" });
  await support.click();
  await panel.waitFor();
  expect(await support.getAttribute("aria-expanded")).toBe("true");
  await panel.getByText("Who can see the files?").click();
  await panel.getByText("Only you and the members of the workspace, signed in.").waitFor();
  expect(await violations(page)).toEqual([]);

  await panel.getByRole("button", { name: "Send message" }).click();
  await panel.getByText("Message is required", { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await panel.getByLabel("Your message").fill("Where is my envelope?");
  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  await support.click();
  await panel.waitFor({ state: "detached" });
  await support.click();
  expect(await panel.getByLabel("Your message").inputValue()).toBe("Where is my envelope?");

  await panel.getByRole("button", { name: "Send message" }).click();
  await panel.getByText("Message sent", { exact: true }).waitFor();
  await panel.getByText(`We will reply to ${email}.`).waitFor();
  await panel.getByRole("button", { name: "Write another message" }).click();
  expect(await panel.getByLabel("Your message").inputValue()).toBe("");
  await waitForFocus(panel.getByLabel("Your message"));
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await waitForFocus(support);
}, 120_000);

test("a message that cannot be sent stays in its field", async () => {
  const visitor = await site.signUp("unsent@example.com");
  const { page } = visitor;
  visitor.expectStatus(500);
  await page.route("**/api/support/messages", (route) =>
    route.fulfill({ status: 500, json: { message: "The post office is closed" } }),
  );
  await page.getByRole("button", { name: "Support" }).click();
  await page.getByLabel("Your message").fill("Hello?");
  await page.getByRole("button", { name: "Send message" }).click();
  await page.getByText("The message could not be sent", { exact: true }).waitFor();
  await page.getByText("The post office is closed", { exact: true }).waitFor();
  expect(await page.getByLabel("Your message").inputValue()).toBe("Hello?");
}, 120_000);

test("on a phone the drawer closes for the help chat", async () => {
  const { page } = await site.signUp("phone@example.com", PHONE);
  const openMenu = () => page.getByRole("button", { name: "Open navigation menu" }).click();
  const drawer = page.getByRole("dialog", { name: "Menu" });
  const panel = page.getByRole("region", { name: "Help chat" });
  await openMenu();
  await drawer.getByRole("button", { name: "Support" }).click();
  await drawer.waitFor({ state: "detached" });
  await panel.waitFor();
  expect(await violations(page)).toEqual([]);
  await openMenu();
  await drawer.getByRole("button", { name: "Support" }).click();
  await panel.waitFor({ state: "detached" });
  await page.setViewportSize(DESKTOP.viewport);
}, 120_000);
