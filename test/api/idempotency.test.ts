import { expect, test } from "bun:test";
import { describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE, sendEnvelope } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";

const CONTACT = { firstName: "Ada" };
const CREATIONS: [string, object][] = [
  ["/api/contacts", CONTACT],
  ["/api/templates", { name: "Taxes", fields: [{ name: "Payslip" }] }],
  ["/api/workspaces", { name: "More" }],
  ["/api/requests", ENVELOPE],
];

describeApi("Idempotency-Key", (api) => {
  const post = (client: SignedUp, path: string, body: unknown, key: string) =>
    client.send("POST", path, body, { "idempotency-key": key });

  test("the same key and body return the first response and create one row", async () => {
    const alice = await api.signUp();
    for (const [path, body] of CREATIONS) {
      const before = (await alice.get(path)).body.length;
      const first = await post(alice, path, body, `key of ${path}`);
      expect(first.status).toBe(201);
      const again = await post(alice, path, body, `key of ${path}`);
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(again.headers.get("idempotency-replayed")).toBe("true");
      expect((await alice.get(path)).body).toHaveLength(before + 1);
    }
    await api.finishBackgroundWork();
    const invitations = (await api.mails()).filter(({ to }) => to.includes(ENVELOPE.recipientEmail));
    expect(invitations).toHaveLength(1);
  });

  test("a repeated invitation to a workspace is mailed once, and its link works", async () => {
    const alice = await api.signUp();
    const path = `/api/workspaces/${alice.workspaceId}/invitations`;
    const guest = { email: "guest@example.com", role: "member" };
    const first = await post(alice, path, guest, "guest");
    const again = await post(alice, path, guest, "guest");
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect((await post(alice, path, { ...guest, role: "viewer" }, "guest")).status).toBe(422);
    const tokens = await mailedTokens(api, "invite", guest.email);
    expect(tokens).toHaveLength(1);
    expect((await api.anonymous().post("/api/invitations/read", { token: tokens[0] })).status).toBe(200);
  });

  test("a repeated invitation to the instance is mailed once, and a repeated test of a webhook sent once", async () => {
    const alice = await api.signUp();
    await api.execute(
      `update users set is_administrator = true, is_verified = true, verified_by_owner = true where id = ${alice.id}`,
    );
    const webhook = { url: "https://hooks.example.com/", events: ["request.sent"] };
    const { body: created } = await alice.post("/api/webhooks", webhook);
    const calls: [string, object?][] = [
      ["/api/administration/invitations", { email: "instance@example.com" }],
      [`/api/webhooks/${created.id}/test`],
    ];
    for (const [path, body] of calls) {
      const first = await post(alice, path, body, path);
      const again = await post(alice, path, body, path);
      expect([first.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([
        201,
        201,
        "true",
      ]);
      expect(again.body.id ?? again.body).toEqual(first.body.id ?? first.body);
    }
    expect(await mailedTokens(api, "invite", "instance@example.com")).toHaveLength(1);
    expect((await alice.get(`/api/webhooks/${created.id}/deliveries`)).body).toHaveLength(1);
  });

  test("a key's row contains the id of what was created, and none of its content", async () => {
    const alice = await api.signUp();
    const { body } = await post(alice, "/api/requests", { ...ENVELOPE, message: "Confidential" }, "large");
    const [row] = await api.select("select * from idempotency_keys where key = 'large'");
    expect(row).toMatchObject({ resource: String(body.id), status: null, body: null });
    const changed = { ...ENVELOPE, subject: "Other papers" };
    await alice.put(`/api/requests/${body.id}`, changed);
    const again = await post(alice, "/api/requests", { ...ENVELOPE, message: "Confidential" }, "large");
    expect([again.status, again.body.id, again.body.subject]).toEqual([201, body.id, "Other papers"]);
  });

  test("a long rejection is not stored", async () => {
    const alice = await api.signUp();
    const allowedFileTypes = Array.from({ length: 50 }, () => "?");
    const documents = Array.from({ length: 100 }, (_, index) => ({ name: `D${index}`, allowedFileTypes }));
    const rejected = await post(alice, "/api/requests", { ...ENVELOPE, documents }, "long");
    expect([rejected.status, rejected.text.length > 50_000]).toEqual([400, true]);
    expect(await api.select("select * from idempotency_keys where key = 'long'")).toEqual([]);
  });

  test("another body or route with the same key is rejected", async () => {
    const alice = await api.signUp();
    expect((await post(alice, "/api/contacts", CONTACT, "one")).status).toBe(201);
    for (const [path, body] of [
      ["/api/contacts", { firstName: "Bob" }],
      ["/api/workspaces", CONTACT],
    ] as const)
      expect(await post(alice, path, body, "one")).toMatchObject({
        status: 422,
        body: { code: "idempotency_mismatch" },
      });
    expect((await alice.get("/api/contacts")).body).toHaveLength(1);
  });

  test("of concurrent calls one creates; the others get its response or are asked to retry", async () => {
    const alice = await api.signUp();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => post(alice, "/api/contacts", CONTACT, "at once")),
    );
    for (const { status, body } of responses)
      expect([201, "idempotency_running"]).toContain(status === 201 ? status : body.code);
    expect((await alice.get("/api/contacts")).body).toHaveLength(1);
    const later = await post(alice, "/api/contacts", CONTACT, "at once");
    expect(later.status).toBe(201);
    expect((await alice.get("/api/contacts")).body).toHaveLength(1);
  });

  test("the key belongs to one account", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const first = await post(alice, "/api/contacts", CONTACT, "shared");
    const other = await post(bob, "/api/contacts", CONTACT, "shared");
    expect([first.status, other.status]).toEqual([201, 201]);
    expect(other.body.id).not.toBe(first.body.id);
  });

  test("a rejection is repeated as well, and the key stays bound to its call", async () => {
    const alice = await api.signUp();
    const rejected = await post(alice, "/api/contacts", {}, "wrong");
    expect(rejected.status).toBe(400);
    expect((await post(alice, "/api/contacts", {}, "wrong")).text).toBe(rejected.text);
    expect((await post(alice, "/api/contacts", CONTACT, "wrong")).status).toBe(422);
  });

  /** As if the server had been killed before it recorded the rejection. */
  const forgetAnswer = (key: string) =>
    api.execute(`update idempotency_keys set status = null, body = null where key = '${key}'`);

  test.each(CREATIONS)("a call killed after its commit is not run again: POST %s", async (path, body) => {
    await api.setClock("2026-04-01T06:00:00.000Z");
    const alice = await api.signUp();
    const first = await post(alice, path, body, `killed at ${path}`);
    expect(first.status).toBe(201);
    await api.finishBackgroundWork();
    const rows = (await alice.get(path)).body.length;
    await forgetAnswer(`killed at ${path}`);
    await api.setClock("2026-04-01T06:30:00.000Z");
    const again = await post(alice, path, body, `killed at ${path}`);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect((await alice.get(path)).body).toHaveLength(rows);
  });

  test("a reminder that was killed after its commit is not sent again", async () => {
    const alice = await api.signUp();
    const to = { recipientPhone: "+15553334444", notificationPreference: "both" };
    const { id } = await sendEnvelope(alice, to);
    const first = await post(alice, `/api/requests/${id}/remind`, undefined, "remind");
    expect([first.status, first.body.length]).toEqual([201, 2]);
    await api.finishBackgroundWork();
    await forgetAnswer("remind");
    const again = await post(alice, `/api/requests/${id}/remind`, undefined, "remind");
    const sent = { status: "sent", attempts: 1, sentAt: expect.any(String) };
    expect([again.status, again.body]).toEqual([201, first.body.map((row: object) => ({ ...row, ...sent }))]);
    expect((await alice.get(`/api/requests/${id}/notifications`)).body).toHaveLength(4);
  });

  test("what was deleted before the repetition is not created again", async () => {
    const alice = await api.signUp();
    const first = await post(alice, "/api/contacts", CONTACT, "deleted");
    await alice.delete(`/api/contacts/${first.body.id}`);
    const again = await post(alice, "/api/contacts", CONTACT, "deleted");
    expect([again.status, again.body.code]).toEqual([404, "contact_not_found"]);
    expect((await alice.get("/api/contacts")).body).toEqual([]);
  });

  test("a rejection that cannot be recorded is sent", async () => {
    const alice = await api.signUp();
    await api.execute(`create trigger fault before update of status on idempotency_keys when new.status > 0
      begin select raise(abort, 'database is locked'); end`);
    const first = await post(alice, "/api/contacts", {}, "locked");
    await api.execute("drop trigger fault");
    expect([first.status, first.body.code]).toEqual([400, "validation"]);
    expect((await api.logs()).filter(({ event }) => event === "response not recorded")).toHaveLength(1);
  });

  test("a call that was interrupted before its commit can be repeated after two minutes", async () => {
    await api.setClock("2026-04-01T08:00:00.000Z");
    const alice = await api.signUp();
    await post(alice, "/api/contacts", {}, "interrupted");
    await forgetAnswer("interrupted");
    await api.setClock("2026-04-01T08:01:59.000Z");
    const early = await post(alice, "/api/contacts", {}, "interrupted");
    expect([early.status, early.body.code]).toEqual([409, "idempotency_running"]);
    await api.setClock("2026-04-01T08:02:00.000Z");
    expect((await post(alice, "/api/contacts", {}, "interrupted")).body.code).toBe("validation");
  });

  test.each(CREATIONS)("a slow call whose key was claimed creates nothing: POST %s", async (path, body) => {
    const alice = await api.signUp();
    const rows = (await alice.get(path)).body.length;
    const table = path === "/api/requests" ? "envelopes" : path.slice("/api/".length);
    await api.execute(`create trigger slow before insert on ${table}
        begin update idempotency_keys set claimed_by = 'another call'; end`);
    const late = await post(alice, path, body, "slow");
    await api.execute("drop trigger slow");
    expect([late.status, late.body.code]).toEqual([409, "idempotency_running"]);
    expect((await alice.get(path)).body).toHaveLength(rows);
    expect((await post(alice, path, body, "slow")).status).toBe(201);
  });

  test("a key expires after 24 hours, and the hourly job deletes it", async () => {
    await api.setClock("2026-04-01T10:00:00.000Z");
    const alice = await api.signUp();
    const first = await post(alice, "/api/contacts", CONTACT, "old");
    await api.setClock("2026-04-02T09:59:00.000Z");
    expect((await post(alice, "/api/contacts", CONTACT, "old")).body.id).toBe(first.body.id);
    await api.setClock("2026-04-02T10:00:00.000Z");
    const second = await post(alice, "/api/contacts", CONTACT, "old");
    expect(second.body.id).not.toBe(first.body.id);
    await api.runJobs("2026-04-03T11:00:00.000Z");
    expect(await api.select("select * from idempotency_keys")).toEqual([]);
  });

  test.each(["", "x".repeat(256), "ключ".repeat(2)])("the key %p is rejected", async (key) => {
    const alice = await api.signUp();
    const headers = { "idempotency-key": Buffer.from(key).toString("latin1") };
    expect(await alice.send("POST", "/api/contacts", CONTACT, headers)).toMatchObject({
      status: 400,
      body: { code: "invalid_idempotency_key" },
    });
  });

  test("a call that returns a secret does not accept a key", async () => {
    const alice = await api.signUp();
    expect(await post(alice, "/api/tokens", { name: "x", scope: "read" }, "one")).toMatchObject({
      status: 400,
      body: { code: "idempotency_unsupported" },
    });
    expect((await alice.get("/api/tokens")).body).toEqual([]);
  });
});
