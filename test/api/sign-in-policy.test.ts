import { expect, test } from "bun:test";
import { hashToken, randomToken } from "../../worker/lib/tokens";
import { addPasskey, storePasskey } from "../support/api/authenticator";
import { type Api, type Client, describeApi } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { setUpTotp } from "../support/api/two-factor";
import { pdfFile } from "../support/files/files";
import { rounds, TEST_START } from "../support/runtime/runtime";

const later = (minutes: number) => new Date(Date.parse(TEST_START) + minutes * 60_000).toISOString();

/** A link as the operator's command makes one. @returns its token */
async function signInLink(api: Api, email: string): Promise<string> {
  const token = randomToken();
  await api.execute(
    `insert into sign_in_links (token_hash, user_id, created_at, expires_at)
     select '${await hashToken(token)}', id, '${TEST_START}', '${later(10)}' from users where email = '${email}'`,
  );
  return token;
}

/** An account with a password, verified by its owner, that has signed in by an operator's link. */
async function linked(api: Api, email: string): Promise<{ client: Client; id: number }> {
  const columns = "email, password, created_at, is_verified, verified_by_owner";
  await api.execute(`insert into users (${columns}) values ('${email}', 'x', '${TEST_START}', 1, 1)`);
  const client = api.anonymous();
  const { status, body } = await client.post("/api/login/link", { token: await signInLink(api, email) });
  expect(status).toBe(200);
  return { client, id: body.id };
}

describeApi("TWO_FACTOR=everybody", { variables: { TWO_FACTOR: "everybody" } }, (api) => {
  test("an account without a second factor can only set one up, and its tokens do nothing", async () => {
    const owner = await api.signUp().catch(() => null);
    expect(owner).toBeNull();
    const client = api.anonymous();
    const account = { email: "bare@example.com", password: "a long password" };
    expect((await client.post("/api/register", account)).status).toBe(201);
    expect((await client.get("/api/session")).body).toEqual({ signedIn: true, needsSecondFactor: true });
    const { body: user } = await client.get("/api/user");
    expect(user.email).toBe(account.email);
    for (const path of ["/api/workspaces", "/api/user/sessions", "/api/tokens"]) {
      const response = await client.get(path);
      expect([response.status, response.body.code]).toEqual([403, "second_factor_setup_required"]);
    }
    expect((await client.patch("/api/user/profile", { firstName: "Eve" })).status).toBe(403);
    expect((await client.post("/api/reauthenticate", { password: account.password })).status).toBe(204);
    await storePasskey(api, user.id);
    expect((await client.get("/api/workspaces")).status).toBe(200);
    expect((await client.get("/api/session")).body).toEqual({ signedIn: true });
    const { body: token } = await client.post("/api/tokens", { name: "Program", scope: "read" });
    const call = () => api.anonymous().get("/api/contacts", { authorization: `Bearer ${token.token}` });
    expect((await call()).status).not.toBe(403);
    await api.execute("delete from passkeys");
    expect((await call()).body.code).toBe("second_factor_setup_required");
    expect((await client.post("/api/logout")).status).toBe(204);
  });

  test("recipients go on sending documents to who must set a second factor up first", async () => {
    const client = api.anonymous();
    await client.post("/api/register", { email: "asks@example.com", password: "a long password" });
    const [verification] = await mailedTokens(api, "verify", "asks@example.com");
    expect((await client.post("/api/user/verify", { token: verification })).status).toBe(204);
    const passkey = await addPasskey(client, api.origin);
    const { body } = await client.get("/api/workspaces");
    const sender = Object.assign(client, { id: 0, email: "", password: "", workspaceId: body[0].id });
    const envelope = await sendEnvelope(sender);
    expect((await client.delete(`/api/passkeys/${passkey.id}`)).status).toBe(204);
    expect((await client.get("/api/requests")).status).toBe(403);
    expect((await api.anonymous().get(linkOf(envelope))).status).toBe(200);
    const sent = await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    expect(sent.status).toBe(201);
  });

  test("a session by another service counts", async () => {
    const client = api.anonymous();
    await client.post("/api/register", { email: "provided@example.com", password: "a long password" });
    expect((await client.get("/api/workspaces")).status).toBe(403);
    await api.execute("update sessions set method = 'oidc'");
    expect((await client.get("/api/workspaces")).status).toBe(200);
  });
});

describeApi("TWO_FACTOR=administrators", { variables: { TWO_FACTOR: "administrators" } }, (api) => {
  test("only administrators need a second factor", async () => {
    const admin = api.anonymous();
    await admin.post("/api/register", { email: "admin@example.com", password: "a long password" });
    expect((await admin.get("/api/workspaces")).status).toBe(403);
    const member = await api.signUp();
    expect((await member.get("/api/workspaces")).status).toBe(200);
  });
});

describeApi(
  "PASSWORD_SIGN_IN=off",
  {
    rateLimits: "off",
    variables: { PASSWORD_SIGN_IN: "off" },
    signInProviders: [
      {
        ...{ name: "oidc", clientId: "id", clientSecret: "secret", label: "Company" },
        ...{ issuer: "http://localhost:1", domains: [], trustsEmail: false },
      },
    ],
  },
  (api) => {
    test("no call signs in or registers with a password, and the page knows", async () => {
      const client = api.anonymous();
      const account = { email: "ada@example.com", password: "a long password" };
      for (const [path, body] of [
        ["/api/login", account],
        ["/api/register", account],
        ["/api/password/forgot", { email: account.email }],
        ["/api/password/reset", { token: "unknown", newPassword: account.password }],
        ["/api/invitations/accept", { token: "unknown", password: account.password }],
      ] as const) {
        const response = await client.post(path, body);
        expect([path, response.status, response.body.code]).toEqual([path, 403, "password_sign_in_off"]);
      }
      expect((await client.get("/api/session")).body.passwordSignIn).toBe("off");
    });

    test("the operator's link signs in once, within its ten minutes, and asks for no password later", async () => {
      const columns = "email, password, created_at";
      await api.execute(`insert into users (${columns}) values ('linked@example.com', 'x', '${TEST_START}')`);
      const link = async (token: string, minutes: number) =>
        api.execute(
          `insert into sign_in_links (token_hash, user_id, created_at, expires_at)
           select '${await hashToken(token)}', id, '${TEST_START}', '${later(minutes)}' from users
           where email = 'linked@example.com'`,
        );
      await link("past", 0);
      expect((await api.anonymous().post("/api/login/link", { token: "past" })).body.code).toBe(
        "invalid_token",
      );
      for (let round = 0; round < 20; round += 1) {
        await link(`link ${round}`, 10);
        const clients = [api.anonymous(), api.anonymous(), api.anonymous()];
        const responses = await Promise.all(
          clients.map((client) => client.post("/api/login/link", { token: `link ${round}` })),
        );
        expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
      }
      await link("last", 10);
      const client = api.anonymous();
      expect((await client.post("/api/login/link", { token: "last" })).status).toBe(200);
      const again = await client.post("/api/reauthenticate", { password: "x" });
      expect(again.body.code).toBe("password_sign_in_off");
    });

    test("the link is a first factor only: a second one is asked for, and the link is used up", async () => {
      const { client } = await linked(api, "careful@example.com");
      const app = await setUpTotp(client);
      const other = api.anonymous();
      const token = await signInLink(api, "careful@example.com");
      const asked = await other.post("/api/login/link", { token });
      expect([asked.status, asked.body.code]).toEqual([401, "second_factor_required"]);
      expect((await other.get("/api/session")).body.signedIn).toBe(false);
      expect((await other.post("/api/login/link", { token })).body.code).toBe("invalid_token");
      const given = { challenge: asked.body.challenge, code: app.code() };
      expect((await other.post("/api/login/second-factor", given)).status).toBe(200);
      const [latest] = (await other.get("/api/user/sign-ins")).body;
      expect([latest.method, latest.secondFactor]).toEqual(["link", "totp"]);
    });

    test("a password is no way in: the last passkey or provider stays, whichever is removed at once", async () => {
      const { client, id } = await linked(api, "last@example.com");
      let key = await storePasskey(api, id);
      expect((await client.delete(`/api/passkeys/${key}`)).body.code).toBe("last_sign_in");
      const link = (provider: string) =>
        api.execute(
          `insert or ignore into identities (provider, subject, user_id, created_at) values ('${provider}', '${id}', ${id}, '${TEST_START}')`,
        );
      // Not configured here, so it lets nobody in.
      await link("github");
      expect((await client.delete(`/api/passkeys/${key}`)).body.code).toBe("last_sign_in");
      for (let round = 0; round < rounds(200); round += 1) {
        await link("oidc");
        const removals = await Promise.all([
          client.delete(`/api/passkeys/${key}`),
          client.delete("/api/user/providers/oidc"),
        ]);
        expect(removals.map(({ status }) => status).sort()).toEqual([204, 409]);
        if (removals[0]?.status !== 204) continue;
        const [only] = (await client.get("/api/user/providers")).body.filter(
          ({ provider }: { provider: string }) => provider === "oidc",
        );
        expect(only.removable).toBe(false);
        key = await storePasskey(api, id);
      }
      await link("oidc");
      expect((await client.delete("/api/user/providers/oidc")).status).toBe(204);
    }, 240_000);

    test("“This wasn't me” mails no link to choose a password, and mails lead to the settings", async () => {
      const { client } = await linked(api, "mailed@example.com");
      await addPasskey(client, api.origin);
      expect((await client.patch("/api/user/profile", { email: "thief@example.com" })).status).toBe(200);
      const [token] = await mailedTokens(api, "revert-email", "mailed@example.com");
      expect((await api.anonymous().post("/api/user/revert-email", { token })).status).toBe(204);
      await api.finishBackgroundWork();
      const mails = (await api.mails()).filter(({ to }) => to === "mailed@example.com");
      const added = mails.find(({ subject }) => subject === "A passkey was added to your account");
      expect(added?.text).toContain("/profile#security");
      expect(added?.text).toContain("sign in now");
      expect(mails.map(({ text }) => text).join()).not.toMatch(/\/reset\/|mode=forgot/);
    });
  },
);
