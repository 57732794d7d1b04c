import { beforeAll, expect, test } from "bun:test";
import { describeApi, type SignedUp } from "../support/api/client";

const TYPES = [
  "application/json",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=b",
];
const METHODS = ["POST", "PUT", "PATCH", "DELETE", "PROPFIND"];
const SITES = [undefined, "same-origin", "same-site", "none", "cross-site"];

describeApi("requests from other sites", (api) => {
  let alice: SignedUp;
  beforeAll(async () => {
    alice = await api.signUp();
  });
  const port = () => new URL(api.origin).port;
  const own = () => [undefined, api.origin, `http://127.0.0.1:${port()}`, `http://[::1]:${port()}`];
  const foreign = () => [
    "https://evil.example",
    "null",
    api.origin.replace("http:", "https:"),
    `${api.origin}.evil.example`,
    "http://localhost:1",
    "http://localhost",
    `${api.origin}/`,
    api.origin.toUpperCase(),
  ];
  const send = (method: string, origin: string | undefined, site: string | undefined, type: string) =>
    alice.send(method, "/api/contacts", method === "DELETE" ? undefined : "{}", {
      "content-type": type,
      ...(origin !== undefined && { origin }),
      ...(site !== undefined && { "sec-fetch-site": site }),
    });

  test("a change from another site is rejected, whatever its method and type", async () => {
    for (const method of METHODS)
      for (const type of TYPES) {
        const calls = [
          ...foreign().map((origin) => [origin, "same-origin"]),
          ...own().map((origin) => [origin, "cross-site"]),
        ];
        for (const [origin, site] of calls) {
          const { status, body } = await send(method, origin, site, type);
          expect([method, origin, site, status, body]).toEqual([
            method,
            origin,
            site,
            403,
            {
              message:
                "This page has another address than the one the server is set up for. Please tell the operator, who sets it with PUBLIC_URL",
              code: "cross_site",
            },
          ]);
        }
      }
  });

  test("a change from the same site passes", async () => {
    for (const origin of own())
      for (const site of SITES.filter((value) => value !== "cross-site")) {
        expect((await send("POST", origin, site, "application/json")).status).toBe(400);
        for (const type of TYPES.slice(1)) expect((await send("POST", origin, site, type)).status).toBe(415);
      }
  });

  test("the Host header does not make an origin trusted", async () => {
    const evil = { host: "evil.example", origin: "https://evil.example" };
    const headers = { ...evil, "content-type": "application/json" };
    expect((await alice.send("POST", "/api/contacts", "{}", headers)).status).toBe(403);
  });

  test("reads are not checked, and change nothing", async () => {
    const before = (await alice.get("/api/user")).body;
    const evil = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    for (const path of ["/api/user", "/api/contacts", "/api/workspaces", "/api/health"])
      for (const method of ["GET", "HEAD"])
        expect((await alice.send(method, path, undefined, evil)).status).toBe(200);
    expect((await alice.get("/api/user")).body).toEqual(before);
  });

  test("no response allows another origin to read it", async () => {
    for (const method of ["GET", "OPTIONS"]) {
      const { headers } = await alice.send(method, "/api/user", undefined, {
        origin: "https://evil.example",
        "access-control-request-method": "POST",
      });
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  test("a body without a JSON content type is rejected before it is read", async () => {
    const calls = [
      "/api/register",
      "/api/login",
      "/api/password/forgot",
      "/api/password/reset",
      "/api/contacts",
      "/api/templates",
      "/api/requests",
      "/api/workspaces",
      "/api/user/change-password",
      "/api/user/verify",
      "/api/support/messages",
    ];
    for (const path of calls)
      for (const type of [
        ...TYPES.slice(1),
        "application/jsonp",
        "application/json-patch+json",
        "json",
        "text/json",
      ])
        expect([
          path,
          type,
          (await alice.send("POST", path, "{}", { "content-type": type })).body.code,
        ]).toEqual([path, type, "json_required"]);
    for (const type of [
      "application/json;charset=utf-8",
      "Application/JSON ; charset=UTF-8",
      "application/json;",
    ]) {
      const response = await alice.send("POST", "/api/contacts", '{"firstName":"Ada"}', {
        "content-type": type,
      });
      expect([type, response.status]).toEqual([type, 201]);
    }
  });
});
