import { afterAll, expect, test } from "bun:test";
import { type Api, type Client, describeApi } from "../support/api";
import { type ProviderAccount, startIdentityProvider } from "../support/identity-provider";

const provider = startIdentityProvider();
afterAll(() => provider.stop());

let accounts = 0;
const account = (more: Partial<ProviderAccount> = {}): ProviderAccount => {
  accounts += 1;
  const sub = String(1000 + accounts);
  return {
    sub,
    email: `provided${accounts}@example.com`,
    email_verified: true,
    given_name: "Ada",
    family_name: "Byron",
    ...more,
  };
};

/** Each answer of the server may set or clear cookies; unlike the session's, these have to be carried by hand. */
async function begin(client: Client, name = "google") {
  const { status, headers } = await client.get(`/api/auth/${name}`);
  expect(status).toBe(302);
  return new URL(headers.get("location") ?? "");
}

async function signIn(client: Client, who: ProviderAccount, name = "google") {
  const authorization = await begin(client, name);
  const state = authorization.searchParams.get("state");
  const code = provider.agree(authorization, who);
  return client.get(`/api/auth/${name}/callback?code=${code}&state=${state}`);
}

const landing = (answer: { headers: Headers }) => answer.headers.get("location");

async function signedIn(api: Api, who: ProviderAccount, name?: string): Promise<Client> {
  const client = api.anonymous();
  expect(landing(await signIn(client, who, name))).toBe("/");
  return client;
}

describeApi(
  "sign-in with a provider",
  (api) => {
    test("the providers that are set up are named, and only those can be used", async () => {
      expect((await api.anonymous().get("/api/auth/providers")).body).toEqual(["google", "github"]);
      expect((await api.anonymous().get("/api/auth/microsoft")).status).toBe(404);
    });

    test("a new person gets an account with a workspace, and the same one each time", async () => {
      const ada = account();
      const first = await signedIn(api, ada);
      const { body: user } = await first.get("/api/user");
      expect(user).toMatchObject({ email: ada.email, firstName: "Ada", lastName: "Byron", isVerified: true });
      expect((await first.get("/api/workspaces")).body).toHaveLength(1);
      const again = await signedIn(api, { ...ada, email: "moved@example.com" });
      expect((await again.get("/api/user")).body.id).toBe(user.id);
    });

    test("GitHub's primary address counts", async () => {
      const ada = account();
      const client = await signedIn(api, ada, "github");
      expect((await client.get("/api/user")).body.email).toBe(ada.email);
    });

    test("an address that the provider has not verified never leads to an account that is there", async () => {
      const owner = await api.signUp();
      const answer = await signIn(api.anonymous(), account({ email: owner.email, email_verified: false }));
      expect(landing(answer)).toBe("/auth?error=provider_email_unverified");
      expect(answer.headers.getSetCookie().join()).not.toContain("session=");
    });

    test("a verified address takes an account over that never verified it, and shuts out who made it", async () => {
      const squatter = await api.signUp();
      const owner = await signedIn(api, account({ email: squatter.email }));
      expect((await owner.get("/api/user")).body).toMatchObject({ id: squatter.id, isVerified: true });
      expect((await squatter.get("/api/user")).status).toBe(401);
      const login = await squatter.post("/api/login", { email: squatter.email, password: squatter.password });
      expect(login.status).toBe(401);
    });

    test("an answer that was not asked for in this browser signs nobody in", async () => {
      const client = api.anonymous();
      const authorization = await begin(client);
      const state = authorization.searchParams.get("state");
      const code = () => provider.agree(authorization, account());
      const attempts = [
        [api.anonymous(), `?code=${code()}&state=${state}`],
        [api.anonymous(), `?code=${code()}`],
        [client, `?code=${code()}&state=another`],
      ] as const;
      for (const [browser, query] of attempts)
        expect(landing(await browser.get(`/api/auth/google/callback${query}`))).toBe(
          "/auth?error=sign_in_failed",
        );
    });

    test("a code of another browser's cannot be redeemed", async () => {
      const [victim, attacker] = [api.anonymous(), api.anonymous()];
      const foreign = provider.agree(await begin(attacker), account());
      const state = (await begin(victim)).searchParams.get("state");
      const answer = await victim.get(`/api/auth/google/callback?code=${foreign}&state=${state}`);
      expect(landing(answer)).toBe("/auth?error=sign_in_failed");
    });
  },
  { signInProviders: [provider.settings("google"), provider.settings("github")] },
);
