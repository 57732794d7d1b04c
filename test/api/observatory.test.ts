import { expect, test } from "bun:test";
import { createStaticSite } from "../../worker/adapters/bun/site/static-site";
import { assetRules } from "../../worker/adapters/cloudflare/asset-rules";
import { apiHeaders, fileHeaders } from "../../worker/lib/security-headers";
import { describeApi } from "../support/api";
import { form, linkOf, sendEnvelope } from "../support/envelopes";
import { pdfFile } from "../support/files";
import { A_PLUS, observatoryScore } from "../support/observatory";

const SCRIPT = "'sha256-x'";

test("the pages have an A+ of the HTTP Observatory, under Bun and as static assets", async () => {
  const page = { path: "", type: "text/html", encodings: new Map() };
  page.encodings.set("identity", { bytes: new Uint8Array(), etag: '"x"' });
  const files = new Map(
    ["/index.html", "/auth.html", "/submit.html"].map((path) => [path, { ...page, path }]),
  );
  const site = createStaticSite({ files, scriptHashes: [SCRIPT] }, { https: true });
  for (const path of ["/", "/auth", "/submit/some-token", "/reset/some-token"]) {
    const { status, headers } = site(new Request(`https://papers.example${path}`));
    expect([path, status, observatoryScore(headers)]).toEqual([path, 200, 130]);
  }
  const [everywhere = ""] = assetRules({ https: true, scriptHashes: [SCRIPT] })._headers.split(/\n(?=\/)/);
  const lines = [...everywhere.matchAll(/^ {2}([A-Z][\w-]+): (.+)$/gm)];
  const headers = new Headers(lines.map(([, name = "", value = ""]) => [name, value]));
  expect(observatoryScore(headers)).toBe(130);
});

test("a header that is missing or says too little costs the grade", () => {
  const whole = Object.entries(apiHeaders({ https: true }));
  const scoreOf = (headers: [string, string][]) => observatoryScore(new Headers(headers));
  expect(scoreOf(whole)).toBe(130);
  expect(observatoryScore(new Headers(fileHeaders({ https: true })))).toBe(120);
  for (const missing of ["Content-Security-Policy", "Strict-Transport-Security"])
    expect(scoreOf(whole.filter(([name]) => name !== missing))).toBeLessThan(A_PLUS);
  for (const policy of ["script-src *", "script-src 'self' 'unsafe-inline'", "default-src https:"]) {
    const others = whole.filter(([name]) => name !== "Content-Security-Policy");
    expect(scoreOf([...others, ["Content-Security-Policy", policy]])).toBeLessThan(A_PLUS);
  }
  for (const cookie of ["session=1", "session=1; Secure; SameSite=Lax", "session=1; Secure; HttpOnly"])
    expect(scoreOf([...whole, ["Set-Cookie", cookie]])).toBeLessThan(A_PLUS);
  expect(scoreOf([...whole, ["Access-Control-Allow-Origin", "*"]])).toBeLessThan(A_PLUS);
});

describeApi(
  "HTTP Observatory",
  (api) => {
    test("the interface and the files have an A+, signed in and not", async () => {
      const owner = await api.signUp();
      const envelope = await sendEnvelope(owner);
      const sent = await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
      const { submissions } = (await owner.get(`/api/requests/${envelope.id}`)).body;
      const answers = {
        submission: sent,
        session: await api.anonymous().post("/api/login", { email: owner.email, password: owner.password }),
        user: await owner.get("/api/user"),
        nobody: await api.anonymous().get("/api/user"),
        link: await api.anonymous().get(linkOf(envelope)),
        file: await owner.get(submissions[0].url),
        download: await owner.get(`${submissions[0].url}?download`),
        "no file": await api.anonymous().get(submissions[0].url),
      };
      expect(answers.session.headers.getSetCookie()).toHaveLength(1);
      for (const [what, { headers }] of Object.entries(answers))
        expect([what, observatoryScore(headers)]).toEqual([
          what,
          what.match(/^(?:file|download)$/) ? 120 : 130,
        ]);
    });
  },
  { publicUrl: "https://papers.example" },
);
