import { describe, expect, test } from "bun:test";
import { createApp } from "../../worker/app";
import type { Dependencies } from "../../worker/dependencies";
import { describeApi, programOf, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope, withoutDelivery } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { inviteTo, joinAs } from "../support/api/team";
import { addWebhook, enabledWebhooks } from "../support/api/webhooks";
import { pdfFile, pngFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

const later = (minutes: number) => new Date(Date.parse(TEST_START) + minutes * 60_000).toISOString();
const DAY = 24 * 60;

/** The calls that accept an API token; every other call that needs a user rejects it. */
const OPEN_TO_TOKENS =
  /^(GET \/api\/user|[A-Z]+ \/(api\/(workspaces|contacts|templates|requests|webhooks|attachments|series|documents)|uploads)(\/.*)?|GET \/api\/destinations(\/.*)?|POST \/api\/destinations\/:id\/(test|backfill|deliveries\/.*))$/;
/** Calls that need no user. */
const PUBLIC =
  /^(GET \/api\/(health|live|ready|session|openapi\.json|docs.*)|[A-Z]+ \/api\/(register|login(\/.*)?|password\/.*|auth\/.*|destinations\/callback\/.*|submissions\/.*|unsubscribe\/.*|invitations\/.*)|POST \/api\/user\/(?:verify|revert-email|release-email))$/;

describeApi("API tokens", (api) => {
  const programWith = (token: string, headers?: Record<string, string>) => programOf(api, token, headers);
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
        workspaceId: null,
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

  describe("a token that is limited to a workspace", () => {
    const limited = async (owner: SignedUp, workspaceId: number, scope = "write") => {
      const { status, body } = await owner.post("/api/tokens", { name: "One", scope, workspaceId });
      expect([status, body.workspaceId]).toEqual([201, workspaceId]);
      return programWith(body.token);
    };
    const inNewWorkspace = async (owner: SignedUp) =>
      (await owner.post("/api/workspaces", { name: "Other" })).body.id as number;

    test("sees and fills only that one, and adds its things there", async () => {
      const alice = await api.signUp();
      const other = await inNewWorkspace(alice);
      const elsewhere = (await alice.post("/api/contacts", { firstName: "Ada" })).body.id;
      const program = await limited(alice, other);
      const ids = async (path: string) =>
        (await program.get(path)).body.map(
          ({ workspaceId, id }: Record<string, number>) => workspaceId ?? id,
        );
      expect(await ids("/api/workspaces")).toEqual([other]);
      const created = await program.post("/api/contacts", { firstName: "Rita" });
      expect([created.status, created.body.workspaceId]).toEqual([201, other]);
      await program.post("/api/requests", { ...ENVELOPE, isDraft: true });
      expect(await ids("/api/contacts")).toEqual([other]);
      expect(await ids("/api/requests")).toEqual([other]);
      const webhook = { url: "https://hooks.example.com/", events: ["request.deleted"] };
      expect((await program.post("/api/webhooks", webhook)).body.workspaceId).toBe(other);
      await alice.post("/api/webhooks", webhook);
      expect(await ids("/api/webhooks")).toEqual([other]);
      for (const response of [
        await program.get(`/api/contacts/${elsewhere}`),
        await program.get(`/api/contacts?workspaceId=${alice.workspaceId}`),
        await program.post("/api/contacts", { firstName: "Eve", workspaceId: alice.workspaceId }),
        await program.post("/api/requests", { ...ENVELOPE, contactId: elsewhere }),
        await program.post("/api/webhooks", { ...webhook, workspaceId: alice.workspaceId }),
        await program.get(`/api/workspaces/${alice.workspaceId}/members`),
      ])
        expect(response.status).toBe(404);
    });

    test("does not add workspaces, nor move an envelope to another one", async () => {
      const alice = await api.signUp();
      const program = await limited(alice, alice.workspaceId);
      const { status, body } = await program.post("/api/workspaces", { name: "New" });
      expect([status, body.code]).toEqual([403, "token_not_allowed"]);
      const { body: draft } = await program.post("/api/requests", { isDraft: true });
      const workspaceId = await inNewWorkspace(alice);
      const moved = await program.put(`/api/requests/${draft.id}`, { isDraft: true, workspaceId });
      expect(moved.status).toBe(404);
    });

    test("is limited by role and scope too, and may do nothing once its account has left", async () => {
      const alice = await api.signUp();
      const viewer = await joinAs(api, alice, "viewer");
      const { workspaceId } = alice;
      const writer = await limited(viewer, workspaceId);
      const reader = await limited(alice, workspaceId, "read");
      const contact = { firstName: "Rita", workspaceId };
      expect((await writer.post("/api/contacts", contact)).body.code).toBe("role_required");
      expect((await reader.post("/api/contacts", contact)).body.code).toBe("token_scope");
      expect((await writer.get(`/api/workspaces/${workspaceId}/members`)).status).toBe(200);
      await viewer.delete(`/api/workspaces/${workspaceId}/members/${viewer.id}`);
      expect((await writer.get(`/api/workspaces/${workspaceId}/members`)).status).toBe(404);
      expect((await writer.get("/api/workspaces")).body).toEqual([]);
      expect((await writer.get("/api/contacts")).body).toEqual([]);
    });

    test("stays without access when its account joins again", async () => {
      const alice = await api.signUp();
      const { workspaceId } = alice;
      const path = `/api/workspaces/${workspaceId}/members`;
      const joined = await joinAs(api, alice, "owner");
      const [program, unlimited] = [
        await limited(joined, workspaceId),
        programWith((await issue(joined)).token),
      ];
      const asCode = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
      const invite = () => inviteTo(api, alice, joined.email, "owner");
      const join = async (token: string) =>
        expect((await joined.post("/api/invitations/join", { token })).status).toBe(200);
      expect((await alice.delete(`${path}/${joined.id}`)).status).toBe(204);
      expect((await program.get(path)).status).toBe(404);
      await join(await invite());
      expect(asCode(await program.get(path))).toEqual([401, "invalid_token"]);
      expect((await unlimited.get(path)).status).toBe(200);

      const second = await limited(joined, workspaceId);
      expect((await joined.delete(`${path}/${joined.id}`)).status).toBe(204);
      await join(await invite());
      expect(asCode(await second.get(path))).toEqual([401, "invalid_token"]);

      const third = await limited(joined, workspaceId);
      const ofDemoted = await limited(alice, workspaceId);
      expect((await alice.delete(`${path}/${joined.id}`)).status).toBe(204);
      const token = (await mailedTokens(api, "restore-owner", joined.email)).at(-1);
      const restored = await api.anonymous().post("/api/workspaces/restore-owner", { token });
      expect(restored.status).toBe(204);
      expect(asCode(await third.get(path))).toEqual([401, "invalid_token"]);
      expect((await ofDemoted.get(path)).status).toBe(404);
      const expiries = (await joined.get("/api/tokens")).body.map(
        ({ expiresAt }: { expiresAt: string | null }) => expiresAt !== null,
      );
      expect(expiries).toEqual([true, true, false, true]);
    });

    test("cannot be limited to a workspace of others, and ends with its workspace", async () => {
      const [alice, bob] = [await api.signUp(), await api.signUp()];
      const input = { name: "One", scope: "write", workspaceId: bob.workspaceId };
      const { status, body } = await alice.post("/api/tokens", input);
      expect([status, body.code]).toEqual([404, "workspace_not_found"]);
      expect((await alice.get("/api/tokens")).body).toEqual([]);
      const other = await inNewWorkspace(alice);
      const program = await limited(alice, other);
      expect((await program.delete(`/api/workspaces/${other}`)).status).toBe(204);
      expect((await program.get("/api/workspaces")).status).toBe(401);
      expect((await alice.get("/api/tokens")).body).toEqual([]);
    });

    test("sees the pictures of the people in it, and of nobody else", async () => {
      const alice = await api.signUp();
      const colleague = await joinAs(api, alice, "member");
      const picture = form({ avatar: pngFile() });
      const { avatarUrl } = (await colleague.post("/api/user/avatar", picture)).body;
      expect((await (await limited(alice, alice.workspaceId)).get(avatarUrl)).status).toBe(200);
      const elsewhere = await limited(alice, await inNewWorkspace(alice));
      expect((await elsewhere.get(avatarUrl)).status).toBe(404);
    });
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
    expect(withoutDelivery((await alice.get(`/api/requests/${envelope.id}`)).body)).toEqual(
      withoutDelivery(envelope),
    );
  });

  test("no response to a read token contains a recipient's link; a session and a write token see it", async () => {
    const alice = await api.signUp();
    const sent = await sendEnvelope(alice);
    const { body: draft } = await alice.post("/api/requests", { ...ENVELOPE, isDraft: true });
    const reader = programWith((await issue(alice, "read")).token);
    const writer = programWith((await issue(alice)).token);
    await addWebhook(alice);
    const { routes } = createApp({} as Dependencies);
    const readable = [...new Set(routes.filter(({ method }) => method === "GET").map(({ path }) => path))]
      .filter((path) => OPEN_TO_TOKENS.test(`GET ${path}`))
      .map((path) => path.replace(":id", String(sent.id)));
    expect(readable).toContain(`/api/requests/${sent.id}/timeline`);
    for (const path of [...readable, `/api/requests/${draft.id}`, "/api/requests?counts=1&limit=1"]) {
      const { text } = await reader.get(path);
      expect(text).not.toContain(sent.submissionToken);
      expect(text).not.toContain(draft.submissionToken);
    }
    const { body } = await reader.get(`/api/requests/${sent.id}`);
    expect(withoutDelivery(body)).toEqual({ ...withoutDelivery(sent), submissionToken: null });
    const [listed] = (await reader.get("/api/requests?limit=1")).body;
    expect(listed.submissionToken).toBeNull();

    for (const client of [alice, writer]) {
      expect((await client.get(`/api/requests/${sent.id}`)).body.submissionToken).toBe(sent.submissionToken);
      const created = await client.post("/api/requests", ENVELOPE);
      expect(created.body.submissionToken).toMatch(/^[\w-]{20,}$/);
      // What a reader got can be sent back as it came.
      const replaced = await client.put(`/api/requests/${draft.id}`, {
        ...{ ...draft, updatedAt: null },
        submissionToken: null,
      });
      expect(replaced.body.submissionToken).toBe(draft.submissionToken);
    }
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
      const response = await program.send(method, path.replace(":id", String(id)));
      expect([route, response.status, response.body?.code]).toEqual([route, 403, "token_not_allowed"]);
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

  test("a password change ends tokens, webhooks and sent invitations only if asked; a reset unless asked not to", async () => {
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
    const workspace = `/api/workspaces/${alice.workspaceId}`;
    const access = async () => [
      await count(),
      await enabledWebhooks(api, alice.id),
      (await alice.get(`${workspace}/members`)).body.invitations.length,
    ];
    const give = async () => {
      await addWebhook(alice);
      const thief = { email: "thief@example.com", role: "owner" };
      expect((await alice.post(`${workspace}/invitations`, thief)).status).toBe(201);
      return issue(alice);
    };
    await give();
    await change({});
    expect(await access()).toEqual([1, 1, 1]);
    await change({ revokeTokens: true });
    expect(await access()).toEqual([0, 0, 0]);
    const { token } = await give();
    await reset({ revokeTokens: false });
    expect(await access()).toEqual([1, 1, 1]);
    await reset({});
    expect(await access()).toEqual([0, 0, 0]);
    expect((await programWith(token).get("/api/user")).status).toBe(401);
  });

  test("a webhook ends with the token that made it, or that changed where it sends, unless a user takes it over", async () => {
    const alice = await api.signUp();
    const [maker, changer, expiring] = [
      await issue(alice),
      await issue(alice),
      await issue(alice, "write", later(60)),
    ];
    const made = await addWebhook(programWith(maker.token));
    const takenOver = await addWebhook(programWith(maker.token));
    const own = await addWebhook(alice);
    const [moved, rotated, edited] = [
      await addWebhook(alice),
      await addWebhook(alice),
      await addWebhook(alice),
    ];
    const expires = await addWebhook(programWith(expiring.token));
    const url = "https://elsewhere.example.com/";
    const program = programWith(changer.token);
    expect((await program.patch(`/api/webhooks/${moved.id}`, { url })).body.apiTokenId).toBe(changer.id);
    expect((await program.post(`/api/webhooks/${rotated.id}/rotate`)).body.apiTokenId).toBe(changer.id);
    expect(
      (await program.patch(`/api/webhooks/${edited.id}`, { description: "x" })).body.apiTokenId,
    ).toBeNull();
    expect((await program.patch(`/api/webhooks/${made.id}`, { description: "x" })).body.apiTokenId).toBe(
      maker.id,
    );
    // What a user saves, signed in, is the account's.
    const saved = await alice.patch(`/api/webhooks/${takenOver.id}`, { url: "https://hooks.example.com/" });
    expect(saved.body.apiTokenId).toBeNull();

    const on = async () =>
      (await alice.get("/api/webhooks")).body
        .filter(({ enabled }: { enabled: boolean }) => enabled)
        .map(({ id }: { id: number }) => id)
        .sort();
    const ids = (...webhooks: { id: number }[]) => webhooks.map(({ id }) => id).sort();
    await alice.delete(`/api/tokens/${changer.id}`);
    expect(await on()).toEqual(ids(made, takenOver, own, edited, expires));
    await alice.delete(`/api/tokens/${maker.id}`);
    expect(await on()).toEqual(ids(takenOver, own, edited, expires));
    await api.execute(
      `insert into webhook_deliveries (webhook_id, user_id, message_id, event, at, next_attempt_at, created_at)
       values (${expires.id}, ${alice.id}, 'expired', 'webhook.test', '${TEST_START}', '${TEST_START}', '${TEST_START}')`,
    );
    await api.runJobs(later(60));
    expect(await on()).toEqual(ids(takenOver, own, edited));
    expect((await alice.get(`/api/webhooks/${expires.id}/deliveries`)).body).toMatchObject([
      { status: "failed", failure: "switched_off", attempts: 0 },
    ]);
    await api.setClock(TEST_START);
    // Switched on by a user, signed in, it stays.
    const again = await alice.patch(`/api/webhooks/${made.id}`, { enabled: true });
    expect(again.body).toMatchObject({ enabled: true, apiTokenId: null });
  });

  test("a workspace's webhook ends with the token that made it, though a colleague has saved it or replaced its secret", async () => {
    const alice = await api.signUp();
    const { workspaceId } = alice;
    const colleague = await joinAs(api, alice, "owner");
    const maker = await issue(alice);
    const make = async () => {
      const hook = { url: "https://hooks.example.com/", events: ["request.sent"], workspaceId };
      const { status, body } = await programWith(maker.token).post("/api/webhooks", hook);
      expect(status).toBe(201);
      return body.id;
    };
    const [saved, rotated, redirected] = [await make(), await make(), await make()];
    const url = "https://hooks.example.com/";
    expect((await colleague.patch(`/api/webhooks/${saved}`, { url, enabled: true })).status).toBe(200);
    expect((await colleague.post(`/api/webhooks/${rotated}/rotate`)).status).toBe(200);
    const elsewhere = { url: "https://elsewhere.example.com/" };
    expect((await colleague.patch(`/api/webhooks/${redirected}`, elsewhere)).status).toBe(200);
    await alice.delete(`/api/tokens/${maker.id}`);
    const on = async (id: number) =>
      (await colleague.get("/api/webhooks")).body.find((hook: { id: number }) => hook.id === id).enabled;
    expect([await on(saved), await on(rotated), await on(redirected)]).toEqual([false, false, true]);
  });

  test("a bulk send under way ends with the token that has begun it, once that has expired", async () => {
    const alice = await api.signUp();
    const tokens = [await issue(alice, "write", later(60)), await issue(alice, "write", later(600))];
    const recipients = [{ recipientName: "Rita", recipientEmail: "rita@example.com" }];
    const { documents, subject } = ENVELOPE;
    const ids: number[] = [];
    for (const { token } of tokens) {
      const body = { envelope: { documents, subject }, recipients };
      ids.push((await programWith(token).post("/api/requests/bulk", body)).body.id);
    }
    await api.finishBackgroundWork();
    // As if the process had stopped before it came to a second recipient.
    const common = JSON.stringify({
      ...{ subject, documents: [], message: null, workspaceId: alice.workspaceId },
      ...{ reminderFrequency: "none", notificationPreference: "email", expirationDate: null },
    });
    const list = ids.join();
    await api.execute(
      `update bulk_sends set total = 2, finished_at = null, envelope = '${common}' where id in (${list})`,
    );
    const second = JSON.stringify({ ...recipients[0], countryCode: "+1", contact: null });
    for (const id of ids)
      await api.execute(`insert into bulk_recipients values (${id}, 1, 'waiting', '${second}', null, null)`);
    await api.runJobs(later(61));
    await api.finishBackgroundWork();
    const rows = await api.select(
      `select state, code from bulk_recipients where bulk_id in (${list}) and position = 1 order by bulk_id`,
    );
    expect(rows).toEqual([
      { state: "failed", code: "bulk_send_stopped" },
      { state: "created", code: null },
    ]);
    await api.setClock(TEST_START);
  });

  test("a revoked token ends the bulk sends that it has begun, and no others", async () => {
    const alice = await api.signUp();
    const [one, other] = [await issue(alice), await issue(alice)];
    const recipients = [{ recipientName: "Rita", recipientEmail: "rita@example.com" }];
    const begin = async (sender: { post: typeof alice.post }) => {
      const { documents, subject } = ENVELOPE;
      const sent = await sender.post("/api/requests/bulk", { envelope: { documents, subject }, recipients });
      expect(sent.status).toBe(202);
      return sent.body.id as number;
    };
    const ids = [
      await begin(programWith(one.token)),
      await begin(programWith(other.token)),
      await begin(alice),
    ];
    await api.finishBackgroundWork();
    const list = ids.join();
    await api.execute(`update bulk_sends set finished_at = null where id in (${list})`);
    await api.execute(
      `update bulk_recipients set state = 'waiting', recipient = '{"recipientName":"Rita"}' where bulk_id in (${list})`,
    );
    expect((await alice.delete(`/api/tokens/${one.id}`)).status).toBe(204);
    expect(
      await api.select(`select state, code from bulk_recipients where bulk_id in (${list}) order by bulk_id`),
    ).toEqual([
      { state: "failed", code: "bulk_send_stopped" },
      { state: "waiting", code: null },
      { state: "waiting", code: null },
    ]);
    expect((await alice.get(`/api/requests/bulk/${ids[0]}`)).body.finished).toBe(true);
  });

  test("a webhook cannot be added with a token that is revoked concurrently", async () => {
    const alice = await api.signUp();
    for (let round = 0; round < 5; round += 1) {
      const { id, token } = await issue(alice);
      const input = { url: "https://hooks.example.com/", events: ["request.deleted"] };
      const [added] = await Promise.all([
        programWith(token).post("/api/webhooks", input),
        alice.delete(`/api/tokens/${id}`),
      ]);
      expect([201, 401]).toContain(added.status);
      expect(await enabledWebhooks(api, alice.id)).toBe(0);
    }
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
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => alice.post("/api/tokens", { name: "More", scope: "read" })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(responses.find(({ status }) => status === 409)?.body.code).toBe("too_many_tokens");
    expect((await alice.get("/api/tokens")).body).toHaveLength(100);
  });
});

describeApi("the limit of an API token", { rateLimits: "on" }, (api) => {
  test("allows 600 calls a minute, reports how many are left, and then returns 429", async () => {
    const alice = await api.signUp();
    const { token } = (await alice.post("/api/tokens", { name: "Busy", scope: "read" })).body;
    const call = () =>
      api.anonymous().send("GET", "/api/user", undefined, { authorization: `Bearer ${token}` });
    const first = await call();
    const left = (name: string) => first.headers.get(`ratelimit-${name}`);
    expect([left("limit"), left("remaining"), left("reset")]).toEqual(["600", "599", "60"]);
    await api.execute("update rate_limits set count = 598 where key like 'token:%'");
    for (const remaining of ["1", "0"])
      expect((await call()).headers.get("ratelimit-remaining")).toBe(remaining);
    const { status, headers, body } = await call();
    expect([status, body.code, headers.get("ratelimit-remaining")]).toEqual([429, "rate_limited", "0"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    await api.setClock(later(1));
    expect((await call()).status).toBe(200);
  });
});
