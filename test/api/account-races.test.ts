import { expect, setDefaultTimeout, test } from "bun:test";
import { hashToken } from "../../worker/lib/tokens";
import { type Api, describeApi, type SignedUp } from "../support/api/client";
import { mailedTokens } from "../support/api/mailed-links";
import { inviteTo } from "../support/api/team";
import { addWebhook, enabledWebhooks } from "../support/api/webhooks";

const ROUNDS = 10;
setDefaultTimeout(240_000);

async function askReset(api: Api, { email }: Pick<SignedUp, "email">) {
  await api.anonymous().post("/api/password/forgot", { email });
  return (await mailedTokens(api, "reset", email)).at(-1);
}

/** Concurrent calls for one account, in random order. */
describeApi("concurrent calls about an account", (api) => {
  const verify = (token: unknown) => api.anonymous().post("/api/user/verify", { token });

  test("a link mailed to the old address never verifies the new one", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const alice = await api.signUp();
      const [token] = await mailedTokens(api, "verify", alice.email);
      const email = `new-${alice.email}`;
      const [verified, changed] = await Promise.all([
        verify(token),
        alice.patch("/api/user/profile", { email }),
      ]);
      expect(verified.status).toBeOneOf([204, 400]);
      expect(changed.status).toBe(200);
      expect((await alice.get("/api/user")).body).toMatchObject({ email, isVerified: false });
      expect((await verify(token)).status).toBe(400);
    }
  });

  test("of two accounts that change to one address at once, one gets it and the other is told so", async () => {
    const accounts = [await api.signUp(), await api.signUp()];
    const email = "wanted@example.com";
    const responses = await Promise.all(
      accounts.map((account) => account.patch("/api/user/profile", { email })),
    );
    expect(responses.map(({ status, body }) => body.code ?? status).sort()).toEqual([200, "email_taken"]);
  });

  test("a link that is mailed again while the address changes verifies its own address or none", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const alice = await api.signUp();
      const email = `resent-${alice.email}`;
      const [resent, changed] = await Promise.all([
        alice.post("/api/user/resend-verification"),
        alice.patch("/api/user/profile", { email }),
      ]);
      expect([resent.status, changed.status]).toEqual([204, 200]);
      for (const token of await mailedTokens(api, "verify", alice.email)) await verify(token);
      expect((await alice.get("/api/user")).body).toMatchObject({ email, isVerified: false });
      const [own] = (await mailedTokens(api, "verify", email)).slice(-1);
      expect((await alice.post("/api/user/verify", { token: own })).status).toBe(204);
    }
  });

  test("who registers an address gets no session once its owner has taken the account over by a provider", async () => {
    const email = "taken-over@example.com";
    await api.execute(`create trigger taken_over after insert on notifications when new.kind = 'verification' begin
      update users set password = '', is_verified = 1, verified_by_owner = 1 where id = new.user_id; end`);
    const squatter = api.anonymous();
    const { status, body } = await squatter.post("/api/register", { email, password: "long enough" });
    await api.execute("drop trigger taken_over");
    expect([status, body.code]).toEqual([409, "email_taken"]);
    expect((await squatter.get("/api/user")).status).toBe(401);
  });

  test("the operator's link does not sign in once the password was reset while it was used", async () => {
    const alice = await api.signUp();
    const link = await hashToken("the operator's link");
    await api.execute(
      `insert into sign_in_links (token_hash, user_id, created_at, expires_at) values ('${link}', ${alice.id}, '2026-03-14', '2999')`,
    );
    await api.execute(
      `create trigger was_reset after delete on sign_in_links begin update users set password = 'another' where id = ${alice.id}; end`,
    );
    const holder = api.anonymous();
    const { status, body } = await holder.post("/api/login/link", { token: "the operator's link" });
    await api.execute("drop trigger was_reset");
    expect([status, body.code]).toEqual([400, "invalid_token"]);
    expect((await holder.get("/api/user")).status).toBe(401);
  });

  test("no session of the old password survives a reset", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const alice = await api.signUp();
      const token = await askReset(api, alice);
      const clients = Array.from({ length: 4 }, () => api.anonymous());
      const login = { email: alice.email, password: alice.password };
      const [reset, ...signIns] = await Promise.all([
        api.anonymous().post("/api/password/reset", { token, newPassword: "a new secret" }),
        ...clients.map((client) => client.post("/api/login", login)),
      ]);
      expect(reset.status).toBe(204);
      for (const { status } of signIns) expect(status).toBeOneOf([200, 401]);
      for (const client of clients) expect((await client.get("/api/user")).status).toBe(401);
    }
  });

  test("no API token that a session created survives the reset that ended the session", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const alice = await api.signUp();
      const token = await askReset(api, alice);
      const [reset, ...made] = await Promise.all([
        api.anonymous().post("/api/password/reset", { token, newPassword: "a new secret" }),
        ...["one", "two", "three"].map((name) => alice.post("/api/tokens", { name, scope: "write" })),
      ]);
      expect(reset.status).toBe(204);
      for (const { status } of made) expect(status).toBeOneOf([201, 401]);
      expect(await api.select(`select id from api_tokens where user_id = ${alice.id}`)).toEqual([]);
    }
  });

  test("no webhook that a session added is switched on after the reset that ended the session", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const alice = await api.signUp();
      const { id } = await addWebhook(alice);
      await alice.patch(`/api/webhooks/${id}`, { enabled: false });
      const token = await askReset(api, alice);
      const input = { url: "https://hooks.example.com/", events: ["request.sent"] };
      const [reset, switched, ...made] = await Promise.all([
        api.anonymous().post("/api/password/reset", { token, newPassword: "a new secret" }),
        alice.patch(`/api/webhooks/${id}`, { enabled: true }),
        ...Array.from({ length: 3 }, () => alice.post("/api/webhooks", input)),
      ]);
      expect(reset.status).toBe(204);
      expect(switched.status).toBeOneOf([200, 401, 404]);
      for (const { status } of made) expect(status).toBeOneOf([201, 401]);
      expect(await enabledWebhooks(api, alice.id)).toBe(0);
    }
  });

  test("no webhook is added once the change of the address was undone, in an account without a password", async () => {
    const alice = await api.signUp();
    // Signed in with a provider only: password and verification are the same before and after.
    await api.execute(`update users set password = '', is_verified = 1 where id = ${alice.id}`);
    await api.execute(
      `create trigger undone before insert on webhook_cursors begin update users set email = 'back-${alice.email}' where id = ${alice.id}; end`,
    );
    const input = { url: "https://hooks.example.com/", events: ["request.sent"] };
    const rejected = await alice.post("/api/webhooks", input);
    await api.execute("drop trigger undone");
    expect(rejected.status).toBe(401);
    expect(await enabledWebhooks(api, alice.id)).toBe(0);
    expect((await alice.post("/api/webhooks", input)).status).toBe(201);
  });

  test("of a concurrent reset and password change only one succeeds", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const alice = await api.signUp();
      const token = await askReset(api, alice);
      const change = {
        currentPassword: alice.password,
        newPassword: "changed",
        confirmPassword: "changed",
      };
      const [reset, changed] = await Promise.all([
        api.anonymous().post("/api/password/reset", { token, newPassword: "was reset" }),
        alice.post("/api/user/change-password", change),
      ]);
      expect([reset.status, changed.status]).toBeOneOf([
        [204, 400],
        [204, 401],
        [400, 200],
      ]);
      const password = reset.status === 204 ? "was reset" : "changed";
      const login = { email: alice.email, password };
      expect((await api.anonymous().post("/api/login", login)).status).toBe(200);
    }
  });

  test("after a reset the account has its address, despite a concurrent change", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const alice = await api.signUp();
      const token = await askReset(api, alice);
      const email = `stolen-${alice.email}`;
      const [reset, changed] = await Promise.all([
        api.anonymous().post("/api/password/reset", { token, newPassword: "a new secret" }),
        alice.patch("/api/user/profile", { email }),
      ]);
      expect([reset.status, changed.status]).toBeOneOf([
        [204, 401],
        [204, 409],
        [400, 200],
      ]);
      const [row] = await api.select(`select email, pending_email from users where id = ${alice.id}`);
      expect(row).toEqual({ email: alice.email, pending_email: reset.status === 204 ? null : email });
    }
  });

  test("of two concurrent address changes the second is rejected, and each old address is notified", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const alice = await api.signUp();
      const addresses = [`one-${alice.email}`, `two-${alice.email}`];
      const responses = await Promise.all(
        addresses.map((email) => alice.patch("/api/user/profile", { email })),
      );
      for (const { status, body } of responses)
        if (status !== 200) expect([status, body.code]).toEqual([409, "account_changed"]);
      const { body } = await alice.get("/api/user");
      const replaced = [alice.email, ...addresses].filter((email) => email !== body.email);
      const mailedTo = await Promise.all(replaced.map((email) => mailedTokens(api, "revert-email", email)));
      expect(mailedTo.flat()).toHaveLength(responses.filter(({ status }) => status === 200).length);
    }
  });

  test("joining a workspace verifies the invited address or none, and a rejected join uses nothing up", async () => {
    const owner = await api.signUp();
    for (let round = 0; round < ROUNDS; round++) {
      const joiner = await api.signUp();
      const token = await inviteTo(api, owner, joiner.email, "member");
      const email = `boss-${joiner.email}`;
      const change = joiner.patch("/api/user/profile", { email });
      // The calls meet at a different point in each round.
      for (let turn = 0; turn < round * 4; turn++) await Promise.resolve();
      const [joined, changed] = await Promise.all([joiner.post("/api/invitations/join", { token }), change]);
      if (joined.status !== 200) {
        expect([joined.status, joined.body.code]).toEqual([403, "other_account"]);
        expect((await api.anonymous().post("/api/invitations/read", { token })).status).toBe(200);
      }
      const [row] = await api.select(`select email, is_verified from users where id = ${joiner.id}`);
      expect(changed.status).toBeOneOf([200, 409]);
      if (row?.is_verified) expect([joined.status, row.email]).toEqual([200, joiner.email]);
    }
  });
});
