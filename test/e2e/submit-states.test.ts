import { beforeAll, expect, test } from "bun:test";
import type { Route } from "playwright-core";
import { type TestSite, type Visitor, violations } from "../support/browser/browser";
import { setUpRequestor } from "../support/browser/site-set-up";
import { CONTRACT, enterInformation, LETTER } from "../support/browser/submit-page";

const DETAILS = "**/api/submissions/*";

const { site, requestor: ada } = setUpRequestor("ada@example.com");
let path: string;
beforeAll(async () => {
  path = `/submit/${(await ada.requestDocuments([CONTRACT, LETTER])).submissionToken}`;
}, 120_000);

/** A visitor who has not opened the link yet, so that a test can intercept its requests. */
async function waitingVisitor(options?: Parameters<TestSite["visit"]>[1]): Promise<Visitor> {
  const visitor = await site.visit("/robots.txt", options);
  visitor.expectStatus(404, 410, 429, 500);
  return visitor;
}

/** Opens the link with a fake server response. */
async function openWithResponse(status: number, json: unknown, headers: Record<string, string> = {}) {
  const visitor = await waitingVisitor();
  await visitor.page.route(DETAILS, (route) => route.fulfill({ status, json, headers }));
  await visitor.page.goto(site.url + path);
  return visitor.page;
}

test("the first step can be filled in while the details load", async () => {
  const { page } = await waitingVisitor();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(DETAILS, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(site.url + path);
  await page.getByText("Loading submission details...", { exact: true }).waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Charles");
  release();
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Charles");
}, 120_000);

test("input and clicks before the script loads are not lost", async () => {
  const { page } = await waitingVisitor({ locale: "de-DE" });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const script = /assets\/submit-.*\.js/;
  await page.route(script, async (route: Route) => {
    await released;
    await route.continue();
  });
  await page.goto(site.url + path, { waitUntil: "commit" });
  await page.getByRole("heading", { name: "Ihre Angaben" }).waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Charles");
  await page.getByLabel("E-Mail", { exact: true }).fill("charles@example.com");
  await page.getByRole("button", { name: "Weiter" }).click();
  expect(page.url()).toBe(site.url + path);
  release();
  await page.getByRole("heading", { name: "Dokumente hochladen" }).waitFor();
}, 120_000);

test("an expired request says when it ended and whom to contact", async () => {
  const page = await openWithResponse(410, {
    code: "expired",
    message: "This submission has expired",
    params: { date: "2026-03-01", name: "Ada Lovelace", email: "ada@example.com" },
  });
  await page.getByRole("heading", { level: 1, name: "Submission Expired" }).waitFor();
  await page
    .getByText("This request expired on 1 March 2026. Please ask Ada Lovelace for a new link.")
    .waitFor();
  const write = page.getByRole("link", { name: "Write to Ada Lovelace" });
  expect(await write.getAttribute("href")).toStartWith("mailto:ada%40example.com?subject=");
  expect(await violations(page)).toEqual([]);
}, 120_000);

test("a 410 that says so without a code has expired, and one of a proxy says nothing about the link", async () => {
  for (const body of [{ message: "This submission has expired" }, undefined]) {
    const silent = await openWithResponse(410, body);
    await silent.getByRole("heading", { level: 1, name: "Submission Expired" }).waitFor();
  }
  const other = await openWithResponse(410, { message: "Gone fishing" });
  await other.getByRole("heading", { level: 1, name: "Failed to load submission details" }).waitFor();
}, 120_000);

test("a request without documents says so", async () => {
  const page = await openWithResponse(200, {
    title: "Document Request for Charles Babbage",
    subject: null,
    description: "",
    status: "pending",
    documents: [],
    user: { firstName: null, lastName: null, companyName: null, email: "ada@example.com" },
    expirationDate: null,
    maxFileSize: 1024,
  });
  await page.getByRole("heading", { level: 1, name: "No Documents Required" }).waitFor();
  await page.getByText("This submission does not require any documents.", { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
}, 120_000);

test("a request is shown with no more than the specification promises, and each picker is labelled alone", async () => {
  const page = await openWithResponse(200, {
    title: "Document Request for Charles Babbage",
    description: "Please upload the requested documents.",
    status: "pending",
    documents: [
      { name: "Passport", description: "Both sides", required: true, allowedFileTypes: ["pdf", "png"] },
      { name: "Letter", description: "", required: false, allowedFileTypes: ["pdf"] },
    ],
    user: { firstName: null, lastName: null, companyName: null, email: "ada@example.com" },
  });
  await page.getByText("Not provided", { exact: true }).waitFor();
  await enterInformation(page);
  for (const name of ["Passport", "Letter"])
    expect(await page.getByLabel(name).getAttribute("type")).toBe("file");
  await page.getByText("Both sides", { exact: true }).waitFor();
}, 120_000);

test("a server error is reported, and can be retried", async () => {
  const page = await openWithResponse(500, { code: "internal", message: "Something went wrong on our side" });
  await page.getByRole("heading", { level: 1, name: "Invalid Submission Link" }).waitFor();
  await page.getByText("Failed to load submission details", { exact: true }).waitFor();
  await page.getByText("Something went wrong on our side").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.unroute(DETAILS);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 1, name: "Papers for the engine" }).waitFor();
  await page.getByLabel("Name", { exact: true }).waitFor();

  const limited = await openWithResponse(429, { code: "rate_limited" }, { "Retry-After": "300" });
  await limited.getByText("Please try again in 5 min.").waitFor();
}, 120_000);

test("the language is the browser's until another is chosen, which is stored", async () => {
  const { page } = await site.visit(path, { locale: "fr-CA" });
  await page.getByRole("heading", { name: "Vos informations" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("fr");
  await page.getByLabel("Nom", { exact: true }).fill("Charles");
  await page.getByLabel("Langue").selectOption("ja");
  await page.getByRole("heading", { name: "お客様の情報" }).waitFor();
  expect(await page.getByLabel("お名前", { exact: true }).inputValue()).toBe("Charles");
  expect(await page.locator("html").getAttribute("lang")).toBe("ja");
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  await page.reload();
  await page.getByRole("heading", { name: "お客様の情報" }).waitFor();
  expect(paths.filter((path) => path.startsWith("/locales/"))).toEqual(["/locales/ja/submit.json"]);
  expect(await page.evaluate(() => [localStorage.i18nextLng, document.cookie])).toEqual([
    "ja",
    "i18nextLng=ja",
  ]);
}, 120_000);

test("where the browser allows no storage, a request is answered in the chosen language", async () => {
  const visitor = await waitingVisitor();
  const { page } = visitor;
  await page.addInitScript(() => {
    const denied = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
    for (const area of ["localStorage", "sessionStorage", "indexedDB"])
      Object.defineProperty(window, area, { get: denied });
    Object.defineProperty(document, "cookie", { get: denied, set: denied });
  });
  await page.goto(site.url + path);
  await page.getByLabel("Name", { exact: true }).fill("Charles");
  await page.getByLabel("Email", { exact: true }).fill("charles@example.com");
  await page.getByLabel("Language").selectOption("de");
  await page.getByRole("button", { name: "Weiter" }).click();
  await page.getByRole("heading", { name: "Dokumente hochladen" }).waitFor();
}, 120_000);

test("the theme is the system's until another is chosen", async () => {
  const { page } = await site.visit(path, { colorScheme: "dark" });
  const theme = () => page.locator("html").getAttribute("data-theme");
  await page.getByLabel("Theme").waitFor();
  expect(await theme()).toBe("dark");
  await page.getByLabel("Theme").selectOption("light");
  expect(await theme()).toBe("light");
  await page.reload();
  await page.getByLabel("Theme").waitFor();
  expect(await theme()).toBe("light");
}, 120_000);
