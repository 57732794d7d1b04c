import { beforeAll, expect, test } from "bun:test";
import { type ApiResponse, describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE } from "../support/api/envelopes";

const JSON_TYPE = { "content-type": "application/json" };
const TARGETS = [
  ["POST", "/api/contacts"],
  ["POST", "/api/requests"],
  ["POST", "/api/templates"],
  ["POST", "/api/workspaces"],
  ["POST", "/api/login"],
  ["POST", "/api/register"],
  ["PATCH", "/api/user/profile"],
  ["POST", "/api/user/complete-onboarding"],
] as const;

describeApi("malformed input", (api) => {
  let alice: SignedUp;
  beforeAll(async () => {
    alice = await api.signUp();
  });
  const expectFailure = ({ status, body }: ApiResponse) => {
    expect(status).toBeWithin(400, 500);
    expect(body).toMatchObject({
      message: expect.stringMatching(/\w/),
      code: expect.stringMatching(/^[a-z_]+$/),
    });
  };

  test.each([
    "{",
    "[",
    '{"a":}',
    "{'a':1}",
    "undefined",
    "NaN",
    '"\\x"',
    "{}x",
    "\0",
    "\u{feff}{",
    '{"a":"\n"}',
    "-",
    "01",
    // Valid, but nested deeper than any input.
    `${'{"a":['.repeat(11)}${"]}".repeat(11)}`,
  ])("the body %j is not JSON", async (body) => {
    for (const [method, path] of TARGETS) {
      const response = await alice.send(method, path, body, JSON_TYPE);
      expect([response.status, response.body]).toEqual([
        400,
        { message: "The request is not valid JSON", code: "malformed_json" },
      ]);
    }
  });

  test("a long body that is not JSON is rejected like a short one, and one that is JSON is read as it is", async () => {
    const long = JSON.stringify({ firstName: "Ada", more: "x".repeat(200_000) });
    const broken = await alice.send("POST", "/api/contacts", long.slice(0, -1), JSON_TYPE);
    expect([broken.status, broken.body.code]).toEqual([400, "malformed_json"]);
    const response = await alice.send("POST", "/api/contacts", long, JSON_TYPE);
    expect([response.status, response.body.firstName]).toEqual([201, "Ada"]);
  });

  test("a body that is not UTF-8 is rejected instead of stored with replacement characters", async () => {
    const latin1 = Buffer.from('{"firstName":"Andr\u00e9","usageType":"personal"}', "latin1");
    for (const [method, path] of TARGETS) {
      const response = await alice.send(method, path, new Uint8Array(latin1), JSON_TYPE);
      expect([path, response.status, response.body.code]).toEqual([path, 400, "malformed_json"]);
    }
    const withKey = { ...JSON_TYPE, "idempotency-key": "latin1" };
    const response = await alice.send("POST", "/api/contacts", new Uint8Array(latin1), withKey);
    expect([response.status, response.body.code]).toEqual([400, "malformed_json"]);
  });

  test("braces, quotes and backslashes in a text do not count as nesting", async () => {
    const notes = `${"[{".repeat(50)}"\\"${"[{".repeat(50)}\\`;
    const response = await alice.post("/api/contacts", { firstName: "Ada", notes });
    expect([response.status, response.body.notes]).toEqual([201, notes]);
  });

  test("a byte order mark before JSON is ignored, as in files saved by Windows programs", async () => {
    const body = new TextEncoder().encode('\ufeff{"firstName":"Ada","lastName":"Lovelace"}');
    const response = await alice.send("POST", "/api/contacts", body, JSON_TYPE);
    expect([response.status, response.body.firstName]).toEqual([201, "Ada"]);
  });

  test.each(["null", "[]", "7", '"text"', "true", "[[[]]]", '{"email":{},"name":[],"firstName":{}}'])(
    "the body %s is JSON but has the wrong shape",
    async (body) => {
      for (const [method, path] of TARGETS) {
        const response = await alice.send(method, path, body, JSON_TYPE);
        if (response.status !== 200) expectFailure(response);
      }
    },
  );

  test("deep nesting, huge numbers and unusual keys are ordinary validation errors", async () => {
    const deep = (open: string, close: string) => `${open.repeat(50_000)}${close.repeat(50_000)}`;
    for (const value of [
      deep("[", "]"),
      `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`,
      "1e400",
      "-1e400",
      "9".repeat(5000),
      "1e-400",
    ])
      for (const [field, path] of [
        ["firstName", "/api/contacts"],
        ["documents", "/api/requests"],
        ["contactId", "/api/requests"],
        ["fields", "/api/templates"],
      ])
        expectFailure(await alice.send("POST", path ?? "", `{"${field}":${value}}`, JSON_TYPE));
    const keys =
      '{"__proto__":{"isDraft":true,"polluted":1},"constructor":{"prototype":{"polluted":1}},"firstName":"Ada"}';
    const made = await alice.send("POST", "/api/contacts", keys, JSON_TYPE);
    expect([made.status, made.body.polluted, "polluted" in {}]).toEqual([201, undefined, false]);
    const twice = await alice.send("POST", "/api/contacts", '{"firstName":"A","firstName":"B"}', JSON_TYPE);
    expect(twice.body.firstName).toBe("B");
    expectFailure(await alice.send("POST", "/api/requests", `{"__proto__":{"isDraft":true}}`, JSON_TYPE));
  });

  test("NUL and lone surrogates are rejected in every text, not stripped", async () => {
    for (const bad of ["a\0b", "\0", "a\ud800b", "\udc00"]) {
      const calls = [
        ["POST", "/api/contacts", { firstName: bad }],
        ["POST", "/api/contacts", { firstName: "A", notes: bad }],
        ["POST", "/api/workspaces", { name: bad }],
        ["POST", "/api/templates", { name: "A", fields: [{ name: bad }] }],
        ["POST", "/api/requests", { ...ENVELOPE, recipientName: bad }],
        ["POST", "/api/requests", { ...ENVELOPE, subject: bad }],
        ["POST", "/api/requests", { ...ENVELOPE, message: bad }],
        ["POST", "/api/requests", { isDraft: true, documents: [{ name: bad }] }],
        ["PATCH", "/api/user/profile", { firstName: bad }],
        ["POST", "/api/register", { email: `${bad}@example.com`, password: "secret" }],
        ["POST", "/api/support/messages", { message: bad }],
      ] as const;
      for (const [method, path, body] of calls)
        expect((await alice.send(method, path, body)).body.code).toBe("validation");
    }
  });

  test("every other text is returned as it was sent", async () => {
    for (const text of [
      "\u202eevil",
      "a\u0001b",
      "𝕏 🎉 👩‍👩‍👧",
      "'; drop table users; --",
      "<b>&amp;</b>",
      "{{name}} %s",
      "a\r\nb\tc",
      "\u2028",
      "ﷺ".repeat(60),
    ]) {
      const { status, body } = await alice.post("/api/contacts", {
        firstName: `[${text}]`,
        notes: `[${text}]`,
      });
      expect([status, body.firstName, body.notes]).toEqual([201, `[${text}]`, `[${text}]`]);
      expect((await alice.get(`/api/contacts/${body.id}`)).body).toEqual(body);
    }
  });

  test("unknown paths and methods return 404, very long ones included", async () => {
    const paths = [
      "/api/%",
      "/api/%zz",
      "/api/contacts/%",
      "/api/contacts/%c0%ae",
      "/api/contacts/%00",
      "/api/contacts/..%2f..",
      "/api/user%20",
      "/api/contacts/1%0d%0aSet-Cookie:%20a=b",
      `/api/${"x".repeat(8000)}`,
      `/api/contacts/${"1".repeat(8000)}`,
      "/uploads/%",
      "/api/submissions/%ff",
      "/api/..%5c..%5c",
    ];
    for (const path of paths) {
      const response = await alice.get(path);
      expect([path, response.status]).toEqual([path, 404]);
      expectFailure(response);
    }
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])
      expectFailure(await alice.send(method, "/api/workspaces"));
    for (const query of [
      "%",
      "%00",
      "a[]=1&a[b]=2",
      "__proto__=1",
      `x=${"y".repeat(8000)}`,
      "&&&===",
      "workspaceId",
    ])
      expect((await alice.get(`/api/workspaces?${query}`)).status).toBe(200);
    for (const query of ["workspaceId=%", "workspaceId=%00", "workspaceId[]=1&limit=x", "workspaceId"])
      expect((await alice.get(`/api/contacts?${query}`)).body.code).toBe("validation");
  });
});
