import { expect, test } from "bun:test";
import { createApp } from "../../worker/app";
import type { Dependencies } from "../../worker/dependencies";
import { type Client, describeApi, type SignedUp } from "../support/api";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/envelopes";
import { pdfFile } from "../support/files";
import { TEST_START } from "../support/runtime";
import { addWebhook, enabledWebhooks } from "../support/webhooks";

const later = (minutes: number) => new Date(Date.parse(TEST_START) + minutes * 60_000).toISOString();
const DAY = 24 * 60;

/** The calls that accept an API token; every other call that needs a user rejects it. */
const OPEN_TO_TOKENS =
  /^(GET \/api\/user|[A-Z]+ \/(api\/(workspaces|contacts|templates|requests|webhooks)|uploads)(\/.*)?)$/;
/** Calls that need no user. */
const PUBLIC =
  /^(GET \/api\/(health|live|ready|session|openapi\.json|docs.*)|[A-Z]+ \/api\/(register|login|logout|password\/.*|auth\/.*|submissions\/.*|invitations\/.*)|POST \/api\/user\/(?:verify|revert-email))$/;

describeApi("API tokens", (api) => {
  /** A program that has only the token. */
  function programWith(token: string, headers: Record<string, string> = {}): Client {
    const client = api.anonymous();
    const send: Client["send"] = (method, path, body, more) =>
      client.send(method, path, body, { authorization: `Bearer ${token}`, ...headers, ...more });
    return {
      ...client,
      send,
      get: (path) => send("GET", path),
      post: (path, body) => send("POST", path, body),
      put: (path, body) => send("PUT", path, body),
      patch: (path, body) => send("PATCH", path, body),
      delete: (path) => send("DELETE", path),
    };
  }
  async function issue(owner: SignedUp, scope: "read" | "write" = "write", expiresAt?: string) {
    const { status, body } = await owner.post("/api/tokens", { name: "Nightly import", scope, expiresAt });
    expect(status).toBe(201);
    return body as { id: number; token: string };
  }

  test("a token is shown once; neither the list nor the database contains it", async () => {
    const alice = await api.signUp();
    const { id, token } = await issue(alice, "read", "2026-04-01T02:00:00+02:00");
    expect(token).toMatch(/^dlp_[0-9A-Za-z]{36}$/);
    expect((await alice.get("/api/tokens")).body).toEqual([
      {
        id,
        name: "Nightly import",
        scope: "read",
        prefix: token.slice(0, 8),
        createdAt: TEST_START,
        expiresAt: "2026-04-01T00:00:00.000Z",
        lastUsedAt: null,
      },
    ]);
    const rows = JSON.stringify(await api.select(`select * from api_tokens where id = ${id}`));
    expect(rows).not.toContain(token.slice(8));
  });

  test("a write token can create envelopes, list them and download files", async () => {
    const alice = await api.signUp();
    const program = programWith((await issue(alice)).token, { origin: "https://elsewhere.example" });
    const sent = await program.post("/api/requests", ENVELOPE);
    expect(sent.status).toBe(201);
    expect((await api.anonymous().post(linkOf(sent.body), form({ Contract: pdfFile() }))).status).toBe(201);
    const { body } = await program.get(`/api/requests/${sent.body.id}`);
    expect((await program.get(body.submissions[0].url)).status).toBe(200);
    expect((await program.get("/api/user")).body.email).toBe(alice.email);
    const contact = await program.post("/api/contacts", { firstName: "Rita" });
    expect((await program.patch(`/api/contacts/${contact.body.id}`, { firstName: "Ria" })).status).toBe(200);
    expect((await program.delete(`/api/contacts/${contact.body.id}`)).status).toBe(204);
    expect(
      (await program.send("GET", "/api/contacts")).headers.get("access-control-allow-origin"),
    ).toBeNull();
  });

  test("a token acts for its owner, whatever cookie is sent with it", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const envelope = await sendEnvelope(bob);
    const program = programWith((await issue(alice)).token, { cookie: bob.cookie });
    expect((await program.get(`/api/requests/${envelope.id}`)).status).toBe(404);
    expect((await program.get("/api/user")).body.id).toBe(alice.id);
    const wrong = programWith("dlp_nonsense", { cookie: bob.cookie });
    expect((await wrong.get("/api/user")).status).toBe(401);
  });

  test("a read token can only read", async () => {
    const alice = await api.signUp();
    const envelope = await sendEnvelope(alice);
    const program = programWith((await issue(alice, "read")).token);
    expect((await program.get("/api/requests")).body).toHaveLength(1);
    expect((await program.send("HEAD", `/api/requests/${envelope.id}`)).status).toBe(200);
    for (const [method, path, body] of [
      ["POST", "/api/requests", ENVELOPE],
      ["PUT", `/api/requests/${envelope.id}`, ENVELOPE],
      ["DELETE", `/api/requests/${envelope.id}`],
      ["POST", `/api/requests/${envelope.id}/remind`],
      ["PATCH", `/api/workspaces/${alice.workspaceId}`, { retentionDays: 7 }],
      ["POST", "/api/contacts", { firstName: "Eve" }],
    ] as const) {
      const { status, body: answer } = await program.send(method, path, body);
      expect([path, status, answer.code]).toEqual([path, 403, "token_scope"]);
    }
    expect((await alice.get(`/api/requests/${envelope.id}`)).body).toEqual(envelope);
  });

  test("no token can use the routes of the account itself", async () => {
    const alice = await api.signUp();
    const { id, token } = await issue(alice);
    const program = programWith(token);
    const { routes } = createApp({} as Dependencies);
    const served = new Set(
      routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`),
    );
    const rejected = [...served].filter((route) => !OPEN_TO_TOKENS.test(route) && !PUBLIC.test(route));
    expect(rejected).toContain("POST /api/user/change-password");
    for (const route of rejected) {
      const [method = "", path = ""] = route.split(" ");
      const answer = await program.send(method, path.replace(":id", String(id)));
      expect([route, answer.status, answer.body?.code]).toEqual([route, 403, "token_not_allowed"]);
    }
    expect((await alice.get("/api/tokens")).body).toHaveLength(1);
  });

  test("a wrong, expired or revoked token returns 401", async () => {
    const alice = await api.signUp();
    const { id, token } = await issue(alice);
    const expiring = await issue(alice, "read", later(60));
    const swapped = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
    const rejection = {
      message: "This API token is unknown, expired or revoked",
      code: "invalid_token",
    };
    for (const wrong of [
      swapped,
      `${token}x`,
      token.toLowerCase(),
      "dlp_",
      "",
      alice.cookie.split("=")[1] ?? "",
    ]) {
      const { status, body } = await programWith(wrong).get("/api/requests");
      expect([status, body]).toEqual([401, rejection]);
    }
    expect((await programWith(expiring.token).get("/api/requests")).status).toBe(200);
    await api.setClock(later(60));
    expect((await programWith(expiring.token).get("/api/requests")).status).toBe(401);
    await api.setClock(TEST_START);
    expect((await alice.delete(`/api/tokens/${id}`)).status).toBe(204);
    expect((await programWith(token).get("/api/requests")).body).toEqual(rejection);
    expect((await alice.delete(`/api/tokens/${id}`)).status).toBe(404);
  });

  test("a password change ends tokens and webhooks only if asked; a reset unless asked not to", async () => {
    const alice = await api.signUp();
    const count = async () => (await alice.get("/api/tokens")).body.length;
    const change = (more: object) =>
      alice.post("/api/user/change-password", {
        currentPassword: alice.password,
        newPassword: alice.password,
        confirmPassword: alice.password,
        ...more,
      });
    const reset = async (more: object) => {
      await api.anonymous().post("/api/password/forgot", { email: alice.email });
      await api.finishBackgroundWork();
      const token = /\/reset\/([\w-]+)/.exec((await api.mails()).at(-1)?.text ?? "")?.[1];
      const input = { token, newPassword: alice.password, ...more };
      expect((await api.anonymous().post("/api/password/reset", input)).status).toBe(204);
      await alice.post("/api/login", { email: alice.email, password: alice.password });
    };
    const webhooks = () => enabledWebhooks(api, alice.id);
    await issue(alice);
    await addWebhook(alice);
    await change({});
    expect([await count(), await webhooks()]).toEqual([1, 1]);
    await change({ revokeTokens: true });
    expect([await count(), await webhooks()]).toEqual([0, 0]);
    const { token } = await issue(alice);
    await addWebhook(alice);
    await reset({ revokeTokens: false });
    expect([await count(), await webhooks()]).toEqual([1, 1]);
    await reset({});
    expect([await count(), await webhooks()]).toEqual([0, 0]);
    expect((await programWith(token).get("/api/user")).status).toBe(401);
  });

  test("the last use is rounded to the hour", async () => {
    const alice = await api.signUp();
    const program = programWith((await issue(alice)).token);
    const lastUse = async () => (await alice.get("/api/tokens")).body[0].lastUsedAt;
    await program.get("/api/requests");
    expect(await lastUse()).toBe("2026-03-14T09:00:00.000Z");
    await api.setClock(later(DAY));
    await program.get("/api/requests");
    expect(await lastUse()).toBe("2026-03-15T09:00:00.000Z");
    await api.setClock(TEST_START);
  });

  test.each([
    [{ scope: "read" }, "name"],
    [{ name: " ", scope: "read" }, "name"],
    [{ name: "x".repeat(101), scope: "read" }, "name"],
    [{ name: "Backup", scope: "admin" }, "scope"],
    [{ name: "Backup" }, "scope"],
    [{ name: "Backup", scope: "read", expiresAt: "tomorrow" }, "expiresAt"],
    [{ name: "Backup", scope: "read", expiresAt: "2026-03-14T09:26:53.000Z" }, "expiresAt"],
  ])("%j is rejected because of its %s", async (input, path) => {
    const alice = await api.signUp();
    const { status, body } = await alice.post("/api/tokens", input);
    expect([status, body.issues[0].path]).toEqual([400, path]);
  });

  test("an account has at most 100 tokens, even if they are created concurrently", async () => {
    const alice = await api.signUp();
    for (let count = 0; count < 95; count += 1) await issue(alice);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => alice.post("/api/tokens", { name: "More", scope: "read" })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe("too_many_tokens");
    expect((await alice.get("/api/tokens")).body).toHaveLength(100);
  });
});

describeApi(
  "the limit of an API token",
  (api) => {
    test("allows 600 calls a minute, reports how many are left, and then returns 429", async () => {
      const alice = await api.signUp();
      const { token } = (await alice.post("/api/tokens", { name: "Busy", scope: "read" })).body;
      const call = () =>
        api.anonymous().send("GET", "/api/user", undefined, { authorization: `Bearer ${token}` });
      const first = await call();
      const left = (name: string) => first.headers.get(`ratelimit-${name}`);
      expect([left("limit"), left("remaining"), left("reset")]).toEqual(["600", "599", "60"]);
      for (let count = 1; count < 600; count += 1) await call();
      const { status, headers, body } = await call();
      expect([status, body.code, headers.get("ratelimit-remaining")]).toEqual([429, "rate_limited", "0"]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      await api.setClock(later(1));
      expect((await call()).status).toBe(200);
    });
  },
  { rateLimits: "on" },
);
