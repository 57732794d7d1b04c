import { expect, test } from "bun:test";
import { createStaticSite } from "../../worker/adapters/bun/site/static-site";
import { assetRules } from "../../worker/adapters/cloudflare/asset-rules";
import { describeApi } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";

const SCRIPT = "'sha256-x'";
const SCRIPTS = [`script-src 'self' ${SCRIPT}`, `script-src papers.example/assets/ ${SCRIPT}`];

/** The headers for which the HTTP Observatory gives an A+; security-headers.test.ts checks the rest. */
function expectSafeHeaders(headers: Headers): void {
  expect(headers.get("Strict-Transport-Security")).toBe("max-age=63072000");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Referrer-Policy")).toBe("no-referrer");
  expect(headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
  expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
  const policy = headers.get("Content-Security-Policy") ?? "";
  const directives = policy.split(";").map((directive) => directive.trim());
  expect(directives).toContain("default-src 'none'");
  expect(directives).toContain("frame-ancestors 'none'");
  expect(directives).toContain("base-uri 'none'");
  const scripts = directives.filter((directive) => /^script-src/.test(directive));
  expect(scripts.filter((directive) => !SCRIPTS.includes(directive))).toEqual([]);
  expect(policy).not.toMatch(/'unsafe-eval'|\*|\bhttps?:/);
  for (const cookie of headers.getSetCookie())
    for (const attribute of ["Secure", "HttpOnly", "SameSite=Lax"])
      expect(cookie).toContain(`; ${attribute}`);
}

test("Bun sends every page with the headers that an A+ needs", () => {
  const page = { path: "", type: "text/html", encodings: new Map() };
  page.encodings.set("identity", { bytes: new Uint8Array(), etag: '"x"' });
  const files = new Map(
    ["/index.html", "/auth.html", "/submit.html"].map((path) => [path, { ...page, path }]),
  );
  const site = createStaticSite(
    { files, scriptHashes: [SCRIPT] },
    {
      https: true,
      origins: ["https://papers.example"],
    },
  );
  for (const path of ["/", "/auth", "/submit/some-token", "/reset/some-token"]) {
    const { status, headers } = site(new Request(`https://papers.example${path}`));
    expect([path, status]).toEqual([path, 200]);
    expectSafeHeaders(headers);
  }
});

test("Cloudflare sends every static asset with the headers that an A+ needs", () => {
  const [everywhere = ""] = assetRules({ https: true, scriptHashes: [SCRIPT] })._headers.split(/\n(?=\/)/);
  const lines = [...everywhere.matchAll(/^ {2}([A-Z][\w-]+): (.+)$/gm)];
  expectSafeHeaders(new Headers(lines.map(([, name = "", value = ""]) => [name, value])));
});

describeApi(
  "HTTP Observatory",
  { publicUrl: "https://papers.example", variables: { ADMIN_EMAILS: "admin@papers.example" } },
  (api) => {
    test("the API and the files have the headers that an A+ needs, signed in or not", async () => {
      const owner = await api.signUp();
      const envelope = await sendEnvelope(owner);
      const sent = await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
      const { submissions } = (await owner.get(`/api/requests/${envelope.id}`)).body;
      const session = await api
        .anonymous()
        .post("/api/login", { email: owner.email, password: owner.password });
      // And the bookmark of D1.
      expect(session.headers.getSetCookie()).toHaveLength(api.runtime === "workerd" ? 4 : 3);
      const responses = [
        sent,
        session,
        await owner.get("/api/user"),
        await api.anonymous().get("/api/user"),
        await api.anonymous().get(linkOf(envelope)),
        await owner.get(submissions[0].url),
        await owner.get(`${submissions[0].url}?download`),
        await api.anonymous().get(submissions[0].url),
      ];
      for (const { headers } of responses) expectSafeHeaders(headers);
    });
  },
);
