import { expect, test } from "bun:test";
import { type Api, describeApi } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";

const COMMON = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-robots-tag": "noindex",
};
const API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
const HSTS = "max-age=63072000";

/** One response of each kind. */
async function answersOf(api: Api) {
  const alice = await api.signUp();
  const envelope = await sendEnvelope(alice);
  const json = { "content-type": "application/json" };
  const api_ = {
    ok: await alice.get("/api/user"),
    created: await alice.post("/api/contacts", { firstName: "Ada" }),
    "no content": await api.anonymous().post("/api/logout"),
    link: await api.anonymous().get(linkOf(envelope)),
    invalid: await alice.post("/api/contacts", {}),
    malformed: await alice.send("POST", "/api/contacts", "{", json),
    "signed out": await api.anonymous().get("/api/user"),
    "cross-site": await alice.send("POST", "/api/contacts", "{}", {
      ...json,
      origin: "https://evil.example",
    }),
    unknown: await alice.get("/api/nothing"),
    "unknown method": await alice.send("PATCH", "/api/health"),
    conflict: await api.anonymous().post("/api/register", { email: alice.email, password: "secret" }),
    "too large": await alice.send("POST", "/api/contacts", "x".repeat(1024 * 1024 + 1), json),
    "wrong type": await alice.send("POST", "/api/contacts", "x", { "content-type": "text/plain" }),
    head: await alice.send("HEAD", "/api/user"),
    options: await alice.send("OPTIONS", "/api/user"),
    "no file": await alice.get("/uploads/nothing"),
  };
  await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
  const { body } = await alice.get(`/api/requests/${envelope.id}`);
  const { url } = body.submissions[0];
  const etag = (await alice.get(url)).headers.get("etag") ?? "";
  const files = {
    file: await alice.get(url),
    part: await alice.get(url, { range: "bytes=0-1" }),
    "unchanged file": await alice.get(url, { "if-none-match": etag }),
    "file's head": await alice.send("HEAD", url),
  };
  const rejected = {
    gone: await api.anonymous().get(linkOf(envelope)),
    "no such part": await alice.get(url, { range: "bytes=99999-" }),
  };
  return { api: api_, rejected, files };
}

function declare(hsts: string | null) {
  return (api: Api) => {
    test("every response has them and a request id, errors and files included", async () => {
      const { api: answers, rejected, files } = await answersOf(api);
      for (const [what, { headers }] of Object.entries({ ...answers, ...rejected, ...files })) {
        for (const [name, value] of Object.entries(COMMON))
          expect([what, name, headers.get(name)]).toEqual([what, name, value]);
        expect([what, headers.get("strict-transport-security")]).toEqual([what, hsts]);
        expect(headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
        for (const name of ["server", "x-powered-by"]) expect(headers.has(name)).toBe(false);
      }
      for (const [what, { headers }] of Object.entries({ ...answers, ...rejected }))
        expect([what, headers.get("content-security-policy"), headers.get("cache-control")]).toEqual([
          what,
          API_POLICY,
          "no-store",
        ]);
      for (const { headers } of Object.values(files))
        expect(headers.get("cache-control")).toBe("private, no-cache");
    });

    test("every failure has a message and a code, and 204 has no body", async () => {
      const { api: answers, rejected } = await answersOf(api);
      for (const [what, { status, body, text, headers }] of Object.entries({ ...answers, ...rejected })) {
        if (status === 204 || what === "head") expect([what, text]).toEqual([what, ""]);
        else expect([what, headers.get("content-type")]).toEqual([what, "application/json"]);
        if (status >= 400)
          expect(body).toMatchObject({
            message: expect.stringMatching(/\w/),
            code: expect.stringMatching(/^[a-z_]+$/),
          });
      }
      const unknown = { status: 404, body: { message: "Not found", code: "not_found" } };
      const client = api.anonymous();
      for (const path of [
        "/api/nothing",
        "/api",
        "/api/",
        "/api/users",
        "/api/requests/1/x",
        "/api/user/",
        "/API/user",
        "/api//user",
      ])
        expect(await client.get(path)).toMatchObject(unknown);
      expect(await (await api.signUp()).get("/api/nothing")).toMatchObject(unknown);
    });
  };
}

describeApi("security headers", declare(null));
const ADMIN_EMAILS = "admin@papers.example";
const publicUrl = "https://papers.example";
describeApi("security headers over https", { publicUrl, variables: { ADMIN_EMAILS } }, declare(HSTS));
const SUBDOMAINS = { publicUrl, variables: { HSTS_SUBDOMAINS: "on", ADMIN_EMAILS } };
describeApi("security headers with HSTS_SUBDOMAINS", SUBDOMAINS, declare(`${HSTS}; includeSubDomains`));
