import { afterAll, expect, test } from "bun:test";
import { type Api, type Client, describeApi } from "../support/api/client";
import { mailedTokens } from "../support/api/mailed-links";
import { beginLinking, beginProviderSignIn, confirmProvider } from "../support/api/provider-sign-in";
import { TEST_START } from "../support/runtime/runtime";
import { type OpenIdAccount, startOpenIdProvider } from "../support/servers/openid-provider";

const provider = await startOpenIdProvider("http://localhost:3000");
const restricted = await startOpenIdProvider("http://localhost:3000");
const forger = await startOpenIdProvider("http://localhost:3000", { foreignKey: true });
const silent = await startOpenIdProvider("http://localhost:3000", { isSilent: "entra" });
const failing = await startOpenIdProvider("http://localhost:3000", { isDown: true });
afterAll(() => Promise.all([provider, restricted, forger, silent, failing].map((server) => server.stop())));

let accounts = 0;
function account(more: OpenIdAccount = {}) {
  accounts += 1;
  const email = `person${accounts}@acme.example`;
  return {
    sub: `sub-${accounts}`,
    email,
    email_verified: true,
    given_name: "Ada",
    family_name: "Byron",
    ...more,
  };
}

const landing = (response: { headers: Headers }) => response.headers.get("location") ?? "";

const begin = (client: Client, next?: string) => beginProviderSignIn(client, "oidc", next);

async function callBack(client: Client, url: URL): Promise<string> {
  const response = await client.get(`${url.pathname}${url.search}`);
  expect(response.status).toBe(302);
  return landing(response);
}

async function signIn(client: Client, who: ReturnType<typeof account>, from = provider, next?: string) {
  const { sub, ...claims } = who;
  return callBack(client, await from.agree(await begin(client, next), sub, claims));
}

/** Links the provider. @returns the page that the browser gets to, the confirmation included */
async function link(client: Client, { sub, ...claims }: ReturnType<typeof account>) {
  const page = await callBack(client, await provider.agree(await beginLinking(client, "oidc"), sub, claims));
  return page === "/auth?mode=confirm" ? confirmProvider(client) : page;
}

/** An account whose owner has confirmed its address. */
async function verified(api: Api) {
  const owner = await api.signUp();
  const [token] = await mailedTokens(api, "verify", owner.email);
  expect((await owner.post("/api/user/verify", { token })).status).toBe(204);
  return owner;
}

describeApi("sign-in with an OpenID provider", { signInProviders: [provider.settings()] }, (api) => {
  test("the provider is listed, and the page learns its name with its first data", async () => {
    expect((await api.anonymous().get("/api/auth/providers")).body).toEqual(["oidc"]);
    expect((await api.anonymous().get("/api/session")).body).toMatchObject({ oidcName: "Acme" });
  });

  test("a new person gets an account, and the same one at each sign-in, whatever the address is by then", async () => {
    const ada = account();
    const first = api.anonymous();
    expect(await signIn(first, ada)).toBe("/");
    const { body } = await first.get("/api/user");
    expect(body).toMatchObject({ email: ada.email, firstName: "Ada", lastName: "Byron", isVerified: true });
    const again = api.anonymous();
    expect(await signIn(again, { ...ada, email: "moved@acme.example" })).toBe("/");
    expect((await again.get("/api/user")).body.id).toBe(body.id);
    const [signedIn] = (await again.get("/api/user/sign-ins")).body;
    expect(signedIn).toMatchObject({ method: "oidc", succeeded: true });
  });

  test("a subject that is longer than OpenID allows signs nobody in", async () => {
    expect(await signIn(api.anonymous(), { ...account(), sub: "s".repeat(255) })).toBe("/");
    expect(await signIn(api.anonymous(), { ...account(), sub: "s".repeat(256) })).toBe(
      "/auth?error=sign_in_failed",
    );
  });

  test("the request has state, nonce and PKCE, and asks for the address", async () => {
    const url = await begin(api.anonymous());
    const { state, nonce, code_challenge_method, code_challenge, scope } = Object.fromEntries(
      url.searchParams,
    );
    expect(url.origin).toBe(provider.issuer);
    expect(code_challenge_method).toBe("S256");
    for (const value of [state, nonce, code_challenge]) expect(value?.length).toBeGreaterThan(30);
    expect(scope).toBe("openid email profile");
  });

  test("a verified address is linked to its account, an unverified one is not, nor one whose flag is a text", async () => {
    const owner = await verified(api);
    for (const email_verified of [false, undefined, "true" as unknown as boolean]) {
      const who = account({ email: owner.email, email_verified });
      expect(await signIn(api.anonymous(), who)).toBe("/auth?error=provider_email_unverified");
    }
    const client = api.anonymous();
    expect(await signIn(client, account({ email: owner.email }))).toBe("/");
    expect((await client.get("/api/user")).body.id).toBe(owner.id);
    await api.finishBackgroundWork();
    const subjects = (await api.mails()).filter(({ to }) => to === owner.email).map(({ subject }) => subject);
    expect(subjects).toContain("You can now sign in with Acme");
  });

  test("a missing address is a sentence, unless the account is known already", async () => {
    const who = account();
    const { email: _, email_verified: __, ...nameless } = who;
    expect(await signIn(api.anonymous(), nameless as typeof who)).toBe("/auth?error=provider_email_missing");
    expect(await signIn(api.anonymous(), who)).toBe("/");
    expect(await signIn(api.anonymous(), nameless as typeof who)).toBe("/");
  });

  test("a wrong nonce, a foreign state, an expired and a used code, and a refusal lead back to the page", async () => {
    const failed = "/auth?error=sign_in_failed";
    const who = account();
    const start = async () => {
      const client = api.anonymous();
      return { client, url: await begin(client) };
    };
    const wrongNonce = await start();
    wrongNonce.url.searchParams.set("nonce", "of-somebody-else");
    expect(await callBack(wrongNonce.client, await provider.agree(wrongNonce.url, who.sub, who))).toBe(
      failed,
    );

    const foreign = await start();
    const stolen = await provider.agree(foreign.url, who.sub, who);
    expect(await callBack((await start()).client, stolen)).toBe(failed);
    stolen.searchParams.set("state", "another");
    expect(await callBack(foreign.client, stolen)).toBe(failed);

    const late = await start();
    const expired = await provider.agree(late.url, who.sub, who);
    await provider.expireCode(expired.searchParams.get("code") ?? "");
    expect(await callBack(late.client, expired)).toBe(failed);

    const twice = await start();
    const used = await provider.agree(twice.url, who.sub, who);
    const { cookie } = twice.client;
    expect(await callBack(twice.client, used)).toBe("/");
    twice.client.cookie = cookie;
    expect(await callBack(twice.client, used)).toBe(failed);

    const refused = await start();
    const state = refused.url.searchParams.get("state");
    const response = await refused.client.get(`/api/auth/oidc/callback?error=access_denied&state=${state}`);
    expect(landing(response)).toBe(failed);
    expect((await api.select(`select id from users where email = '${who.email}'`)).length).toBe(1);
  });

  test("a sign-in returns to the page it came from, and never to another site", async () => {
    const who = account();
    expect(await signIn(api.anonymous(), who, provider, "/invite/token")).toBe("/invite/token");
    for (const next of [
      "//evil.example",
      "https://evil.example/",
      "/\\evil.example",
      "/auth?x",
      "/api/auth/oidc",
    ])
      expect(await signIn(api.anonymous(), who, provider, next)).toBe("/");
    const client = api.anonymous();
    await begin(client, "/invite/token");
    const response = await client.get("/api/auth/oidc/callback?error=access_denied");
    expect(landing(response)).toBe("/auth?error=sign_in_failed&next=%2Finvite%2Ftoken");
  });

  test("who is signed in links the provider, whatever its address is, and signs in with it then", async () => {
    const owner = await verified(api);
    const who = account({ email_verified: false });
    expect(await link(owner, who)).toBe("/profile#providers");
    expect((await owner.get("/api/user/providers")).body).toMatchObject([{ provider: "oidc" }]);
    expect((await owner.get("/api/user")).body.id).toBe(owner.id);
    const elsewhere = api.anonymous();
    expect(await signIn(elsewhere, who)).toBe("/");
    expect((await elsewhere.get("/api/user")).body.id).toBe(owner.id);
    const other = await api.signUp();
    expect(await link(other, who)).toBe("/profile?error=provider_linked_elsewhere#providers");
    expect(await link(owner, who)).toBe("/profile#providers");
  });

  test("linking needs a recent sign-in, and the same session at the end", async () => {
    const owner = await verified(api);
    const who = account();
    const url = await beginLinking(owner, "oidc");
    const back = await provider.agree(url, who.sub, who);
    await owner.post("/api/logout");
    expect(await callBack(owner, back)).toBe("/auth?error=unauthenticated");
    expect(await api.select(`select * from identities where user_id = ${owner.id}`)).toEqual([]);

    // Who took the session's token can write the cookie that begins linking.
    const stolen = await api.signUp();
    const forged = await beginLinking(stolen, "oidc");
    await api.setClock("2026-03-14T09:57:53.000Z");
    expect(await callBack(stolen, await provider.agree(forged, who.sub, who))).toBe(
      "/profile?error=reauthentication_required#providers",
    );
    expect(await api.select(`select * from identities where user_id = ${stolen.id}`)).toEqual([]);

    await api.setClock(TEST_START);
    const later = await api.signUp();
    await api.setClock("2026-03-14T09:37:53.000Z");
    const response = await later.post("/api/auth/oidc/link");
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ code: "reauthentication_required", methods: ["password"] });
  });
});

describeApi(
  "sign-in with an OpenID provider for certain domains",
  { signInProviders: [restricted.settings({ domains: ["acme.example"] })] },
  (api) => {
    test("only verified addresses of the domains sign in", async () => {
      const refused = "/auth?error=domain_not_allowed";
      const from = restricted;
      expect(await signIn(api.anonymous(), account(), from)).toBe("/");
      expect(await signIn(api.anonymous(), account({ email: "a@sub.acme.example" }), from)).toBe(refused);
      expect(await signIn(api.anonymous(), account({ email: "a@notacme.example" }), from)).toBe(refused);
      expect(await signIn(api.anonymous(), account({ email_verified: false }), from)).toBe(refused);
      const moved = account();
      expect(await signIn(api.anonymous(), moved, from)).toBe("/");
      expect(await signIn(api.anonymous(), { ...moved, email: "a@elsewhere.example" }, from)).toBe(refused);
    });
  },
);

for (const trustsEmail of [false, true]) {
  describeApi(
    `sign-in with a provider that has no email_verified, ${trustsEmail ? "trusted" : "not trusted"},`,
    { signInProviders: [silent.settings({ trustsEmail })] },
    (api) => {
      test("goes by xms_edov, then by whether it is trusted, and the log says why it was rejected", async () => {
        const owner = await verified(api);
        const at = (more: OpenIdAccount = {}) => signIn(api.anonymous(), { ...account(), ...more }, silent);
        const rejected = "/auth?error=provider_email_unverified";
        expect(await at({ email: owner.email, xms_edov: false })).toBe(rejected);
        expect(await at({ email: owner.email, xms_edov: "0" })).toBe(rejected);
        expect(await at({ email: owner.email })).toBe(trustsEmail ? "/" : rejected);
        expect(await at({ email: owner.email, xms_edov: "1" })).toBe("/");
        const logged = (await api.logs()).filter(({ event }) => event === "provider sign-in rejected");
        expect(logged.map(({ fields }) => fields?.reason)).toEqual([
          "xms_edov is not true",
          "xms_edov is not true",
          ...(trustsEmail ? [] : ["there is no claim email_verified, and OIDC_TRUST_EMAIL is off"]),
        ]);
        expect(JSON.stringify(logged)).not.toContain(owner.email);
      });
    },
  );
}

describeApi(
  "all staff by single sign-on, nobody else:",
  {
    variables: { SIGN_UP: "domains", SIGN_UP_DOMAINS: "acme.example", PASSWORD_SIGN_IN: "off" },
    signInProviders: [silent.settings({ trustsEmail: true, domains: ["acme.example"] })],
  },
  (api) => {
    test("addresses of the domain come by the provider, and nobody by anything else", async () => {
      await api.execute(
        "insert into users (email, password, created_at, is_administrator, verified_by_owner) values ('boss@acme.example', '', '2026-03-14T09:26:53.000Z', 1, 1)",
      );
      const boss = api.anonymous();
      const at = (client: Client, email: string) =>
        signIn(client, { ...account(), email_verified: undefined, email } as never, silent);
      expect(await at(boss, "boss@acme.example")).toBe("/");
      const ada = api.anonymous();
      expect(await at(ada, "Ada@Acme.example")).toBe("/");
      const left = "/auth?error=domain_not_allowed";
      expect(await at(api.anonymous(), "eve@elsewhere.example")).toBe(left);
      expect(await at(api.anonymous(), "eve@sub.acme.example")).toBe(left);
      const password = "a long password";
      const calls = [
        ["register", { email: "eve@acme.example", password }],
        ["login", { email: "boss@acme.example", password }],
        ["invitations/request", { email: "eve@acme.example" }],
        ["invitations/accept", { token: "guessed", password }],
        ["password/forgot", { email: "boss@acme.example" }],
      ] as const;
      for (const [path, input] of calls) {
        const { status, body } = await api.anonymous().post(`/api/${path}`, input);
        expect([path, status, body.code]).toEqual([path, 403, "password_sign_in_off"]);
      }
      expect((await api.select("select email from users order by id")).map(({ email }) => email)).toEqual([
        "boss@acme.example",
        "ada@acme.example",
      ]);
    });
  },
);

describeApi(
  "sign-in with an OpenID provider whose tokens another key has signed",
  { signInProviders: [forger.settings()] },
  (api) => {
    test("signs nobody in, and creates no account", async () => {
      const who = account();
      expect(await signIn(api.anonymous(), who, forger)).toBe("/auth?error=sign_in_failed");
      expect(await api.select(`select id from users where email = '${who.email}'`)).toEqual([]);
      const [logged] = (await api.logs()).filter(({ event }) => event === "provider sign-in failed");
      expect(JSON.stringify(logged)).toMatch(/signature/);
    });
  },
);

describeApi(
  "sign-in with an OpenID provider that fails",
  { signInProviders: [failing.settings()] },
  (api) => {
    const begun = async (calls: number) => {
      const responses = Array.from({ length: calls }, () => api.anonymous().post("/api/auth/oidc", {}));
      return new Set((await Promise.all(responses)).map(({ status }) => status));
    };

    test("asks it once for all who wait, and again after 15 seconds at the earliest", async () => {
      expect(await begun(5)).toEqual(new Set([400]));
      expect(await begun(1)).toEqual(new Set([400]));
      expect(failing.discoveries()).toBe(1);
      await api.setClock("2026-03-14T09:27:07.000Z");
      expect(await begun(1)).toEqual(new Set([400]));
      expect(failing.discoveries()).toBe(1);
      failing.faults.isDown = false;
      await api.setClock("2026-03-14T09:27:08.000Z");
      expect(await begun(5)).toEqual(new Set([200]));
      await api.setClock("2026-03-14T10:27:07.000Z");
      expect(await begun(5)).toEqual(new Set([200]));
      expect(failing.discoveries()).toBe(2);
    });
  },
);

describeApi(
  "sign-in with an OpenID provider that does not answer",
  { signInProviders: [provider.settings({ issuer: "http://127.0.0.1:9" })] },
  (api) => {
    test("its failure is a sentence on the page", async () => {
      const { status, body } = await api.anonymous().post("/api/auth/oidc", { next: "/contacts" });
      expect([status, body.code]).toEqual([400, "sign_in_failed"]);
      const logged = (await api.logs()).filter(({ event }) => event === "provider sign-in failed");
      expect(logged).toHaveLength(1);
    });
  },
);
