import { expect, test } from "bun:test";
import { hashToken } from "../../worker/lib/tokens";
import { type Api, describeApi, type SignedUp } from "../support/api/client";
import { TEST_START } from "../support/runtime/runtime";

const later = (minutes: number) => new Date(Date.parse(TEST_START) + minutes * 60_000).toISOString();

async function addPasskey(api: Api, { id }: SignedUp): Promise<void> {
  const columns = "user_id, credential_id, public_key, counter, name, backed_up, created_at";
  await api.execute(
    `insert into passkeys (${columns}) values (${id}, 'key-${id}', 'x', 0, 'Key', 0, '${TEST_START}')`,
  );
}

describeApi(
  "TWO_FACTOR=everybody",
  (api) => {
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
        const answer = await client.get(path);
        expect([answer.status, answer.body.code]).toEqual([403, "second_factor_setup_required"]);
      }
      expect((await client.patch("/api/user/profile", { firstName: "Eve" })).status).toBe(403);
      expect((await client.post("/api/reauthenticate", { password: account.password })).status).toBe(204);
      await addPasskey(api, { id: user.id } as SignedUp);
      expect((await client.get("/api/workspaces")).status).toBe(200);
      expect((await client.get("/api/session")).body).toEqual({ signedIn: true });
      const { body: token } = await client.post("/api/tokens", { name: "Program", scope: "read" });
      const call = () => api.anonymous().get("/api/contacts", { authorization: `Bearer ${token.token}` });
      expect((await call()).status).not.toBe(403);
      await api.execute("delete from passkeys");
      expect((await call()).body.code).toBe("second_factor_setup_required");
      expect((await client.post("/api/logout")).status).toBe(204);
    });

    test("a session by another service counts", async () => {
      const client = api.anonymous();
      await client.post("/api/register", { email: "provided@example.com", password: "a long password" });
      expect((await client.get("/api/workspaces")).status).toBe(403);
      await api.execute("update sessions set method = 'oidc'");
      expect((await client.get("/api/workspaces")).status).toBe(200);
    });
  },
  { variables: { TWO_FACTOR: "everybody" } },
);

describeApi(
  "TWO_FACTOR=administrators",
  (api) => {
    test("only administrators need a second factor", async () => {
      const admin = api.anonymous();
      await admin.post("/api/register", { email: "admin@example.com", password: "a long password" });
      expect((await admin.get("/api/workspaces")).status).toBe(403);
      const member = await api.signUp();
      expect((await member.get("/api/workspaces")).status).toBe(200);
    });
  },
  { variables: { TWO_FACTOR: "administrators" } },
);

describeApi(
  "PASSWORD_SIGN_IN=off",
  (api) => {
    test("no call signs in or registers with a password, and the page knows", async () => {
      const client = api.anonymous();
      const account = { email: "ada@example.com", password: "a long password" };
      for (const [path, body] of [
        ["/api/login", account],
        ["/api/register", account],
        ["/api/password/forgot", { email: account.email }],
        ["/api/invitations/accept", { token: "unknown", password: account.password }],
      ] as const) {
        const answer = await client.post(path, body);
        expect([path, answer.status, answer.body.code]).toEqual([path, 403, "password_sign_in_off"]);
      }
      expect((await client.get("/api/session")).body.passwordSignIn).toBe("off");
    });

    test("the operator's link signs in once, within its ten minutes, and asks for no password later", async () => {
      const columns = "email, password, created_at";
      await api.execute(`insert into users (${columns}) values ('linked@example.com', 'x', '${TEST_START}')`);
      const link = async (token: string, minutes: number) =>
        api.execute(
          `insert into sign_in_links (token_hash, user_id, created_at, expires_at)
           select '${await hashToken(token)}', id, '${TEST_START}', '${later(minutes)}' from users`,
        );
      await link("past", 0);
      expect((await api.anonymous().post("/api/login/link", { token: "past" })).body.code).toBe(
        "invalid_token",
      );
      for (let round = 0; round < 20; round += 1) {
        await link(`link ${round}`, 10);
        const clients = [api.anonymous(), api.anonymous(), api.anonymous()];
        const answers = await Promise.all(
          clients.map((client) => client.post("/api/login/link", { token: `link ${round}` })),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
      }
      await link("last", 10);
      const client = api.anonymous();
      expect((await client.post("/api/login/link", { token: "last" })).status).toBe(200);
      const again = await client.post("/api/reauthenticate", { password: "x" });
      expect(again.body.code).toBe("password_sign_in_off");
    });
  },
  { variables: { PASSWORD_SIGN_IN: "off" } },
);
