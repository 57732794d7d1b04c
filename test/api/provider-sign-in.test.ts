import { afterAll, expect, test } from "bun:test";
import { type Api, type Client, describeApi } from "../support/api/client";
import { mailedTokens } from "../support/api/mailed-links";
import {
  beginLinking,
  beginProviderSignIn,
  confirmProvider,
  returnFrom,
} from "../support/api/provider-sign-in";
import { addWebhook, enabledWebhooks } from "../support/api/webhooks";
import { TEST_START } from "../support/runtime/runtime";
import { type ProviderAccount, startIdentityProvider } from "../support/servers/identity-provider";

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

/** @returns the page that the browser gets to */
async function signIn(client: Client, who: ProviderAccount, name = "google", next?: string) {
  const url = await beginProviderSignIn(client, name, next);
  return returnFrom(client, url, provider.agree(url, who));
}

async function link(client: Client, who: ProviderAccount, name = "google") {
  const url = await beginLinking(client, name);
  return returnFrom(client, url, provider.agree(url, who));
}

async function signedIn(api: Api, who: ProviderAccount, name?: string): Promise<Client> {
  const client = api.anonymous();
  expect(await signIn(client, who, name)).toBe("/");
  return client;
}

const CONFIRM = "/auth?mode=confirm";
const userOf = async (client: Client) => (await client.get("/api/user")).body;
const providersOf = async (client: Client) =>
  (await client.get("/api/user/providers")).body.map((row: { provider: string }) => row.provider);

describeApi(
  "sign-in with a provider",
  { signInProviders: [provider.settings("google"), provider.settings("github")] },
  (api) => {
    test("the configured providers are listed, and only those can be used", async () => {
      expect((await api.anonymous().get("/api/auth/providers")).body).toEqual(["google", "github"]);
      expect((await api.anonymous().get("/api/auth/microsoft")).status).toBe(404);
      expect((await api.anonymous().post("/api/auth/microsoft", {})).status).toBe(404);
    });

    test("a new person gets an account with a workspace, and the same one at each sign-in", async () => {
      const ada = account();
      const first = await signedIn(api, ada);
      const { body: user } = await first.get("/api/user");
      expect(user).toMatchObject({ email: ada.email, firstName: "Ada", lastName: "Byron", isVerified: true });
      expect((await first.get("/api/workspaces")).body).toHaveLength(1);
      const again = await signedIn(api, { ...ada, email: "moved@example.com" });
      expect((await again.get("/api/user")).body.id).toBe(user.id);
    });

    test("GitHub's primary address is used", async () => {
      const ada = account();
      const client = await signedIn(api, ada, "github");
      expect((await client.get("/api/user")).body.email).toBe(ada.email);
    });

    test("an address that the provider has not verified never opens an existing account", async () => {
      const owner = await api.signUp();
      const client = api.anonymous();
      const page = await signIn(client, account({ email: owner.email, email_verified: false }));
      expect(page).toBe("/auth?error=provider_email_unverified");
      expect(client.cookie).not.toContain("session=");
    });

    test("a verified address takes over an account that never verified it, and locks out its creator", async () => {
      const squatter = await api.signUp({ proved: false });
      await addWebhook(squatter);
      const owner = await signedIn(api, account({ email: squatter.email }));
      expect(await enabledWebhooks(api, squatter.id)).toBe(0);
      expect((await owner.get("/api/user")).body).toMatchObject({ id: squatter.id, isVerified: true });
      expect((await squatter.get("/api/user")).status).toBe(401);
      const login = await squatter.post("/api/login", { email: squatter.email, password: squatter.password });
      expect(login.status).toBe(401);
    });

    test("an account verified by its mailed link alone is taken over, one verified by its user is not", async () => {
      for (const byOwner of [false, true]) {
        const squatter = await api.signUp({ proved: false });
        const [token] = await mailedTokens(api, "verify", squatter.email);
        await squatter.post("/api/tokens", { name: "Backdoor", scope: "write" });
        const opened = byOwner ? squatter : api.anonymous();
        expect((await opened.post("/api/user/verify", { token })).status).toBe(204);
        const owner = await signedIn(api, account({ email: squatter.email }));
        expect((await owner.get("/api/user")).body).toMatchObject({ id: squatter.id, isVerified: true });
        const ended = byOwner ? 200 : 401;
        expect((await squatter.get("/api/user")).status).toBe(ended);
        const login = { email: squatter.email, password: squatter.password };
        expect((await api.anonymous().post("/api/login", login)).status).toBe(ended);
        const tokens = await api.select(`select id from api_tokens where user_id = ${squatter.id}`);
        expect(tokens).toHaveLength(byOwner ? 1 : 0);
        // From now on the account is its owner's.
        const again = await signedIn(api, account({ email: squatter.email }), "github");
        expect((await owner.get("/api/user")).status).toBe(200);
        expect((await again.get("/api/user")).body.id).toBe(squatter.id);
      }
    });

    test("an unconfirmed new address of an account stays free for its owner's sign-in", async () => {
      const [mallory, email] = [account(), `owner${accounts}@example.org`];
      const squatter = await signedIn(api, mallory, "github");
      const { body } = await squatter.patch("/api/user/profile", { email });
      const victim = await signedIn(api, account({ email }));
      expect((await victim.get("/api/user")).body.id).not.toBe(body.id);
      expect((await squatter.get("/api/user")).body).toMatchObject({ id: body.id, email: mallory.email });
      const again = await signedIn(api, mallory, "github");
      expect((await again.get("/api/user")).body.id).toBe(body.id);
    });

    test("an account that claimed an address loses its provider sign-in once the owner verifies the address", async () => {
      const [mallory, email] = [account({ email_verified: false }), `victim${accounts}@example.org`];
      const squatter = await signedIn(api, mallory, "github");
      const { body } = await squatter.patch("/api/user/profile", { email });
      await squatter.post("/api/tokens", { name: "Backdoor", scope: "read" });
      const [revert] = await mailedTokens(api, "revert-email", mallory.email);
      const victim = await signedIn(api, account({ email }));
      expect((await victim.get("/api/user")).body).toMatchObject({ id: body.id, email, isVerified: true });
      expect((await squatter.get("/api/user")).status).toBe(401);
      const again = await signedIn(api, mallory, "github");
      expect((await again.get("/api/user")).body.id).not.toBe(body.id);
      expect(await api.select(`select * from api_tokens where user_id = ${body.id}`)).toEqual([]);
      const reverted = await api.anonymous().post("/api/user/revert-email", { token: revert });
      expect(reverted.status).toBe(400);
      const providers = await victim.get("/api/user/providers");
      expect(providers.body).toMatchObject([{ provider: "google", removable: false }]);
    });

    test("a new account has the language of the page on which the sign-in began", async () => {
      const client = api.anonymous();
      const { body } = await client.post("/api/auth/google", { languagePreference: "fr" });
      const url = new URL(body.url);
      expect(await returnFrom(client, url, provider.agree(url, account()))).toBe("/");
      expect((await userOf(client)).languagePreference).toBe("fr");
    });

    test("a password reset unlinks every provider, which may be linked again", async () => {
      const ada = account();
      const first = await signedIn(api, ada);
      const { body: user } = await first.get("/api/user");
      const email = `moved${accounts}@example.org`;
      await first.patch("/api/user/profile", { email });
      const [verification] = await mailedTokens(api, "verify", email);
      expect((await first.post("/api/user/verify", { token: verification })).status).toBe(204);
      await api.anonymous().post("/api/password/forgot", { email });
      const [token] = await mailedTokens(api, "reset", email);
      const reset = await api.anonymous().post("/api/password/reset", { token, newPassword: "a new secret" });
      expect(reset.status).toBe(204);
      expect(await api.select(`select * from identities where user_id = ${user.id}`)).toEqual([]);
      const other = await signedIn(api, ada);
      expect((await other.get("/api/user")).body.id).not.toBe(user.id);
      const owner = await signedIn(api, account({ email }), "github");
      expect((await owner.get("/api/user")).body.id).toBe(user.id);
      const login = await api.anonymous().post("/api/login", { email, password: "a new secret" });
      expect(login.status).toBe(200);
    });

    test("a newly linked provider is notified, listed, and can be unlinked", async () => {
      const owner = await api.signUp();
      const [verification] = await mailedTokens(api, "verify", owner.email);
      await owner.post("/api/user/verify", { token: verification });
      for (const name of ["google", "github"]) await signedIn(api, account({ email: owner.email }), name);
      await api.finishBackgroundWork();
      const mails = (await api.mails()).filter(
        ({ to, subject }) => to === owner.email && subject !== "New sign-in to your Doculopes account",
      );
      expect(mails.slice(-2).map(({ subject }) => subject)).toEqual([
        "You can now sign in with Google",
        "You can now sign in with GitHub",
      ]);
      const linked = async () => (await owner.get("/api/user/providers")).body;
      const entry = (name: string) => ({ provider: name, createdAt: TEST_START, removable: true });
      expect(await linked()).toEqual([entry("google"), entry("github")]);
      expect((await owner.delete("/api/user/providers/google")).status).toBe(204);
      expect((await owner.delete("/api/user/providers/google")).status).toBe(404);
      expect((await owner.delete("/api/user/providers/nobody")).status).toBe(404);
      expect(await linked()).toEqual([entry("github")]);
      expect((await owner.delete("/api/user/providers/github")).status).toBe(204);
      expect(await linked()).toEqual([]);
      await api.finishBackgroundWork();
      const told = (await api.mails()).filter(
        ({ to, subject }) => to === owner.email && /unlinked/.test(subject),
      );
      expect(told.map(({ subject }) => subject)).toEqual([
        "Google was unlinked from your account",
        "GitHub was unlinked from your account",
      ]);
    });

    test("of two providers without a password one stays, even if both are unlinked concurrently", async () => {
      for (let round = 0; round < 5; round++) {
        const ada = account();
        const client = await signedIn(api, ada);
        await signedIn(api, account({ email: ada.email }), "github");
        const responses = await Promise.all(
          ["google", "github"].map((name) => client.delete(`/api/user/providers/${name}`)),
        );
        expect(responses.map(({ status }) => status).sort()).toEqual([204, 409]);
        const [rejected] = responses.filter(({ status }) => status === 409);
        expect(rejected?.body.code).toBe("last_sign_in");
        expect((await client.get("/api/user/providers")).body).toMatchObject([{ removable: false }]);
      }
    });

    test("two concurrent first sign-ins create one account", async () => {
      for (let round = 0; round < 5; round++) {
        const owner = await api.signUp();
        const ada = account({ email: owner.email });
        const clients = [api.anonymous(), api.anonymous()];
        expect(await Promise.all(clients.map((client) => signIn(client, ada)))).toContain("/");
        const rows = await api.select(`select user_id from identities where subject = '${ada.sub}'`);
        expect(rows).toEqual([{ user_id: owner.id }]);
      }
    });

    test("a callback with a cookie that the app has not written is rejected", async () => {
      for (const value of ['{"next":5}', '{"a":1}', "x"]) {
        const client = api.anonymous();
        const cookie = { cookie: `sign-in=${encodeURIComponent(value)}` };
        const response = await client.get("/api/auth/google/callback?code=a&state=b", cookie);
        expect(response.headers.get("location")).toBe("/auth?error=sign_in_failed");
      }
    });

    test("a callback that another browser started is rejected", async () => {
      const client = api.anonymous();
      const authorization = await beginProviderSignIn(client, "google");
      const state = authorization.searchParams.get("state");
      const code = () => provider.agree(authorization, account());
      const attempts = [
        [api.anonymous(), `?code=${code()}&state=${state}`],
        [api.anonymous(), `?code=${code()}`],
        [api.anonymous(), `?code=${code()}&state=`],
        [client, `?code=${code()}&state=another`],
      ] as const;
      for (const [browser, query] of attempts) {
        const { headers } = await browser.get(`/api/auth/google/callback${query}`);
        expect(headers.get("location")).toBe("/auth?error=sign_in_failed");
      }
    });

    test("a code of another browser cannot be redeemed", async () => {
      const [victim, attacker] = [api.anonymous(), api.anonymous()];
      const foreign = provider.agree(await beginProviderSignIn(attacker, "google"), account());
      const begun = await beginProviderSignIn(victim, "google");
      expect(await returnFrom(victim, begun, foreign)).toBe("/auth?error=sign_in_failed");
    });

    test("a GET begins nothing: it opens the sign-in page, with the page of the app to return to", async () => {
      const owner = await api.signUp();
      for (const client of [owner, api.anonymous()]) {
        const cookie = client.cookie;
        const opened = async (next: string) => {
          const { status, headers } = await client.get(`/api/auth/google${next}`);
          expect([status, client.cookie]).toEqual([302, cookie]);
          return headers.get("location");
        };
        expect(await opened("")).toBe("/auth");
        expect(await opened("?next=%2Fcontacts")).toBe("/auth?next=%2Fcontacts");
        expect(await opened("?next=%2Fapi%2Fauth%2Fgithub")).toBe("/auth");
      }
    });

    test("no other site can begin a sign-in, or link", async () => {
      const owner = await api.signUp();
      const foreign: Record<string, string>[] = [
        { origin: "https://evil.example" },
        { "sec-fetch-site": "cross-site" },
      ];
      for (const path of ["/api/auth/google", "/api/auth/google/link", "/api/auth/confirmation"])
        for (const headers of foreign) {
          const { status, body } = await owner.send("POST", path, { id: "x" }, headers);
          expect([path, status, body.code]).toEqual([path, 403, "cross_site"]);
        }
      const form = { "content-type": "application/x-www-form-urlencoded" };
      expect((await owner.send("POST", "/api/auth/google", "next=/", form)).status).toBe(415);
    });

    test("a provider is linked once the owner has confirmed its account, and once only", async () => {
      const owner = await api.signUp();
      const who = account();
      expect(await link(owner, who)).toBe(CONFIRM);
      expect(await providersOf(owner)).toEqual([]);
      const { body: question } = await owner.get("/api/auth/confirmation");
      expect(question).toEqual({
        ...{ id: expect.any(String), purpose: "link", provider: "google" },
        ...{ account: who.email, email: owner.email, next: "/profile#providers" },
      });
      const confirmed = await Promise.all(
        Array.from({ length: 4 }, () => owner.post("/api/auth/confirmation", { id: question.id })),
      );
      expect(confirmed.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
      expect(await providersOf(owner)).toEqual(["google"]);
      expect((await owner.get("/api/auth/confirmation")).status).toBe(401);
      // There is nothing to ask any more.
      expect(await link(owner, who)).toBe("/profile#providers");
      expect(await signIn(owner, who, "google", "/contacts")).toBe("/contacts");
    });

    test("only the session that came back from the provider confirms, what its page showed, within ten minutes", async () => {
      const owner = await api.signUp();
      const elsewhere = api.anonymous();
      await elsewhere.post("/api/login", { email: owner.email, password: owner.password });
      const other = await api.signUp();
      const first = account();
      await link(owner, first);
      const shown = (await owner.get("/api/auth/confirmation")).body;
      for (const client of [elsewhere, other, api.anonymous()]) {
        expect((await client.get("/api/auth/confirmation")).status).toBe(401);
        expect((await client.post("/api/auth/confirmation", { id: shown.id })).status).toBe(401);
      }
      // Another tab has come back with another account since.
      await link(owner, account());
      expect((await owner.post("/api/auth/confirmation", { id: shown.id })).status).toBe(401);
      const { id } = (await owner.get("/api/auth/confirmation")).body;
      await api.setClock("2026-03-14T09:37:54.000Z");
      const late = await owner.post("/api/auth/confirmation", { id });
      expect([late.status, late.body.code]).toEqual([401, "challenge_ended"]);
      await api.setClock(TEST_START);
      expect(await providersOf(owner)).toEqual([]);
    });

    test("a new password ends what waits to be confirmed", async () => {
      const owner = await api.signUp();
      await link(owner, account());
      const { id } = (await owner.get("/api/auth/confirmation")).body;
      const newPassword = "another password";
      const passwords = { currentPassword: owner.password, newPassword, confirmPassword: newPassword };
      expect((await owner.post("/api/user/change-password", passwords)).status).toBe(200);
      expect((await owner.post("/api/auth/confirmation", { id })).status).toBe(401);
      expect(await providersOf(owner)).toEqual([]);
    });

    test("somebody who is signed in stays so until they confirm another account, which ends the session before", async () => {
      const owner = await api.signUp();
      const { cookie } = owner;
      const who = account();
      expect(await signIn(owner, who, "google", "/contacts")).toBe(CONFIRM);
      expect((await userOf(owner)).id).toBe(owner.id);
      expect(await api.select(`select * from users where email = '${who.email}'`)).toEqual([]);
      const { body: question } = await owner.get("/api/auth/confirmation");
      expect(question).toMatchObject({ purpose: "sign_in", account: who.email, next: "/contacts" });
      expect(await confirmProvider(owner)).toBe("/contacts");
      expect((await userOf(owner)).email).toBe(who.email);
      owner.cookie = cookie;
      expect((await owner.get("/api/user")).status).toBe(401);
    });

    test("a sign-in that fails after the confirmation leaves the session as it is", async () => {
      const [owner, other] = [await api.signUp(), await api.signUp()];
      await signIn(owner, account({ email: other.email, email_verified: false }));
      const { id } = (await owner.get("/api/auth/confirmation")).body;
      const { status, body } = await owner.post("/api/auth/confirmation", { id });
      expect([status, body.code]).toEqual([409, "provider_email_unverified"]);
      expect((await userOf(owner)).id).toBe(owner.id);
    });
  },
);
