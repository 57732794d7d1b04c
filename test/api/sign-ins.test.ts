import { afterAll, beforeAll, expect, test } from "bun:test";
import { createApp } from "../../worker/app";
import type { Dependencies } from "../../worker/dependencies";
import { hashToken } from "../../worker/lib/tokens";
import { descriptionOf } from "../../worker/middleware/describe";
import { readSources } from "../rules/sources";
import { softwarePasskey } from "../support/api/authenticator";
import { type Api, type Client, describeApi, type SignedUp } from "../support/api/client";
import { mailedTokens } from "../support/api/mailed-links";
import { beginProviderSignIn, returnFrom } from "../support/api/provider-sign-in";
import { loginWithCode, setUpTotp } from "../support/api/two-factor";
import { TEST_START } from "../support/runtime/runtime";
import { type ProviderAccount, startIdentityProvider } from "../support/servers/identity-provider";
import { startOpenIdProvider } from "../support/servers/openid-provider";

const provider = startIdentityProvider();
const openId = await startOpenIdProvider("http://localhost:3000");
afterAll(async () => {
  provider.stop();
  await openId.stop();
});

/** The calls by which somebody without a session gets one, with the method that is recorded. */
const STARTS = {
  "POST /api/register": "password",
  "POST /api/login": "password",
  "POST /api/login/second-factor": "password",
  "POST /api/login/passkey": "passkey",
  "POST /api/login/link": "link",
  "POST /api/invitations/accept": "invitation",
  "GET /api/auth/google/callback": "google",
  "GET /api/auth/microsoft/callback": "microsoft",
  "GET /api/auth/github/callback": "github",
  "GET /api/auth/oidc/callback": "oidc",
};

/** The other calls that anybody can make. None of them signs anybody in. */
const STARTS_NONE = [
  "DELETE /api/submissions/:token/uploads/:id",
  "DELETE /api/unsubscribe/:token",
  "GET /api/auth/github",
  "GET /api/auth/google",
  "GET /api/auth/microsoft",
  "GET /api/auth/oidc",
  "GET /api/auth/providers",
  "GET /api/docs",
  "GET /api/docs/style.css",
  "GET /api/health",
  "GET /api/live",
  "GET /api/openapi.json",
  "GET /api/ready",
  "GET /api/session",
  "GET /api/submissions/:token",
  "GET /api/destinations/callback/google",
  "GET /api/destinations/callback/microsoft",
  "GET /api/submissions/:token/attachments/:id",
  "GET /api/submissions/:token/logo",
  "GET /api/submissions/:token/picture",
  "GET /api/submissions/:token/uploads/:id",
  "GET /api/unsubscribe/:token",
  "OPTIONS /api/submissions/:token/uploads",
  "PATCH /api/submissions/:token/uploads/:id",
  "POST /api/auth/github",
  "POST /api/auth/google",
  "POST /api/auth/microsoft",
  "POST /api/auth/oidc",
  "POST /api/invitations/read",
  "POST /api/invitations/request",
  "POST /api/login/passkey/options",
  "POST /api/logout",
  "POST /api/password/forgot",
  "POST /api/password/reset",
  "POST /api/submissions/:token",
  "POST /api/submissions/:token/messages",
  "POST /api/submissions/:token/opened",
  "POST /api/submissions/:token/submit",
  "POST /api/submissions/:token/uploads",
  "POST /api/submissions/:token/uploads/:id",
  "POST /api/unsubscribe/:token",
  "POST /api/user/release-email",
  "POST /api/user/revert-email",
  "POST /api/user/verify",
  "POST /api/workspaces/restore-owner",
  "PUT /api/submissions/:token/answers",
];

test("every call that anybody can make is known to start a session or not to", () => {
  const { routes } = createApp({} as Dependencies);
  const open = new Map<string, boolean>();
  for (const { method, path, handler } of routes) {
    if (method === "ALL") continue;
    const route = `${method} ${path}`;
    open.set(route, (open.get(route) ?? true) && descriptionOf(handler).access === undefined);
  }
  const found = [...open].filter(([, isOpen]) => isOpen).map(([route]) => route);
  expect(found.sort()).toEqual([...Object.keys(STARTS), ...STARTS_NONE].sort());
});

test("every session begins in one function", async () => {
  const sources = (await readSources()).filter(({ path }) => /^(worker|db)\//.test(path));
  const users = (call: RegExp) => sources.filter(({ code }) => call.test(code)).map(({ path }) => path);
  expect(users(/insertSession\(db, session/)).toEqual(["worker/middleware/start-session.ts"]);
  expect(users(/insert\(sessions\)/)).toEqual(["db/queries/sessions.ts"]);
  expect(users(/(?<!function )writeCookie\(/)).toEqual([
    "worker/middleware/session.ts",
    "worker/middleware/start-session.ts",
  ]);
});

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36";
const SUBJECT = "New sign-in to your Doculopes account";

type Credentials = Pick<SignedUp, "email" | "password">;
const login = (client: Client, { email, password }: Credentials, headers: Record<string, string> = {}) =>
  client.send("POST", "/api/login", { email, password }, headers);

let subjects = 7000;
const providerAccount = (email: string): ProviderAccount => ({
  sub: String(++subjects),
  email,
  email_verified: true,
  given_name: "Ada",
  family_name: "Byron",
});

async function signInWith(client: Client, name: string, who: ProviderAccount, headers = {}) {
  const url = await beginProviderSignIn(client, name);
  return returnFrom(client, url, provider.agree(url, who), headers);
}

async function signIns(api: Api, client: Pick<Client, "get">) {
  await api.finishBackgroundWork();
  return (await client.get("/api/user/sign-ins")).body;
}

async function verified(api: Api): Promise<SignedUp> {
  const alice = await api.signUp();
  const [token] = await mailedTokens(api, "verify", alice.email);
  expect((await alice.post("/api/user/verify", { token })).status).toBe(204);
  return alice;
}

async function notices(api: Api, email: string) {
  await api.finishBackgroundWork();
  return (await api.mails()).filter(({ to, subject }) => to === email && subject === SUBJECT);
}

const at = (days: number) => new Date(Date.parse(TEST_START) + days * 86_400_000).toISOString();

describeApi(
  "sign-ins",
  {
    signInProviders: [
      provider.settings("google"),
      provider.settings("microsoft"),
      provider.settings("github"),
      openId.settings(),
    ],
  },
  (api) => {
    let admin: SignedUp;
    beforeAll(async () => {
      admin = await api.signUp();
    });

    test("each way to sign in is recorded, with its method, address and browser", async () => {
      const password = "a long password";
      const [registered, invited] = ["registered@example.org", "invited@example.org"];
      await admin.post("/api/administration/invitations", { email: invited });
      const [token] = await mailedTokens(api, "invite", invited);
      const protectedAccount = await api.signUp();
      const app = await setUpTotp(protectedAccount);
      const calls: Record<keyof typeof STARTS, (client: Client) => Promise<unknown>> = {
        "POST /api/register": (client) => client.post("/api/register", { email: registered, password }),
        "POST /api/login": (client) => login(client, { email: registered, password }),
        "POST /api/login/second-factor": (client) => loginWithCode(client, protectedAccount, app),
        "POST /api/login/passkey": async (client) => {
          const alice = await api.signUp();
          const { challenge } = (await alice.post("/api/passkeys/options")).body;
          const { created, use } = await softwarePasskey(challenge, api.origin);
          await alice.post("/api/passkeys", { name: "Phone", response: created });
          const asked = await client.post("/api/login/passkey/options", {});
          await client.post("/api/login/passkey", await use(asked.body.challenge));
        },
        "POST /api/login/link": async (client) => {
          const linked = await api.signUp();
          const link = await hashToken("a link of the operator");
          const columns = `'${link}', ${linked.id}, '${TEST_START}', '${at(1)}'`;
          await api.execute(
            `insert into sign_in_links (token_hash, user_id, created_at, expires_at) values (${columns})`,
          );
          await client.post("/api/login/link", { token: "a link of the operator" });
        },
        "POST /api/invitations/accept": (client) =>
          client.post("/api/invitations/accept", { token, password }),
        "GET /api/auth/google/callback": (client) =>
          signInWith(client, "google", providerAccount("google@example.org")),
        "GET /api/auth/microsoft/callback": (client) =>
          signInWith(client, "microsoft", providerAccount("microsoft@example.org")),
        "GET /api/auth/github/callback": (client) =>
          signInWith(client, "github", providerAccount("github@example.org")),
        "GET /api/auth/oidc/callback": async (client) => {
          const begun = await beginProviderSignIn(client, "oidc");
          const account = { email: "oidc@example.org", email_verified: true };
          const { pathname, search } = await openId.agree(begun, "oidc", account);
          await client.get(pathname + search);
        },
      };
      for (const [route, call] of Object.entries(calls)) {
        const client = api.anonymous();
        await call(client);
        const [latest] = await signIns(api, client);
        expect(latest).toEqual({
          id: expect.any(Number),
          at: TEST_START,
          method: STARTS[route as keyof typeof STARTS],
          secondFactor: route.endsWith("second-factor") ? "totp" : null,
          address: "203.0.113.7",
          browser: expect.any(String),
          succeeded: true,
        });
      }
    });

    test("a wrong password is recorded for the owner of the account alone", async () => {
      const [alice, bob] = [await api.signUp(), await api.signUp()];
      const headers = { "user-agent": `${CHROME} ${"x".repeat(300)}`, "x-test-address": "198.51.100.4" };
      const wrong = { email: alice.email, password: "not this one" };
      expect((await login(api.anonymous(), wrong, headers)).status).toBe(401);
      const [latest, first] = await signIns(api, alice);
      expect([latest.succeeded, latest.method, latest.address, latest.browser]).toEqual([
        false,
        "password",
        "198.51.100.4",
        headers["user-agent"].slice(0, 200),
      ]);
      expect(first.succeeded).toBe(true);
      expect(await signIns(api, bob)).toHaveLength(1);
    });

    test("the right password of a disabled account is a failure", async () => {
      const alice = await api.signUp();
      const path = `/api/administration/accounts/${alice.id}`;
      expect((await admin.post(`${path}/disable`)).status).toBe(200);
      expect((await login(api.anonymous(), alice)).status).toBe(403);
      await api.finishBackgroundWork();
      expect((await admin.post(`${path}/enable`)).status).toBe(200);
      const again = api.anonymous();
      await login(again, alice);
      const found: { succeeded: boolean }[] = await signIns(api, again);
      expect(found.map(({ succeeded }) => succeeded)).toEqual([true, false, true]);
    });

    test("they are listed in pages, and without an API token", async () => {
      const alice = await api.signUp();
      for (let count = 0; count < 2; count++) await login(alice, alice);
      const all: { id: number }[] = await signIns(api, alice);
      const { body, headers } = await alice.get("/api/user/sign-ins?limit=2");
      expect(body).toEqual(all.slice(0, 2));
      const next = /<(.+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? "";
      const last = await alice.get(next);
      expect([last.body, last.headers.get("link")]).toEqual([all.slice(2), null]);
      const { token } = (await alice.post("/api/tokens", { name: "Backup", scope: "read" })).body;
      const program = api.anonymous();
      const response = await program.get("/api/user/sign-ins", { authorization: `Bearer ${token}` });
      expect([response.status, response.body.code]).toEqual([403, "token_not_allowed"]);
    });

    test("they are part of the account's export", async () => {
      const alice = await api.signUp();
      const archive = Buffer.from(await alice.bytes("/api/user/export")).toString("latin1");
      expect(archive).toContain('"signIns"');
    });

    test("they are shown for 90 days, and then deleted", async () => {
      const alice = await api.signUp();
      await api.setClock(at(20));
      await login(alice, alice);
      const stored = async () =>
        (await api.select(`select at from sign_ins where user_id = ${alice.id} order by id`)).map(
          (row) => row.at,
        );
      await api.setClock(at(49));
      await alice.get("/api/user");
      await api.setClock(at(78));
      await alice.get("/api/user");
      await api.runJobs(at(90));
      expect(await stored()).toEqual([TEST_START, at(20)]);
      await api.setClock(at(90.1));
      expect(await signIns(api, alice)).toHaveLength(1);
      await api.runJobs();
      expect(await stored()).toEqual([at(20)]);
      await api.setClock(TEST_START);
    });

    test("an account has at most 500 successes and 500 failures: neither displaces the other", async () => {
      const alice = await api.signUp();
      for (const succeeded of [0, 1])
        await api.execute(
          `insert into sign_ins (user_id, at, method, address, user_agent, succeeded) with recursive n(i) as (select 1 union all select i + 1 from n where i < 500) select ${alice.id}, '${TEST_START}', 'password', '', '', ${succeeded} from n`,
        );
      const counts = async () => {
        await api.finishBackgroundWork();
        return api.select(
          `select succeeded, count(*) as count from sign_ins where user_id = ${alice.id} group by succeeded order by succeeded`,
        );
      };
      await login(api.anonymous(), { ...alice, password: "guess" });
      expect(await counts()).toEqual([
        { succeeded: 0, count: 500 },
        { succeeded: 1, count: 501 },
      ]);
      await login(alice, alice);
      expect(await counts()).toEqual([
        { succeeded: 0, count: 500 },
        { succeeded: 1, count: 500 },
      ]);
    });

    test("a sign-in from a new browser is told to the account's address, the next one there is not", async () => {
      const alice = await verified(api);
      expect(await notices(api, alice.email)).toEqual([]);
      await login(alice, alice);
      expect(await notices(api, alice.email)).toEqual([]);
      const phone = api.anonymous();
      const headers = { "user-agent": FIREFOX, "x-test-address": "198.51.100.7" };
      expect((await login(phone, alice, headers)).status).toBe(200);
      const [mail, ...others] = await notices(api, alice.email);
      expect(others).toEqual([]);
      for (const part of ["Firefox on Linux", "198.51.100.7", alice.email, "This wasn't me"])
        expect(mail?.text).toContain(part);
      expect(mail?.text).toContain(`${api.origin}/auth?mode=forgot`);
      await login(phone, alice, { "user-agent": CHROME, "x-test-address": "192.0.2.9" });
      expect(await notices(api, alice.email)).toHaveLength(1);
    });

    test("the same kind of browser at the same address is told once a day", async () => {
      const alice = await verified(api);
      const enter = (agent: string, address: string) =>
        login(api.anonymous(), alice, { "user-agent": agent, "x-test-address": address });
      for (let count = 0; count < 3; count++) await enter(FIREFOX, "198.51.100.7");
      expect(await notices(api, alice.email)).toHaveLength(1);
      await enter(CHROME, "198.51.100.7");
      await enter(FIREFOX, "198.51.100.8");
      expect(await notices(api, alice.email)).toHaveLength(3);
      await api.setClock(at(1));
      await enter(FIREFOX, "198.51.100.7");
      expect(await notices(api, alice.email)).toHaveLength(4);
      await api.setClock(TEST_START);
    });

    test("a new password makes every browser new", async () => {
      const alice = await verified(api);
      const newPassword = "another password";
      const change = { currentPassword: alice.password, newPassword, confirmPassword: newPassword };
      expect((await alice.post("/api/user/change-password", change)).status).toBe(200);
      expect((await login(alice, { email: alice.email, password: newPassword })).status).toBe(200);
      expect(await notices(api, alice.email)).toHaveLength(1);
    });

    test("an address that was never confirmed is told; of a wrong password and a new account, nobody", async () => {
      const alice = await api.signUp();
      await login(api.anonymous(), alice, { "user-agent": FIREFOX });
      expect(await notices(api, alice.email)).toHaveLength(1);
      const bob = await verified(api);
      await login(api.anonymous(), { ...bob, password: "guess" }, { "user-agent": FIREFOX });
      expect(await notices(api, bob.email)).toEqual([]);
      await signInWith(api.anonymous(), "google", providerAccount("told@example.org"));
      expect(await notices(api, "told@example.org")).toEqual([]);
    });

    test("nobody can forge the cookie of a browser for an account without a password", async () => {
      const who = providerAccount("without-password@example.org");
      const own = api.anonymous();
      await signInWith(own, "google", who);
      await signInWith(own, "google", who);
      expect(await notices(api, who.email)).toEqual([]);
      const { id } = (await own.get("/api/user")).body;
      const thief = api.anonymous();
      const url = await beginProviderSignIn(thief, "google");
      const forged = `known-browser=${id}.${await hashToken(`known browser ${id} `)}`;
      await returnFrom(thief, url, provider.agree(url, who), { cookie: `${thief.cookie}; ${forged}` });
      expect((await thief.get("/api/user")).status).toBe(200);
      expect(await notices(api, who.email)).toHaveLength(1);
    });
  },
);
