import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { buildWeb } from "../../web/build";
import { createStaticSite, loadStaticFiles } from "../../worker/adapters/bun/site/static-site";

await buildWeb();
const files = loadStaticFiles(fileURLToPath(new URL("../../web/dist", import.meta.url)));
const site = createStaticSite(files, { https: false });
const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  site(new Request(`http://localhost:3000${path}`, { method, headers }));
/** Large enough to be compressed. */
const script =
  [...files.files.values()].find(
    ({ path, encodings }) => /^\/assets\/.*\.js$/.test(path) && encodings.size > 1,
  )?.path ?? "";
const BROWSER = { "Accept-Encoding": "gzip, deflate, br, zstd" };

test("every path of the browser's router returns the app, any other returns it with 404", async () => {
  const index = await get("/").text();
  expect(index).toContain('<div id="root">');
  const statuses = {
    "/contacts": 200,
    "/contacts/": 200,
    "/contacts/7": 200,
    "/contacts/x": 404,
    "/templates/7": 404,
    "/auth/here": 404,
    "/health": 404,
    "/metrics": 404,
  };
  for (const [path, status] of Object.entries(statuses)) {
    const response = get(path);
    expect([path, response.status]).toEqual([path, status]);
    expect(await response.text()).toBe(index);
  }
  const etag = get("/health").headers.get("etag") ?? "";
  expect(get("/health", { "If-None-Match": etag }).status).toBe(404);
});

test("the server knows every path of the browser's router", async () => {
  const router = await Bun.file(`${import.meta.dir}/../../web/app/router.tsx`).text();
  const paths = [...router.matchAll(/\bpath: "([^"]+)"/g)].map(([, path = ""]) => path.replace(/\$\w+/, "7"));
  expect(paths.length).toBeGreaterThan(3);
  expect(paths.filter((path) => get(path).status !== 200)).toEqual([]);
});

test("the pages of visitors and of mailed links are separate pages", async () => {
  const page = await get("/auth").text();
  expect(page).not.toBe(await get("/").text());
  for (const path of ["/auth?next=%2Fcontacts", "/reset/some-token", "/verify/some-token"])
    expect(await get(path).text()).toBe(page);
});

test("the recipient's link returns the recipient's page", async () => {
  const page = await get("/submit/some-token").text();
  expect(page).not.toBe(await get("/").text());
  expect(page).not.toContain("some-token");
});

test("a missing file returns 404, not a page", () => {
  for (const path of ["/assets/gone-abc12345.js", "/locales/xx/common.json", "/favicon.gone", "/.env"])
    expect(get(path).status).toBe(404);
});

test("no path leads outside the web app's folder", () => {
  const paths = ["/../package.json", "/..%2f..%2fpackage.json", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd"];
  for (const path of paths) {
    const response = get(path);
    const isApp = response.headers.get("content-type")?.startsWith("text/html");
    expect(response.status === 404 || isApp).toBe(true);
  }
  for (const path of ["/csp.json", "/build.json"]) expect(get(path).status).toBe(404);
});

test("clients that accept compression get compressed files, with Vary", async () => {
  const plain = await get(script).bytes();
  for (const [accepted, encoding] of [
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.5", "br"],
    ["identity", null],
    ["", null],
  ] as const) {
    const response = get(script, { "Accept-Encoding": accepted });
    expect(response.headers.get("content-encoding")).toBe(encoding);
    expect(response.headers.get("vary")).toBe("Accept-Encoding");
    if (encoding === "gzip") expect(Bun.gunzipSync(await response.bytes())).toEqual(plain);
    else if (encoding === null) expect(await response.bytes()).toEqual(plain);
    else expect((await response.bytes()).length).toBeLessThan(plain.length);
  }
});

test("every translation file of the repository is served under its name", async () => {
  for await (const path of new Bun.Glob("*/*.json").scan({ cwd: `${import.meta.dir}/../../locales` }))
    expect([path, get(`/locales/${path}`).status]).toEqual([path, 200]);
});

test("hashed files are cached forever, everything else is revalidated", () => {
  expect(get(script).headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  for (const path of ["/", "/submit/token", "/locales/en/common.json", "/robots.txt"])
    expect(get(path).headers.get("cache-control")).toBe("no-cache");
});

test("pdf.js is cached as immutable, and its worker may only load scripts from this origin", async () => {
  const { version } = require("pdfjs-dist/package.json");
  const worker = get(`/pdfjs/${version}/pdf.worker.js`, BROWSER);
  expect(worker.headers.get("content-type")).toContain("javascript");
  expect(worker.headers.get("content-encoding")).toBe("br");
  expect(worker.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  const policy = worker.headers.get("content-security-policy")?.split("; ") ?? [];
  expect(policy).toContain("default-src 'none'");
  expect(policy.filter((rule) => !rule.endsWith("'none'"))).toEqual(["script-src 'self'"]);
  expect((await worker.bytes()).length).toBeGreaterThan(100_000);
  const map = await get(`/pdfjs/${version}/cmaps/UniJIS-UTF16-H.bcmap`).bytes();
  expect(map).toEqual(
    await Bun.file(`${import.meta.dir}/../../node_modules/pdfjs-dist/cmaps/UniJIS-UTF16-H.bcmap`).bytes(),
  );
  expect(get(`/pdfjs/${version}/none.js`).status).toBe(404);
});

test("scripts come from the folder of the built ones, where the site's host is known, and texts become none", () => {
  const origins = ["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"];
  const local = createStaticSite(files, { https: false, origins });
  const { version } = require("pdfjs-dist/package.json");
  const policyOf = (host: string, path: string) =>
    local(new Request(`http://${host}${path}`))
      .headers.get("content-security-policy")
      ?.split("; ") ?? [];
  const sourcesOf = (host: string) =>
    ["script-src", "worker-src"].map((name) => {
      const rule = policyOf(host, "/contacts").find((directive) => directive.startsWith(name));
      return rule?.replace(/ 'sha256-[^']+'/g, "");
    });
  for (const host of ["localhost:3000", "127.0.0.1:3000"]) {
    expect(sourcesOf(host)).toEqual([`script-src ${host}/assets/`, `worker-src ${host}/pdfjs/`]);
    const worker = policyOf(host, `/pdfjs/${version}/pdf.worker.js`);
    expect(worker).toContain(`script-src ${host}/pdfjs/`);
  }
  // A policy cannot name an IPv6 address, and what a request calls the server is not put into it.
  for (const host of ["[::1]:3000", "elsewhere.example"])
    expect(sourcesOf(host)).toEqual(["script-src 'self'", "worker-src 'self'"]);
  expect(policyOf("localhost:3000", "/")).toContain("require-trusted-types-for 'script'");
});

test("a client with the current version gets 304, for each encoding", async () => {
  const tags = new Set<string>();
  for (const headers of [{}, BROWSER, { "Accept-Encoding": "gzip" }]) {
    const etag = get("/", headers).headers.get("etag") ?? "";
    tags.add(etag);
    const again = get("/", { ...headers, "If-None-Match": `"old", W/${etag}` });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
    expect(get("/", { ...headers, "If-None-Match": '"old"' }).status).toBe(200);
  }
  expect(tags.size).toBe(3);
});

test("only GET and HEAD are allowed", () => {
  for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
    const response = get("/", {}, method);
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD");
  }
});

test("every response has the security headers, whatever its status", () => {
  for (const response of [get("/"), get(script), get("/gone.js"), get("/", {}, "POST"), get("/submit/t")]) {
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe-");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("strict-transport-security")).toBeNull();
    expect(response.headers.get("set-cookie")).toBeNull();
  }
  const secure = createStaticSite(files, { https: true })(new Request("https://example.com/"));
  expect(secure.headers.get("strict-transport-security")).toStartWith("max-age=");
});

test("inline scripts are allowed only by their hash", async () => {
  for (const path of ["/", "/auth", "/submit/token"]) {
    const response = get(path);
    const policy = response.headers.get("content-security-policy") ?? "";
    for (const [, code = ""] of (await response.text()).matchAll(/<script>([\s\S]*?)<\/script>/g)) {
      const hash = new Bun.CryptoHasher("sha256").update(code).digest("base64");
      expect(policy).toContain(`'sha256-${hash}'`);
    }
  }
});

test("pages of private links are not indexed, the sign-in page is", () => {
  for (const path of ["/submit/token", "/verify/token", "/reset/token"])
    expect(get(path).headers.get("x-robots-tag")).toBe("noindex");
  for (const path of ["/", "/auth"]) expect(get(path).headers.get("x-robots-tag")).toBeNull();
});
