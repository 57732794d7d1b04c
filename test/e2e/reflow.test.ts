import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { form } from "../support/api/envelopes";
import { PHONE, waitUntilLoaded } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { CONTRACT, LETTER, openRequestor, PASSPORT, type Requestor } from "../support/browser/submit-page";
import { pdfFile } from "../support/files/files";

/** The viewport of a 1280 by 1024 window at a zoom of 400 %. */
const ZOOMED = { viewport: { width: 320, height: 256 }, locale: "de-DE" };

const site = setUpTestSite();
/** The first account, on a phone. */
let administrator: Requestor;
beforeAll(async () => {
  const { viewport } = PHONE;
  administrator = await openRequestor(site, "huge@example.com", { viewport, locale: "de-DE" });
}, 120_000);

/** Elements that scroll sideways once nothing moves: a page of a PDF takes some frames to fit its place. */
async function sideways(page: Page): Promise<string[]> {
  for (let frame = 0; frame < 20 && (await sidewaysNow(page)).length > 0; frame += 1)
    await page.evaluate(() => new Promise(requestAnimationFrame));
  return sidewaysNow(page);
}

/** Elements that can only be read by scrolling sideways. */
const sidewaysNow = (page: Page) =>
  page.evaluate(() => {
    const scrolls = [...document.querySelectorAll("body *")].filter(
      (element) =>
        element.scrollWidth > element.clientWidth + 1 &&
        ["auto", "scroll"].includes(getComputedStyle(element).overflowX),
    );
    const { scrollWidth } = document.documentElement;
    return [
      ...(scrollWidth > innerWidth ? [`the page is ${scrollWidth} wide`] : []),
      ...scrolls.map((element) => `${element.tagName} ${element.textContent?.slice(0, 40)}`),
    ];
  });

/** Buttons that cannot be scrolled into view or clicked. */
async function unreachable(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const button of await page.getByRole("dialog").getByRole("button").all()) {
    await button.scrollIntoViewIfNeeded();
    const reached = await button.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      // A file input is hidden behind the label that looks like a button.
      return (element.closest("label") ?? element).contains(hit);
    });
    if (!reached) found.push((await button.textContent()) || (await button.getAttribute("aria-label")) || "");
  }
  return found;
}

/** Sets the browser's default font size to 32 px. */
async function useHugeFont(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
}

/** Controls of the topmost dialog, or of the page, that a finger may miss. Links within a text are not controls. */
const tooSmall = (page: Page) =>
  page.evaluate(() => {
    const dialogs = document.querySelectorAll("[role=dialog], [role=alertdialog]");
    const root = dialogs[dialogs.length - 1] ?? document.body;
    const controls = root.querySelectorAll<HTMLElement>(
      "button, a[href], select, input, textarea, [role=combobox]",
    );
    return [...controls].flatMap((element) => {
      const target = element.closest("label") ?? element;
      const { width, height } = target.getBoundingClientRect();
      const isHidden =
        !element.checkVisibility({ visibilityProperty: true }) || element.matches(".sr-only, [type=file]");
      // The link of a row covers the whole row.
      const inText =
        (["inline", "inline-block"].includes(getComputedStyle(target).display) && element.matches("a")) ||
        getComputedStyle(element, "::after").position === "absolute";
      if (isHidden || inText || element.matches(":disabled") || (width >= 39 && height >= 39)) return [];
      const name = element.getAttribute("aria-label") || target.textContent || element.outerHTML.slice(0, 80);
      return [`${name.slice(0, 40)}: ${Math.round(width)} by ${Math.round(height)}`];
    });
  });

/** What every account has. */
const PAGES = ["/", "/templates", "/contacts", "/integrations", "/profile", "/workspace"];
const DIALOGS = [
  ...["/?wizard=new", "/?wizard=several", "/templates?dialog=new"],
  ...["/contacts?dialog=new", "/contacts?dialog=import"],
];

/** Opens each path, and the dialog that it names. @returns what is found there */
async function checkEach(page: Page, paths: string[], find: (page: Page) => Promise<string[]>) {
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(site.url + path);
    await page.getByRole("heading").first().waitFor();
    if (/[?&](?:wizard|dialog|envelope)=/.test(path)) await page.getByRole("dialog").waitFor();
    await waitUntilLoaded(page);
    found.push(...(await find(page)).map((problem) => `${path.replace(/\w{20,}/, "…")} ${problem}`));
  }
  return found;
}

/** An envelope that waits, one with a submitted file, and a contact, by their paths. */
async function fillAccount({ page, requestDocuments }: Requestor) {
  const { id, submissionToken } = await requestDocuments([PASSPORT, CONTRACT, LETTER], {
    expirationDate: "2099-12-31",
  });
  const submitted = await requestDocuments([CONTRACT]);
  const files = form({ [CONTRACT.name]: pdfFile("Unterschriebener_Vertrag_mit_allen_Anlagen.pdf") });
  const sent = { method: "POST", body: files };
  expect((await fetch(`${site.url}/api/submissions/${submitted.submissionToken}`, sent)).status).toBe(201);
  const made = await page.request.post(`${site.url}/api/contacts`, { data: { firstName: "Mary" } });
  const details = [`/?envelope=${id}`, `/?envelope=${submitted.id}`];
  return {
    own: [...details, `/contacts/${(await made.json()).id}`, `/submit/${submissionToken}`],
    review: `/?envelope=${submitted.id}&review=1`,
    completed: `/submit/${submitted.submissionToken}`,
  };
}

test("on a touch screen every control is at least 40 px wide and high", async () => {
  const ada = await openRequestor(site, "thumb@example.com", { ...PHONE, locale: "en-GB" });
  const { page } = ada;
  const { own } = await fillAccount(ada);
  const guest = await site.visit("/auth", { ...PHONE, locale: "en-GB" });
  expect(await checkEach(page, [...PAGES, ...DIALOGS, ...own], tooSmall)).toEqual([]);
  expect(await checkEach(guest.page, ["/auth"], tooSmall)).toEqual([]);
}, 120_000);

test("at 320 by 256 pixels nothing scrolls sideways, and every button of a dialog can be reached", async () => {
  const ada = await openRequestor(site, "ada@example.com", ZOOMED);
  const { page } = ada;
  const [details = "", , , link = ""] = (await fillAccount(ada)).own;
  const [{ id }] = await (await page.request.get(`${site.url}/api/workspaces`)).json();
  await page.request.patch(`${site.url}/api/workspaces/${id}`, { data: { name: "W".repeat(100) } });
  expect(await checkEach(page, [...PAGES, link], sideways)).toEqual([]);
  const find = async () => [...(await sideways(page)), ...(await unreachable(page))];
  expect(await checkEach(page, [...DIALOGS, details], find)).toEqual([]);

  // On a small phone a long name leaves room for the details.
  await page.setViewportSize({ width: 320, height: 568 });
  const long = await ada.requestDocuments([PASSPORT], { recipientName: "Wolfeschlegel ".repeat(14).trim() });
  await page.goto(`${site.url}/?envelope=${long.id}`);
  await page.getByRole("dialog").waitFor();
  await waitUntilLoaded(page);
  const scrolling = page.getByRole("dialog").locator(".overflow-y-auto").first();
  expect(await scrolling.evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThan(160);
}, 120_000);

test("on a phone with a default font of 32 px nothing scrolls sideways", async () => {
  const { page } = administrator;
  const { own, review, completed } = await fillAccount(administrator);
  await useHugeFont(page);
  const find = async (shown: Page) => [
    ...(await sideways(shown)),
    ...(await shown.evaluate(() => {
      const { fontSize } = getComputedStyle(document.documentElement);
      return fontSize === "32px" ? [] : [`has a font of ${fontSize}`];
    })),
  ];
  const paths = [...PAGES, ...DIALOGS, ...own, review, "/administration"];
  expect(await checkEach(page, paths, find)).toEqual([]);
  const guest = await site.visit("/auth", { ...PHONE, locale: "de-DE", statuses: [400, 404, 410] });
  await useHugeFont(guest.page);
  const open = ["/nowhere", "/auth", "/auth?mode=forgot", "/reset/none", "/invite/none", "/unsubscribe/none"];
  expect(await checkEach(guest.page, [...open, "/submit/none", completed], find)).toEqual([]);
}, 120_000);

test("the last step of the wizard and the contact list fit in a very short window", async () => {
  const { page } = await site.openAccount("short@example.com", { ...ZOOMED, locale: "en-GB" });
  await page.request.post(`${site.url}/api/contacts`, { data: { firstName: "Mary" } });
  await page.goto(`${site.url}/?wizard=new`);
  const wizard = page.getByRole("dialog", { name: "Create New Envelope" });
  await wizard.getByRole("button", { name: /contact/i }).click();
  const search = page.getByRole("combobox", { name: "Search contacts" });
  await search.fill("Mary");
  const box = await search.boundingBox();
  expect(box?.y).toBeGreaterThanOrEqual(0);
  await page.getByRole("option", { name: "Mary" }).click();
  await wizard.getByLabel("Recipient Email").fill("mary@example.com");
  for (const [label, text] of [
    ["Subject", "Papers"],
    ["Document Name", "Passport"],
  ] as const) {
    await wizard.getByRole("button", { name: "Next" }).click();
    await wizard.getByLabel(label).fill(text);
  }
  await wizard.getByRole("button", { name: "Next" }).click();
  await wizard.getByRole("button", { name: "Create Envelope" }).waitFor();
  expect(await unreachable(page)).toEqual([]);
  expect(await sideways(page)).toEqual([]);
}, 120_000);
