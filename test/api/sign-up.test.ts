import { afterAll, expect, test } from "bun:test";
import { appConfig, readVariables } from "../../worker/config";
import { type Api, describeApi } from "../support/api/client";
import { beginProviderSignIn, returnFrom } from "../support/api/provider-sign-in";
import { type ProviderAccount, startIdentityProvider } from "../support/servers/identity-provider";

const provider = startIdentityProvider();
afterAll(() => provider.stop());

const PASSWORD = "a long password";
const register = (api: Api, email: string) =>
  api.anonymous().post("/api/register", { email, password: PASSWORD });

/** Where the browser lands after signing in with Google. */
async function signIn(api: Api, account: Omit<ProviderAccount, "sub">): Promise<string | null> {
  const client = api.anonymous();
  const url = await beginProviderSignIn(client, "google");
  return returnFrom(client, url, provider.agree(url, { sub: crypto.randomUUID(), ...account }));
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
        const responses = await Promise.all(
          ["ada", "bea", "cleo", "dora"].map((name) => register(api, `${name}@example.com`)),
        );
        expect(responses.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403]);
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

const PUBLIC_URL = "https://papers.example";
/** The secret that database and file store share. */
const SECRET = "the instance's id";
const requireSetup = [403, "setup_required"];

/** Anybody reaches it at its public address, or on its network. */
const PUBLIC_SERVERS = [
  { SIGN_UP: "open", publicUrl: PUBLIC_URL, HOST: "127.0.0.1" },
  { SIGN_UP: "invite", publicUrl: PUBLIC_URL, HOST: "127.0.0.1" },
  { SIGN_UP: "off", publicUrl: PUBLIC_URL, HOST: "127.0.0.1" },
  { SIGN_UP: "open", publicUrl: undefined, HOST: "0.0.0.0" },
];

for (const { publicUrl, ...variables } of PUBLIC_SERVERS) {
  const { SIGN_UP } = variables;
  describeApi(
    `a server at ${publicUrl ?? variables.HOST} with SIGN_UP=${SIGN_UP}, before its first account,`,
    (api) => {
      const registerWith = (email: string, setupToken?: string | null) =>
        api.anonymous().post("/api/register", { email, password: PASSWORD, setupToken });
      const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

      test("creates no account for a stranger, by password or by provider", async () => {
        await api.execute("delete from instance");
        await api.execute(`insert into instance (row, id) values (1, '${SECRET.replace("'", "''")}')`);
        expect((await api.anonymous().get("/api/session")).body).toEqual({
          signedIn: false,
          signUp: "setup",
        });
        for (const token of [undefined, null, "", "guessed", SECRET])
          expect(codeOf(await registerWith("eve@example.com", token))).toEqual(requireSetup);
        const stranger = { email: "eve@example.com", email_verified: true };
        expect(await signIn(api, stranger)).toBe("/auth?error=setup_required");
        expect(await counted(api, "users")).toBe(0);
        expect(await counted(api, "identities")).toBe(0);
      });

      test("creates one account by the setup link, the administrator's, of several at once", async () => {
        const link = await sha256Text(`setup ${SECRET}`);
        const responses = await Promise.all(
          ["ada", "bea", "cleo"].map((name) => registerWith(`${name}@example.com`, link)),
        );
        // Where sign-up is open, those that come after the first account create ordinary ones.
        const created = responses.filter(({ status }) => status === 201).length;
        expect(responses.filter(({ status }) => status === 403)).toHaveLength(3 - created);
        expect(created).toBeGreaterThanOrEqual(1);
        if (SIGN_UP !== "open") expect(created).toBe(1);
        expect(await counted(api, "users")).toBe(created);
        expect(await counted(api, "users where is_administrator = 1")).toBe(1);
        const session = await api.anonymous().get("/api/session");
        expect(session.body).toEqual({ signedIn: false, ...(SIGN_UP !== "open" && { signUp: SIGN_UP }) });
        const next = await registerWith("dora@example.com", link);
        expect(next.status).toBe(SIGN_UP === "open" ? 201 : 403);
        expect(next.body.isAdministrator ?? false).toBe(false);
      });

      test("needs the link again once no account is left", async () => {
        await api.execute("delete from users");
        expect(codeOf(await registerWith("eve@example.com"))).toEqual(requireSetup);
      });
    },
    {
      publicUrl,
      variables,
      signInProviders: [provider.settings("google")],
    },
  );
}

test("the setup link is needed where others reach the server, if its first account would be the administrator or uninvited", () => {
  const isNeeded = (variables: Record<string, string>) =>
    appConfig(readVariables(variables)).protectsFirstAccount;
  expect(isNeeded({})).toBe(false);
  for (const host of ["localhost:3000", "127.0.0.1:8080", "[::1]:3000", "docs.localhost"])
    expect([host, isNeeded({ PUBLIC_URL: `http://${host}` })]).toEqual([host, false]);
  for (const host of ["docs.example.com", "localhost.example.com", "192.168.0.7", "127.0.0.1.example.com"])
    expect([host, isNeeded({ PUBLIC_URL: `http://${host}` })]).toEqual([host, true]);
  for (const HOST of ["localhost", "127.0.0.2", "::1"])
    expect([HOST, isNeeded({ HOST })]).toEqual([HOST, false]);
  for (const HOST of ["0.0.0.0", "::", "192.168.0.7", "papers.example"])
    expect([HOST, isNeeded({ HOST })]).toEqual([HOST, true]);
  expect(isNeeded({ HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:3000" })).toBe(false);
  const listed = { PUBLIC_URL, ADMIN_EMAILS: "ada@example.com" };
  expect([isNeeded(listed), isNeeded({ ...listed, SIGN_UP: "invite" })]).toEqual([false, true]);
});

async function sha256Text(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex();
}
