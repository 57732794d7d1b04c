import { afterAll, beforeAll, expect } from "bun:test";
import { file } from "bun";
import { inOtherEngines } from "../support/engines/in-engine";
import { button, byRole, type EnginePage, field, heading, text } from "../support/engines/page";
import { startDemoSite } from "../support/engines/site";
import { sha256 } from "../support/files/files";

type Envelope = { id: number; submissionToken: string; submissions: { url: string; fileName: string }[] };

let site: Awaited<ReturnType<typeof startDemoSite>>;
beforeAll(async () => {
  site = await startDemoSite();
}, 120_000);
afterAll(() => site.stop(), 120_000);

inOtherEngines((test) => {
  test("documents are requested, sent and received by keyboard", async (engine) => {
    const requestor = await site.visit(engine, { language: "en", theme: "light" });
    await signUp(requestor, `${crypto.randomUUID()}@example.com`);
    await writeEnvelope(requestor);
    const [{ id, submissionToken }] = await requestor.api<[Envelope]>("GET", "/api/requests");

    const recipient = await site.visit(engine, { language: "en", theme: "dark" });
    await recipient.resize(390, 844);
    await answer(recipient, submissionToken);
    expect(recipient.tab.problems).toEqual([]);
    await recipient.tab.close();

    await receive(requestor, id);
    await switchTheme(requestor);
    await deleteEnvelope(requestor);
    expect(requestor.tab.problems).toEqual([]);
    await requestor.tab.close();
  }, 300_000);

  test("Tab leads to a whole field above the footer of a dialog, and Shift+Tab to one below the header", async (engine) => {
    const page = await site.visitAsOwner(engine, { language: "en", theme: "light" });
    await page.resize(390, 450);
    const edges = async (): Promise<{ top: number; bottom: number; header: number; footer: number }> =>
      JSON.parse(
        await page.tab.evaluate(`new Promise((resolve) => setTimeout(resolve, 200)).then(() => {
          const box = (element) => element.getBoundingClientRect();
          const { top, bottom } = box(document.activeElement);
          const body = document.activeElement.closest("form").parentElement;
          const header = document.querySelector("header");
          return JSON.stringify({ top, bottom, footer: box(body).bottom, header: box(header).bottom });
        })`),
      );
    await page.goto("/?wizard=new");
    await page.focused(field("Recipient Name"));
    await page.press("Tab");
    const email = await edges();
    expect(email.bottom).toBeLessThan(email.footer);

    await page.resize(320, 568);
    await page.goto("/workspace");
    await page.see(button("Invite"));
    await page.tab.evaluate(`(async () => {
      const below = document.querySelector("[name=emails]").closest("form").querySelector("select");
      below.focus();
      scrollBy(0, below.getBoundingClientRect().top - 60);
      return "";
    })()`);
    await page.press("Shift+Tab");
    const invited = await edges();
    expect(invited.top).toBeGreaterThanOrEqual(invited.header);
  }, 120_000);
});

async function signUp(page: EnginePage, email: string): Promise<void> {
  await page.goto("/auth");
  await page.click(byRole("tab", "Create Account"));
  await page.tabTo(field("Email"));
  await page.type(email);
  await page.tabTo(field("Password"));
  await page.type("correct horse");
  await page.press("Enter");
  await page.see(heading(/^Welcome/));
  await page.press("Escape");
  await page.gone(byRole("dialog"));
  await page.api("POST", "/api/user/complete-onboarding", {});
}

async function writeEnvelope(page: EnginePage): Promise<void> {
  await page.tabTo(button("New Envelope"));
  await page.press("Enter");
  await page.see(byRole("dialog", "Create New Envelope"));
  await page.tabTo(field("Recipient Name"));
  await page.type("Grace Hopper");
  await page.tabTo(field("Recipient Email"));
  await page.type("grace@example.com");
  await next(page, field("Subject"));
  await page.type("Papers for your account");
  await page.tabTo(field("Message"));
  await page.type("Please send these by Friday.");
  await next(page, field("Document Name"));
  await page.type("Contract");
  await next(page, field(/^Expiration/));
  await page.tabTo(button("Create Envelope"));
  await page.press("Enter");
  await page.see(text("Envelope created"));
  await page.see(byRole("link", "Papers for your account"));
}

/** Goes to the next step, and by Tab to its first field. */
async function next(page: EnginePage, first: ReturnType<typeof field>): Promise<void> {
  await page.tabTo(button("Next"));
  await page.press("Enter");
  await page.tabTo(first);
}

async function answer(page: EnginePage, token: string): Promise<void> {
  await page.goto(`/submit/${token}`);
  await page.see(text(/@example\.com$/));
  await page.tabTo(field("Name"));
  await page.type("Grace Hopper");
  await page.tabTo(field("Email"));
  await page.type("grace@example.com");
  await page.press("Enter");
  await page.see(heading("Upload Documents"));
  await page.tabTo({ css: "input[type=file]" });
  await page.choose("input[type=file]", site.pdf);
  await page.focused(button("Replace file for Contract"));
  await page.tabTo(button("Next"));
  await page.press("Enter");
  await page.see(heading("Review & Submit"));
  await page.tabTo(button("Submit Documents"));
  await page.press("Enter");
  await page.see(heading("Submission Complete"));
}

/** Opens the envelope from its row and checks that the file arrived unchanged. */
async function receive(page: EnginePage, id: number): Promise<void> {
  await page.goto("/");
  await page.click(text("completed"));
  await page.see(heading("Submitted Documents"));
  await page.tabTo(button(/^View /));
  await page.press("Enter");
  await page.see(text("application/pdf"));
  await page.press("Escape");
  await page.focused(button(/^View /));
  await page.click(button("Review"));
  await page.see({ css: "[data-page='1'] canvas" });
  await page.type("a");
  await page.see(text("Nothing left to review."));
  await page.press("Escape");
  await page.focused(button("Review"));
  await page.press("Escape");
  await page.gone(byRole("dialog"));
  const { submissions } = await page.api<Envelope>("GET", `/api/requests/${id}`);
  const sent = await sha256(file(site.pdf));
  for (const { url } of submissions) expect(await page.call("fileDigest", url)).toBe(sent);
  expect(submissions).toHaveLength(1);
}

async function switchTheme(page: EnginePage): Promise<void> {
  await page.click(byRole("link", "Settings"));
  await page.click(byRole("radio", "Dark"));
  await page.see({ css: "[data-theme=dark] body" });
}

async function deleteEnvelope(page: EnginePage): Promise<void> {
  await page.resize(390, 844);
  await page.click(button("Open navigation menu"));
  await page.click(byRole("link", "Doculopes"));
  await page.tabTo(byRole("link", "Papers for your account"));
  await page.press("Enter");
  await page.tabTo(button("More actions"));
  // Opens the menu at its last action.
  await page.press("ArrowUp");
  await page.see(byRole("menuitem", "Delete envelope"));
  await page.press("Enter");
  await page.focused(button("Cancel"));
  await page.tabTo(button("Delete envelope"));
  await page.press("Enter");
  await page.see(text("No Doculopes yet"));
}
