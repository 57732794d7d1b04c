import { afterAll, beforeAll, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import english from "../../locales/en/mail.json";
import { buildWeb } from "../../web/build";
import {
  createStaticSite,
  loadStaticFiles,
  type StaticFiles,
  type StaticSite,
} from "../../worker/adapters/bun/site/static-site";
import { API_DESCRIPTION } from "../../worker/adapters/cloudflare/built-texts";
import { apiHeaders, pageHeaders } from "../../worker/lib/security-headers";
import type { SiteServer } from "../support/browser/browser";
import { startWorkerSite } from "../support/browser/worker-site";
import { waitFor } from "../support/wait";

/** What `wrangler dev` serves, beside what Bun serves of the same build. */

let site: SiteServer;
let files: StaticFiles;
let bun: StaticSite;

beforeAll(async () => {
  await buildWeb();
  files = loadStaticFiles(fileURLToPath(new URL("../../web/dist", import.meta.url)));
  bun = createStaticSite(files, { https: false });
  site = await startWorkerSite();
}, 120_000);
afterAll(() => site?.stop(), 120_000);

const get = (path: string, init: RequestInit = {}) => fetch(site.url + path, { redirect: "manual", ...init });
const SECURITY = [
  ...new Set([
    ...Object.keys(apiHeaders({ https: true })),
    ...Object.keys(pageHeaders({ https: true, scriptHashes: [] })),
  ]),
].filter((name) => name !== "Cache-Control");
const securityOf = ({ headers }: Response) =>
  Object.fromEntries(SECURITY.map((name) => [name, headers.get(name)]));

test("every page and its headers are the same as under Bun, deep links included", async () => {
  const pages = [
    "/",
    "/auth",
    "/templates",
    "/contacts?new=1",
    "/contacts/7",
    "/contacts/x",
    "/integrations",
    "/profile",
    "/nothing/here",
    "/auth/here",
    "/health",
    "/metrics",
  ];
  const links = [
    "/submit/some-token",
    "/submit/some-token?utm=1",
    "/verify/some-token",
    "/reset/some-token",
    "/revert-email/some-token",
    "/release-email/some-token",
    "/restore-owner/some-token",
    "/setup/some-token",
    "/unsubscribe/some-token",
    "/sign-in/some-token",
  ];
  const headers = { cookie: `bookmark=00000000-00000001-00000000-${"0".repeat(32)}` };
  for (const path of [...pages, ...links]) {
    const [response, expected] = [await get(path, { headers }), await bun(new Request(site.url + path))];
    expect([path, response.status]).toEqual([path, expected.status]);
    expect(await response.text()).toBe(await expected.text());
    expect(securityOf(response)).toEqual(securityOf(expected));
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(response.headers.get("cache-control")).toMatch(/no-cache|max-age=0/);
  }
}, 120_000);

test("hashed files are cached forever, and the 404 of a missing one is not cached", async () => {
  const scripts = [...files.files.keys()].filter((path) => /^\/assets\/.*\.(?:js|css)$/.test(path));
  for (const path of scripts.slice(0, 5)) {
    const response = await get(path);
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(securityOf(response)).toEqual(securityOf(await bun(new Request(site.url + path))));
    expect(await response.text()).toBe(await bun(new Request(site.url + path)).text());
  }
  for (const path of ["/assets/gone-abc12345.js", "/locales/xx/common.json", "/csp.json", "/build.json"]) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(response.headers.get("cache-control")).toBe("no-store");
  }
}, 120_000);

test("an unchanged file returns 304", async () => {
  for (const path of ["/", "/submit/some-token"]) {
    const etag = (await get(path)).headers.get("etag") ?? "";
    const again = await get(path, { headers: { "If-None-Match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  }
});

test("the API has its headers, errors included, and pages accept only GET and HEAD", async () => {
  const { "Cache-Control": caching, ...headers } = apiHeaders({ https: false });
  for (const path of ["/api/health", "/api/none", "/api/user", "/uploads/none.pdf", "/api"]) {
    const response = await get(path);
    expect(response.headers.get("content-type")).toStartWith("application/json");
    expect(securityOf(response)).toMatchObject(headers);
    expect(response.headers.get("cache-control")).toBe(caching ?? "");
  }
  const posted = await get("/nothing/here", { method: "POST" });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test("the Worker reads the API's description and the texts of mails from its static assets", async () => {
  const description = await (await get("/api/openapi.json")).json();
  expect(description.servers).toEqual([{ url: site.url }]);
  expect(Object.keys(description.paths).length).toBeGreaterThan(50);
  expect(await (await get("/api/docs")).text()).toContain("<h1>Doculopes API</h1>");
  expect((await get(API_DESCRIPTION)).status).toBe(404);
  const body = JSON.stringify({ email: "ada@example.com", password: "correct horse" });
  const headers = { "Content-Type": "application/json", Origin: site.url };
  expect((await get("/api/register", { method: "POST", headers, body })).status).toBe(201);
  const mail = await waitFor("a mail", async () =>
    (await site.mails()).find(({ to }) => to === "ada@example.com"),
  );
  expect(mail.subject).toBe(english.verification.subject);
});

test("without a mail server, a second account sends and invites without confirming its address, as under Bun", async () => {
  const post = async (path: string, body: object, cookie = "") => {
    const headers = { "Content-Type": "application/json", Origin: site.url, Cookie: cookie };
    return get(path, { method: "POST", headers, body: JSON.stringify(body) });
  };
  const account = { email: "grace@example.com", password: "correct horse" };
  const signedUp = await post("/api/register", account);
  expect((await signedUp.json()).isProved).toBe(true);
  const cookie = signedUp.headers.getSetCookie().join("; ");
  const workspaces = await get("/api/workspaces", { headers: { Cookie: cookie } });
  const [{ id }] = await workspaces.json();
  const invitation = { email: "alan@example.com", role: "member" };
  expect((await post(`/api/workspaces/${id}/invitations`, invitation, cookie)).status).toBe(201);
  const text = { recipientPhone: "+442071838750", notificationPreference: "sms" };
  const envelope = { recipientName: "Alan", subject: "Papers", documents: [{ name: "Passport" }], ...text };
  expect((await post("/api/requests", envelope, cookie)).status).toBe(201);
});
