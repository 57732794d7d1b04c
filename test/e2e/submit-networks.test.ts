import { afterAll, afterEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { startBunSite, type Visitor, violations } from "../support/browser/browser";
import { setUpRequestor } from "../support/browser/site-set-up";
import {
  CONTRACT,
  cardOf,
  choose,
  digestsOf,
  enterInformation,
  openLink,
  received,
  submitAll,
  uploaded,
} from "../support/browser/submit-page";
import { largePdfFile, pdfFile } from "../support/files/files";
import { type AnsweringProxy, startAnsweringProxy } from "../support/servers/answering-proxy";
import { waitFor } from "../support/wait";

let proxy: AnsweringProxy;
const { site, requestor: ada } = setUpRequestor("ada@example.com", async () => {
  proxy = startAnsweringProxy();
  const server = await startBunSite({ publicUrl: proxy.url });
  proxy.forwardTo(server.url);
  return { ...server, url: proxy.url };
});
afterAll(() => proxy.stop());
afterEach(() => proxy.answer());

const MB = 1024 * 1024;
const LARGE = largePdfFile(3.5 * MB);

const html = (status: number) =>
  new Response("<html><h1>Error</h1></html>", { status, headers: { "Content-Type": "text/html" } });

/** What routers, portals and firewalls respond in the server's place. */
const FOREIGN: [what: string, () => Response][] = [
  ["404 of a router", () => new Response("404 page not found", { status: 404 })],
  ["400 of a proxy", () => html(400)],
  ["401 of a proxy", () => html(401)],
  ["403 in JSON", () => Response.json({ message: "Forbidden" }, { status: 403 })],
  ["410 in JSON", () => Response.json({ code: "410", message: "Gone" }, { status: 410 })],
  ["413 of a proxy", () => html(413)],
  ["501 of a proxy", () => html(501)],
  ["503 of a proxy", () => html(503)],
  ["redirect to a portal", () => Response.redirect("/portal", 302)],
  ["page of a portal", () => html(200)],
];
const STATUSES = { statuses: [400, 401, 403, 404, 405, 410, 413, 501, 502, 503] };

/** Answers calls of the API whose path matches; returns how many there were. */
function answerCalls(path: RegExp, answer: (request: Request) => Response | undefined): () => number {
  let calls = 0;
  proxy.answer((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/portal") return html(200);
    if (!pathname.startsWith("/api/submissions/") || !path.test(pathname)) return undefined;
    calls += 1;
    return answer(request);
  });
  return () => calls;
}

/** The words of a failure that only the server can know of. */
const WRONG = /virus|removed|could not be uploaded|invalid|too large|expired/i;

const saysNothingWrong = async (page: Page) =>
  expect(await page.locator("main").textContent()).not.toMatch(WRONG);

const REQUEST = /^\/api\/submissions\/[^/]+$/;
const UPLOADS = /\/uploads/;

const waiting = (page: Page) => cardOf(page, "Signed contract").getByText("Waiting for the connection");

async function atDocuments(): Promise<{ envelope: { id: number; submissionToken: string } } & Visitor> {
  const envelope = await ada.requestDocuments([CONTRACT]);
  const visitor = await openLink(site, envelope, STATUSES);
  await enterInformation(visitor.page);
  return { envelope, ...visitor };
}

/** The page tries again at once when the browser is online again. */
const goOnline = (page: Page) => page.evaluate(() => dispatchEvent(new Event("online")));

/** Answers the calls with each of the foreign responses, while the page must not blame file or link. */
async function answerWrongly(page: Page, path: RegExp, only?: (request: Request) => boolean): Promise<void> {
  for (const [what, respond] of FOREIGN) {
    const calls = answerCalls(path, (request) => (only && !only(request) ? undefined : respond()));
    const before = calls();
    await waitFor(`a call with the ${what}`, async () => {
      await goOnline(page);
      return calls() > before;
    });
    // The page has handled it.
    await waitFor(`another call after the ${what}`, async () => {
      await goOnline(page);
      return calls() > before + 1;
    });
    await saysNothingWrong(page);
  }
}

test("a request that a router, a portal or a firewall answers is loaded by itself later", async () => {
  const envelope = await ada.requestDocuments([CONTRACT]);
  answerCalls(REQUEST, () => html(404));
  const { page } = await openLink(site, envelope, STATUSES);
  await page.getByRole("heading", { level: 1, name: "Failed to load submission details" }).waitFor();
  await page.getByText("The server cannot be reached.").waitFor();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  expect(await page.title()).not.toMatch(WRONG);
  expect(await violations(page)).toEqual([]);
  await answerWrongly(page, REQUEST);
  await page.reload();
  await page.getByText("This page tries again by itself.").waitFor();
  proxy.answer();
  await page.getByRole("heading", { level: 1, name: "Papers for the engine" }).waitFor();
}, 120_000);

test("an upload that a router, a portal or a firewall answers waits and continues by itself", async () => {
  const { page, envelope } = await atDocuments();
  answerCalls(UPLOADS, () => html(404));
  await choose(page, "Signed contract", pdfFile());
  await waiting(page).waitFor();
  await answerWrongly(page, UPLOADS);
  // The bytes and their progress, once the creation has succeeded.
  await answerWrongly(page, UPLOADS, ({ url }) => !url.endsWith("/uploads"));
  proxy.answer();
  await goOnline(page);
  await uploaded(page, "Signed contract").waitFor();
  await submitAll(page);
  expect(await received(site, ada, envelope)).toEqual(await digestsOf(pdfFile()));
}, 120_000);

test("a submission is repeated while a proxy responds for the server", async () => {
  const { page, envelope } = await atDocuments();
  await choose(page, "Signed contract", pdfFile());
  await uploaded(page, "Signed contract").waitFor();
  const [[, notFound = () => html(404)] = []] = FOREIGN;
  let left = 2;
  answerCalls(/\/submit$/, () => {
    left -= 1;
    return left >= 0 ? notFound() : undefined;
  });
  await submitAll(page);
  expect(await received(site, ada, envelope)).toEqual(await digestsOf(pdfFile()));
}, 120_000);

test("a submission whose response a proxy has replaced shows its receipt", async () => {
  const { page } = await atDocuments();
  await choose(page, "Signed contract", pdfFile());
  let lost = 0;
  proxy.answer(async (request) => {
    if (!request.url.endsWith("/submit") || lost > 0) return undefined;
    lost += 1;
    await proxy.forward(request);
    return html(502);
  });
  await submitAll(page);
  expect(lost).toBe(1);
  await page.getByText("Documents Submitted Successfully", { exact: true }).waitFor();
}, 120_000);

test("a submission that a proxy rejects keeps files and page, and shows its receipt when it is repeated", async () => {
  const { page } = await atDocuments();
  await choose(page, "Signed contract", pdfFile());
  await uploaded(page, "Signed contract").waitFor();
  let submitted = 0;
  proxy.answer(async (request) => {
    if (!request.url.endsWith("/submit")) return undefined;
    // The server has it, and the page does not know.
    if (submitted === 0) await proxy.forward(request);
    submitted += 1;
    return html(410);
  });
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByText("The server cannot be reached.").waitFor();
  await saysNothingWrong(page);
  proxy.answer();
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();
}, 120_000);

test("a message that a proxy rejects stays in its field", async () => {
  const { page } = await atDocuments();
  await page.getByRole("button", { name: "Write to Ada Lovelace" }).click();
  const field = page.getByLabel("Message to Ada Lovelace");
  await field.fill("Which page?");
  answerCalls(/\/messages$/, () => html(404));
  await page.getByRole("button", { name: "Send message" }).click();
  await page.getByText("The server cannot be reached.").waitFor();
  expect(await field.inputValue()).toBe("Which page?");
  proxy.answer();
  await page.getByRole("button", { name: "Send message" }).click();
  await page.getByText("Your message was sent.").waitFor();
}, 120_000);

test.each([405, 501, 400])("where %i forbids PATCH, HEAD and DELETE, files go their way", async (status) => {
  const { page, envelope } = await atDocuments();
  answerCalls(UPLOADS, ({ method }) => (method === "POST" ? undefined : html(status)));
  await choose(page, "Signed contract", pdfFile("wrong.pdf"));
  await uploaded(page, "Signed contract").waitFor();
  await page.getByRole("button", { name: "Remove file for Signed contract" }).click();
  const { documents } = await waitFor("the server to have no file", async () => {
    const request = await (
      await page.request.get(`${site.url}/api/submissions/${envelope.submissionToken}`)
    ).json();
    return request.documents[0].files.length === 0 && request;
  });
  expect(documents).toHaveLength(1);
  await choose(page, "Signed contract", pdfFile());
  await uploaded(page, "Signed contract").waitFor();
  await submitAll(page);
  expect(await received(site, ada, envelope)).toEqual(await digestsOf(pdfFile()));
});

/** Rejects larger bodies, as nginx does. @returns the sizes of those that were sent */
function rejectAbove(max: number): number[] {
  const sizes: number[] = [];
  answerCalls(UPLOADS, ({ method, headers }) => {
    if (method === "HEAD") return undefined;
    const size = Number(headers.get("Content-Length"));
    sizes.push(size);
    return size > max ? html(413) : undefined;
  });
  return sizes;
}

test("chunks become smaller until a proxy lets them through", async () => {
  const { page, envelope } = await atDocuments();
  const sizes = rejectAbove(MB);
  await choose(page, "Signed contract", LARGE);
  await uploaded(page, "Signed contract").waitFor();
  const chunks = sizes.filter((size) => size > 0);
  expect(chunks.slice(0, 4)).toEqual([LARGE.size, 2 * MB, MB, MB]);
  await submitAll(page);
  expect(await received(site, ada, envelope)).toEqual(await digestsOf(LARGE));
}, 120_000);

test("chunks become smaller where a proxy closes the connection instead of rejecting them", async () => {
  const { page, envelope } = await atDocuments();
  await page.evaluate((max) => {
    const { send } = XMLHttpRequest.prototype;
    const lost: number[] = [];
    Object.assign(window, { lost });
    XMLHttpRequest.prototype.send = function (body) {
      if (!(body instanceof Blob) || body.size <= max) return send.call(this, body);
      lost.push(body.size);
      // As after a reset, its status is 0.
      setTimeout(() => this.dispatchEvent(new ProgressEvent("loadend")));
    };
  }, MB);
  await choose(page, "Signed contract", LARGE);
  await waitFor("the upload", async () => {
    await goOnline(page);
    return (await uploaded(page, "Signed contract").count()) > 0;
  });
  expect(await page.evaluate(() => Reflect.get(window, "lost"))).toEqual([LARGE.size, LARGE.size, 2 * MB]);
  await submitAll(page);
  expect(await received(site, ada, envelope)).toEqual(await digestsOf(LARGE));
}, 120_000);

test("where the smallest chunks are too large, the page blames the connection and tries again", async () => {
  const { page, envelope } = await atDocuments();
  const sizes = rejectAbove(100 * 1024);
  await choose(page, "Signed contract", LARGE);
  const card = cardOf(page, "Signed contract");
  await card.getByText("This connection does not let the file through.").waitFor();
  expect(Math.min(...sizes.filter((size) => size > 0))).toBe(MB / 4);
  await saysNothingWrong(page);
  proxy.answer();
  await goOnline(page);
  await uploaded(page, "Signed contract").waitFor();
  await submitAll(page);
  expect(await received(site, ada, envelope)).toEqual(await digestsOf(LARGE));
}, 120_000);

test("a new upload whose offset cannot be read begins at 0, and continues where the server says", async () => {
  const { page, envelope } = await atDocuments();
  let sent = 0;
  answerCalls(UPLOADS, ({ method, headers }) => {
    const isRead = method === "HEAD" || headers.get("X-HTTP-Method-Override") === "HEAD";
    return isRead ? html(400) : undefined;
  });
  page.on("request", (request) => {
    if (request.method() === "PATCH") sent += 1;
  });
  await choose(page, "Signed contract", pdfFile());
  await uploaded(page, "Signed contract").waitFor();
  expect(sent).toBe(1);
  await submitAll(page);
  expect(await received(site, ada, envelope)).toEqual(await digestsOf(pdfFile()));
}, 120_000);
