import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { PASSWORD } from "../support/browser/browser";
import { ownAddress } from "../support/browser/own-address";
import { setUpRequestor } from "../support/browser/site-set-up";
import {
  CONTRACT,
  choose,
  enterInformation,
  LETTER,
  submitAll,
  uploaded,
} from "../support/browser/submit-page";
import { translate } from "../support/browser/translate";
import { docxFile, pdfFile } from "../support/files/files";

const { site, requestor: ada } = setUpRequestor("ada@example.com");

/** Opens the page, and translates it once it is hydrated. */
async function openTranslated(page: Page, path: string): Promise<void> {
  await page.goto(site.url + path);
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("form") ?? {}).some((key) => key.startsWith("__reactFiber")),
  );
  await page.evaluate(translate);
  await page.locator("font").first().waitFor();
}

async function openRequest({ submissionToken }: { submissionToken: string }, statuses: number[] = []) {
  const { page } = await site.visit("/robots.txt", { statuses });
  await openTranslated(page, `/submit/${submissionToken}`);
  return page;
}

test("a translated recipient's page uploads, replaces, removes, writes, and shows the receipt", async () => {
  const page = await openRequest(await ada.requestDocuments([CONTRACT, LETTER]), [503]);
  await page.getByLabel("Name", { exact: true }).fill("");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("Please enter your name.").waitFor();
  await enterInformation(page);
  await page.getByRole("button", { name: "Write to Ada Lovelace" }).click();
  await page.getByRole("button", { name: "Send message" }).click();
  await page.getByText("Please write a message.").waitFor();
  await page.getByLabel("Message to Ada Lovelace").fill("Which page?");
  await page.getByRole("button", { name: "Send message" }).click();
  await page.getByText("Your message was sent.").waitFor();
  await choose(page, "Signed contract", docxFile("wrong.xyz"));
  await page.getByText("“wrong.xyz” cannot be used here.").waitFor();
  await choose(page, "Signed contract", pdfFile());
  await uploaded(page, "Signed contract").waitFor();
  await choose(page, "Cover letter", docxFile());
  await uploaded(page, "Cover letter").waitFor();
  await page.getByRole("button", { name: "Remove file for Cover letter" }).click();
  await page.getByLabel("I don't have this").check();
  await page.route("**/submit", (route) =>
    route.fulfill({ status: 503, json: { message: "Busy", code: "unavailable" } }),
  );
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Previous" }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByText("The service is busy.").waitFor();
  await page.getByText("Failed to submit documents").waitFor();
  await page.unroute("**/submit");
  await page.getByLabel("Language").selectOption("de");
  await page.getByRole("button", { name: "Dokumente einreichen" }).click();
  await page.getByRole("heading", { level: 1, name: "Einreichung abgeschlossen" }).waitFor();
}, 120_000);

test("a translated recipient's page takes a returned document again", async () => {
  const envelope = await ada.requestDocuments([CONTRACT]);
  const first = await openRequest(envelope);
  await enterInformation(first);
  await choose(first, "Signed contract", pdfFile());
  await submitAll(first);
  const { documents } = await ada.readEnvelope(envelope.id);
  const back = [{ documentId: documents[0]?.id, reason: "Too dark" }];
  const url = `${site.url}/api/requests/${envelope.id}/review`;
  expect((await ada.page.request.post(url, { data: { return: back } })).status()).toBe(200);
  const again = await openRequest(envelope);
  await again.getByText("Needed again: 1").waitFor();
  await enterInformation(again);
  await choose(again, "Signed contract", pdfFile("brighter.pdf"));
  await submitAll(again);
}, 120_000);

test("the translated sign-in pages create an account, send a reset link, and sign in", async () => {
  const { page } = await site.visit("/robots.txt", { statuses: [401] });
  const email = ownAddress("translated@example.com");
  await openTranslated(page, "/auth");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByRole("heading", { level: 1, name: "Check your email" }).waitFor();
  await openTranslated(page, "/auth");
  await page.getByRole("tab", { name: "Create Account" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create Account" }).click();
  await page.waitForURL(`${site.url}/`);
  await page.getByRole("dialog").waitFor();
  await page.context().clearCookies();
  await openTranslated(page, "/auth");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("wrong");
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await page.getByText("Invalid email or password").first().waitFor();
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await page.waitForURL(`${site.url}/`);
  await page.getByRole("dialog").waitFor();
}, 120_000);

test.each(["/submit", "/auth", "/"])("%s, given up by React, says why and offers a reload", async (path) => {
  const { submissionToken } = await ada.requestDocuments([CONTRACT]);
  const visitor = await site.visit("/robots.txt", { locale: "de-DE" });
  const { page } = visitor;
  if (path === "/") await page.context().addCookies(await ada.page.context().cookies());
  await page.goto(site.url + (path === "/submit" ? `${path}/${submissionToken}` : path));
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator("html[lang=de]").waitFor();
  // As an extension may do that rewrites the page.
  await page.evaluate(() => {
    const fail = () => {
      throw new Error("Rewritten");
    };
    Object.assign(Node.prototype, { insertBefore: fail, removeChild: fail, appendChild: fail });
  });
  if (path === "/submit") {
    await page.getByLabel("Name", { exact: true }).fill("Charles");
    await page.getByRole("button", { name: "Weiter" }).click();
  } else if (path === "/auth") await page.getByRole("link", { name: "Passwort vergessen?" }).click();
  else await page.getByRole("button", { name: "Support" }).click();
  await page.getByRole("heading", { name: "Auf dieser Seite ist ein Fehler aufgetreten" }).waitFor();
  await page.getByText("bleibt erhalten").waitFor();
  expect(visitor.problems.join()).toContain("Rewritten");
  visitor.problems.length = 0;
  await page.getByRole("button", { name: "Seite neu laden" }).click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByText("Fehler aufgetreten").waitFor({ state: "detached" });
});
