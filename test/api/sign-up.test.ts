import { afterAll, expect, test } from "bun:test";
import { type Api, describeApi } from "../support/api";
import { type ProviderAccount, startIdentityProvider } from "../support/identity-provider";

const provider = startIdentityProvider();
afterAll(() => provider.stop());

const PASSWORD = "a long password";
const register = (api: Api, email: string) =>
  api.anonymous().post("/api/register", { email, password: PASSWORD });

/** Where the browser lands after signing in with Google. */
async function signIn(api: Api, account: Omit<ProviderAccount, "sub">): Promise<string | null> {
  const client = api.anonymous();
  const authorization = new URL((await client.get("/api/auth/google")).headers.get("location") ?? "");
  const code = provider.agree(authorization, { sub: crypto.randomUUID(), ...account });
  const state = authorization.searchParams.get("state");
  const answer = await client.get(`/api/auth/google/callback?code=${code}&state=${state}`);
  return answer.headers.get("location");
}

const counted = async (api: Api, table: string) => (await api.select(`select * from ${table}`)).length;

const MODES = [
  { SIGN_UP: "invite", code: "invitation_required" },
  { SIGN_UP: "off", code: "sign_up_closed" },
];

for (const { SIGN_UP, code } of MODES) {
  describeApi(
    `SIGN_UP=${SIGN_UP}`,
    (api) => {
      test("allows the first account, one of several concurrent ones", async () => {
        expect((await api.anonymous().get("/api/session")).body).toEqual({ signedIn: false });
        const answers = await Promise.all(
          ["ada", "bea", "cleo", "dora"].map((name) => register(api, `${name}@example.com`)),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403]);
        expect(await counted(api, "users")).toBe(1);
        expect(await counted(api, "workspaces")).toBe(1);
      });

      test("allows no further account, and says why", async () => {
        const { status, body } = await register(api, "eve@example.com");
        expect([status, body.code]).toEqual([403, code]);
        expect(body.message).toMatch(/account/);
        const session = await api.anonymous().get("/api/session");
        expect(session.body).toEqual({ signedIn: false, signUp: SIGN_UP });
      });

      test("does not reveal whether an address has an account", async () => {
        const [owner] = await api.select("select email from users");
        expect((await register(api, String(owner?.email))).body.code).toBe(code);
      });

      test("creates no account at a sign-in with a provider, but signs in existing ones", async () => {
        const stranger = { email: "eve@example.com", email_verified: true };
        expect(await signIn(api, stranger)).toBe(`/auth?error=${code}`);
        expect(await signIn(api, { ...stranger, email_verified: false })).toBe(`/auth?error=${code}`);
        expect(await counted(api, "users")).toBe(1);
        expect(await counted(api, "identities")).toBe(0);
        const [owner] = await api.select("select email from users");
        expect(await signIn(api, { email: String(owner?.email), email_verified: true })).toBe("/");
      });

      test("sends nothing to a rejected address", async () => {
        await api.finishBackgroundWork();
        const recipients = (await api.mails()).map(({ to }) => to);
        expect(recipients).not.toContain("eve@example.com");
      });
    },
    {
      variables: { SIGN_UP },
      signInProviders: [provider.settings("google")],
    },
  );
}

describeApi(
  "SIGN_UP=off with a provider",
  (api) => {
    test("creates the first account at a sign-in with a provider", async () => {
      const account = { email: "ada@example.com", email_verified: true };
      expect(await signIn(api, account)).toBe("/");
      expect(await signIn(api, { ...account, email: "bea@example.com" })).toBe("/auth?error=sign_up_closed");
    });
  },
  { variables: { SIGN_UP: "off" }, signInProviders: [provider.settings("google")] },
);
