import { beforeAll, expect, test } from "bun:test";
import { DOCUMENT_DEFAULTS, DOCUMENT_FIELDS } from "../../worker/contract/documents";
import { describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE } from "../support/api/envelopes";

type Case = readonly [path: string, field: string, limit: number, bodyOf: (length: number) => object];

const x = (length: number) => "x".repeat(length);
const entries = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `Document ${index}` }));
const emailOf = (length: number) =>
  `${x(60)}@${"y".repeat(length - 65)}.com`.replace(/y{60}/g, (run) => `${run.slice(1)}.`);

/** Each limit of the contract: a body at the limit is accepted, one beyond it is rejected. */
const CASES: Case[] = [
  ["/api/workspaces", "name", 200, (n) => ({ name: x(n) })],
  ["/api/workspaces", "description", 10_000, (n) => ({ name: "A", description: x(n) })],
  ["/api/contacts", "firstName", 200, (n) => ({ firstName: x(n) })],
  ["/api/contacts", "lastName", 200, (n) => ({ firstName: "A", lastName: x(n) })],
  ["/api/contacts", "company", 200, (n) => ({ firstName: "A", company: x(n) })],
  ["/api/contacts", "phone", 32, (n) => ({ firstName: "A", phone: "5".repeat(n) })],
  ["/api/contacts", "notes", 10_000, (n) => ({ firstName: "A", notes: x(n) })],
  ["/api/contacts", "email", 254, (n) => ({ firstName: "A", email: emailOf(n) })],
  ["/api/templates", "name", 200, (n) => ({ name: x(n), fields: [{ name: "A" }] })],
  [
    "/api/templates",
    "description",
    10_000,
    (n) => ({ name: "A", description: x(n), fields: [{ name: "A" }] }),
  ],
  ["/api/templates", "fields", 100, (n) => ({ name: "A", fields: entries(n) })],
  ["/api/templates", "fields.0.name", 200, (n) => ({ name: "A", fields: [{ name: x(n) }] })],
  [
    "/api/templates",
    "fields.0.description",
    10_000,
    (n) => ({ name: "A", fields: [{ name: "A", description: x(n) }] }),
  ],
  ["/api/requests", "recipientName", 200, (n) => ({ ...ENVELOPE, recipientName: x(n) })],
  ["/api/requests", "subject", 500, (n) => ({ ...ENVELOPE, subject: x(n) })],
  ["/api/requests", "message", 10_000, (n) => ({ ...ENVELOPE, message: x(n) })],
  ["/api/requests", "recipientEmail", 254, (n) => ({ ...ENVELOPE, recipientEmail: emailOf(n) })],
  ["/api/requests", "documents", 100, (n) => ({ ...ENVELOPE, documents: entries(n) })],
  ["/api/requests", "documents.0.name", 200, (n) => ({ ...ENVELOPE, documents: [{ name: x(n) }] })],
  [
    "/api/requests",
    "documents.0.description",
    10_000,
    (n) => ({ ...ENVELOPE, documents: [{ name: "A", description: x(n) }] }),
  ],
  [
    "/api/requests",
    "documents.0.allowedFileTypes",
    50,
    (n) => ({
      ...ENVELOPE,
      documents: [{ name: "A", allowedFileTypes: Array.from({ length: n }, (_, index) => `t${index}`) }],
    }),
  ],
  [
    "/api/requests",
    "documents.0.allowedFileTypes.0",
    20,
    (n) => ({ ...ENVELOPE, documents: [{ name: "A", allowedFileTypes: [x(n)] }] }),
  ],
  [
    "/api/requests",
    "documents.0.options",
    50,
    (n) => ({
      ...ENVELOPE,
      documents: [
        { name: "A", kind: "choice", options: Array.from({ length: n }, (_, option) => `${option}`) },
      ],
    }),
  ],
  ["/api/support/messages", "message", 10_000, (n) => ({ message: x(n) })],
];

test("each list of a requested document has a case; test/web checks its texts", () => {
  const fields = DOCUMENT_FIELDS.filter((field) => Array.isArray(DOCUMENT_DEFAULTS[field]));
  // Attachments need files: test/api/attachments.test.ts.
  const cases = ["documents.0.attachments", ...CASES.map(([, field]) => field)];
  expect(fields.filter((field) => !cases.includes(`documents.0.${field}`))).toEqual([]);
});

describeApi("limits", (api) => {
  let alice: SignedUp;
  beforeAll(async () => {
    alice = await api.signUp();
  });

  test.each(CASES)("%s accepts a %s of %d and no more", async (path, field, limit, bodyOf) => {
    expect((await alice.post(path, bodyOf(limit))).status).toBeOneOf([201, 204]);
    const over = await alice.post(path, bodyOf(limit + 1));
    expect([over.status, over.body.code]).toEqual([400, "validation"]);
    expect(over.body.issues.map((issue: { path: string }) => issue.path)).toContain(field);
  });

  test("passwords have 6 to 200 significant characters", async () => {
    const email = "long@example.com";
    const visitor = api.anonymous();
    expect((await visitor.post("/api/register", { email, password: x(201) })).status).toBe(400);
    expect((await visitor.post("/api/register", { email, password: x(5) })).status).toBe(400);
    expect((await visitor.post("/api/register", { email, password: x(200) })).status).toBe(201);
    expect((await visitor.post("/api/login", { email, password: x(199) })).status).toBe(401);
    expect((await visitor.post("/api/login", { email, password: `${x(199)}y` })).status).toBe(401);
    expect((await visitor.post("/api/login", { email, password: x(200) })).status).toBe(200);
    expect(
      (await visitor.post("/api/register", { email: "six@example.com", password: "123456" })).status,
    ).toBe(201);
  });

  test("a JSON body has at most 1 MiB, chunked or not", async () => {
    const bodyOf = (bytes: number) => {
      const head = `{"firstName":"A","more":"`;
      return `${head}${x(bytes - head.length - 2)}"}`;
    };
    const json = { "content-type": "application/json" };
    const whole = bodyOf(1024 * 1024);
    expect((await alice.send("POST", "/api/contacts", whole, json)).status).toBe(201);
    for (const body of [bodyOf(1024 * 1024 + 1), new Blob([bodyOf(1024 * 1024 + 1)]).stream()]) {
      const { status, body: failure } = await alice.send("POST", "/api/contacts", body, json);
      expect([status, failure]).toEqual([
        413,
        { code: "body_too_large", message: "The request is too large" },
      ]);
    }
  });

  test("an envelope of 100 documents with the longest texts is stored and changed in full", async () => {
    const documents = entries(100).map(({ name }) => ({
      name,
      description: "é".repeat(2_000),
      required: true,
    }));
    const { status, body } = await alice.post("/api/requests", { ...ENVELOPE, documents });
    expect([status, body.documents.length]).toEqual([201, 100]);
    const renamed = documents.map((entry, index) => ({ ...entry, name: `Renamed ${index}` }));
    const changed = await alice.put(`/api/requests/${body.id}`, { ...body, documents: renamed });
    expect(changed.status).toBe(200);
    expect(changed.body.documents.map(({ name }: { name: string }) => name)).toEqual(
      renamed.map(({ name }) => name),
    );
  });
});
