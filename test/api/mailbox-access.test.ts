import { afterAll, expect, test } from "bun:test";
import { addPasskey, passkeyResponse, signInByPasskey } from "../support/api/authenticator";
import { type Api, type ApiResponse, type Client, describeApi, type SignedUp } from "../support/api/client";
import { mailedTokens } from "../support/api/mailed-links";
import {
  beginLinking,
  beginProviderSignIn,
  confirmProvider,
  returnFrom,
} from "../support/api/provider-sign-in";
import { after, answer, beginLogin, setUpTotp } from "../support/api/two-factor";
import { TEST_START } from "../support/runtime/runtime";
import { startIdentityProvider } from "../support/servers/identity-provider";

/** What somebody can do who reads the mails of an account and knows nothing else of it. */

const provider = startIdentityProvider();
afterAll(() => provider.stop());

const PASSWORD = "a long password";
const CHOSEN = "chosen by the reader of the mails";
const REFUSED = "/auth?error=sign_in_before_linking";
const result = ({ status, body }: ApiResponse) => [status, body?.code];

let counter = 0;

type Account = Client & Pick<SignedUp, "id" | "email" | "password">;

/** An account whose address is proved, verified by the mailed link alone, or neither. */
async function account(api: Api, verified: "proved" | "link" | "nobody" = "proved"): Promise<Account> {
  await api.setClock(TEST_START);
  await requireFirstAccount(api);
  const client = api.anonymous();
  counter += 1;
  const credentials = { email: `mailbox${counter}@example.com`, password: PASSWORD };
  const { status, body } = await client.post("/api/register", credentials);
  expect(status).toBe(201);
  if (verified !== "nobody") {
    const [token] = await mailedTokens(api, "verify", credentials.email);
    const reader = verified === "proved" ? client : api.anonymous();
    expect((await reader.post("/api/user/verify", { token })).status).toBe(204);
  }
  return Object.assign(client, credentials, { id: body.id });
}

/** Nobody asks the first account of an instance for proof. */
async function requireFirstAccount(api: Api): Promise<void> {
  const [first] = await api.select("select id from users limit 1");
  if (!first) await api.anonymous().post("/api/register", { email: "first@example.com", password: PASSWORD });
}

/** Chooses a password by the reset that is mailed, or was. */
async function reset(api: Api, email: string, token?: string): Promise<void> {
  const given = token ?? (await mailedResets(api, email)).at(-1);
  const answered = await api.anonymous().post("/api/password/reset", { token: given, newPassword: CHOSEN });
  expect(answered.status).toBe(204);
}

/** The tokens of the resets that were mailed, after another one. */
async function mailedResets(api: Api, email: string): Promise<string[]> {
  await api.anonymous().post("/api/password/forgot", { email });
  return mailedTokens(api, "reset", email);
}

/** Signs in with an account at the provider that has the address. @returns where the browser ends up */
async function signInWith(client: Client, email: string, name = "google", sub = String(++counter)) {
  const url = await beginProviderSignIn(client, name);
  return returnFrom(client, url, provider.agree(url, { sub, email, email_verified: true }));
}

/** Links an account at the provider that has the address. */
async function linkWith(client: Client, email: string, sub = String(++counter)) {
  const url = await beginLinking(client, "google");
  await returnFrom(client, url, provider.agree(url, { sub, email, email_verified: true }));
  expect(await confirmProvider(client)).toBe("/profile#providers");
}

const login = (client: Client, email: string, password = CHOSEN) =>
  client.post("/api/login", { email, password });

const isSignedIn = async (client: Client) => (await client.get("/api/session")).body.signedIn;

/** Changes the address. @returns the token of "This wasn't me", mailed to the old one */
async function changeAddress(api: Api, owner: Account): Promise<string> {
  await api.setClock(after(60));
  const email = `moved-${owner.email}`;
  expect((await owner.patch("/api/user/profile", { email })).status).toBe(200);
  const token = (await mailedTokens(api, "revert-email", owner.email)).at(-1);
  expect(token).toBeString();
  return token ?? "";
}

const signInProviders = [provider.settings("google"), provider.settings("github")];

describeApi(
  "the mailbox of an account with an authenticator app",
  { signInProviders, rateLimits: "off" },
  (api) => {
    test("a reset keeps app, recovery codes and passkeys, which are still asked for", async () => {
      const owner = await account(api);
      const app = await setUpTotp(owner);
      const passkey = await addPasskey(owner, api.origin);
      await reset(api, owner.email);
      const reader = api.anonymous();
      const asked = await login(reader, owner.email);
      expect(result(asked)).toEqual([401, "second_factor_required"]);
      expect(asked.body.methods).toEqual(["totp", "recovery_code", "passkey"]);
      expect(await isSignedIn(reader)).toBe(false);
      const again = { email: owner.email, password: CHOSEN };
      for (const given of [
        { code: app.code() },
        { recoveryCode: app.recoveryCodes[0] },
        { passkey: await passkeyResponse(owner, passkey) },
      ]) {
        const client = api.anonymous();
        const challenge = await beginLogin(client, again);
        expect((await answer(client, challenge, given)).status).toBe(200);
        expect(await isSignedIn(client)).toBe(true);
      }
      expect((await signInByPasskey(api.anonymous(), passkey)).status).toBe(200);
    });

    test("a provider with the address does not sign in, until it is linked in a session", async () => {
      const owner = await account(api);
      await setUpTotp(owner);
      const reader = api.anonymous();
      expect(await signInWith(reader, owner.email)).toBe(REFUSED);
      expect(await isSignedIn(reader)).toBe(false);
      expect(await api.select(`select * from identities where user_id = ${owner.id}`)).toEqual([]);
      expect(await isSignedIn(owner)).toBe(true);
      const sub = String(++counter);
      await linkWith(owner, owner.email, sub);
      const later = api.anonymous();
      expect(await signInWith(later, owner.email, "google", sub)).toBe("/");
      expect(await isSignedIn(later)).toBe(true);
      expect(await signInWith(api.anonymous(), owner.email, "github")).toBe(REFUSED);
    });

    test("“This wasn't me” keeps the app of before the change", async () => {
      const owner = await account(api);
      await setUpTotp(owner);
      const token = await changeAddress(api, owner);
      expect((await api.anonymous().post("/api/user/revert-email", { token })).status).toBe(204);
      await reset(api, owner.email, (await mailedTokens(api, "reset", owner.email)).at(-1));
      expect(result(await login(api.anonymous(), owner.email))).toEqual([401, "second_factor_required"]);
    });

    test("a new address, entered in a stolen session, is not the account's before it is confirmed", async () => {
      const owner = await account(api, "nobody");
      // Proved by the setup link or the operator: nobody has opened the mailed link.
      await api.execute(`update users set verified_by_owner = 1 where id = ${owner.id}`);
      await setUpTotp(owner);
      const passkey = await addPasskey(owner, api.origin);
      const undo = await changeAddress(api, owner);
      const thiefs = `moved-${owner.email}`;
      expect(await mailedResets(api, thiefs)).toEqual([]);
      expect(await signInWith(api.anonymous(), thiefs)).not.toBe(REFUSED);
      expect(await isSignedIn(owner)).toBe(true);
      expect((await signInByPasskey(api.anonymous(), passkey)).status).toBe(200);
      expect((await api.anonymous().post("/api/user/revert-email", { token: undo })).status).toBe(204);
      await reset(api, owner.email, (await mailedTokens(api, "reset", owner.email)).at(-1));
      expect(result(await login(api.anonymous(), owner.email))).toEqual([401, "second_factor_required"]);
    });

    test("“This wasn't me” ends an app and passkeys that were added since the change", async () => {
      const owner = await account(api);
      const token = await changeAddress(api, owner);
      await setUpTotp(owner, after(60));
      const passkey = await addPasskey(owner, api.origin);
      expect((await api.anonymous().post("/api/user/revert-email", { token })).status).toBe(204);
      await reset(api, owner.email, (await mailedTokens(api, "reset", owner.email)).at(-1));
      expect((await login(api.anonymous(), owner.email)).status).toBe(200);
      expect(result(await signInByPasskey(api.anonymous(), passkey))).toEqual([400, "invalid_passkey"]);
    });

    test("no code by mail confirms a session that has a second factor", async () => {
      const owner = await account(api);
      await setUpTotp(owner);
      await api.execute(`update users set password = '' where id = ${owner.id}`);
      expect(result(await owner.post("/api/reauthenticate/mail"))).toEqual([409, "other_method"]);
    });

    test("an invitation to the address opens no account that exists, and joining needs its session", async () => {
      const owner = await account(api);
      await setUpTotp(owner);
      const host = await account(api);
      const { body } = await host.get("/api/workspaces");
      const invited = await host.post(`/api/workspaces/${body[0].id}/invitations`, {
        email: owner.email,
        role: "member",
      });
      expect(invited.status).toBe(201);
      const token = (await mailedTokens(api, "invite", owner.email)).at(-1);
      const reader = api.anonymous();
      const accepted = await reader.post("/api/invitations/accept", { token, password: CHOSEN });
      expect(result(accepted)).toEqual([409, "email_taken"]);
      expect((await reader.post("/api/invitations/join", { token })).status).toBe(401);
      expect(await isSignedIn(reader)).toBe(false);
    });

    test("an app that is set up during a first sign-in with a provider is asked for", async () => {
      for (let round = 0; round < 20; round += 1) {
        const owner = await account(api);
        const reader = api.anonymous();
        const [landed] = await Promise.all([signInWith(reader, owner.email), setUpTotp(owner)]);
        const linked = await api.select(`select * from identities where user_id = ${owner.id}`);
        expect([landed, linked.length]).toEqual(
          landed === "/" ? ["/", 1] : [expect.stringMatching(/^.auth/), 0],
        );
      }
    });

    test("passkeys alone make the password no harder, and end with a reset, like linked providers", async () => {
      const owner = await account(api);
      const passkey = await addPasskey(owner, api.origin);
      expect(await signInWith(api.anonymous(), owner.email)).toBe("/");
      await reset(api, owner.email);
      expect((await login(api.anonymous(), owner.email)).status).toBe(200);
      expect(result(await signInByPasskey(api.anonymous(), passkey))).toEqual([400, "invalid_passkey"]);
      expect(await api.select(`select * from identities where user_id = ${owner.id}`)).toEqual([]);
    });
  },
);

describeApi(
  "the mailbox of an account under TWO_FACTOR=everybody",
  { signInProviders, rateLimits: "off", variables: { TWO_FACTOR: "everybody" } },
  (api) => {
    test("a reset, “This wasn't me” and a provider lead nobody past a passkey", async () => {
      const owner = await account(api);
      const passkey = await addPasskey(owner, api.origin);
      expect(await signInWith(api.anonymous(), owner.email)).toBe(REFUSED);
      const token = await changeAddress(api, owner);
      expect((await api.anonymous().post("/api/user/revert-email", { token })).status).toBe(204);
      await reset(api, owner.email, (await mailedTokens(api, "reset", owner.email)).at(-1));
      await reset(api, owner.email);
      const reader = api.anonymous();
      const asked = await login(reader, owner.email);
      expect(result(asked)).toEqual([401, "second_factor_required"]);
      expect(asked.body.methods).toEqual(["passkey"]);
      const { challenge } = asked.body;
      const signedIn = await answer(api.anonymous(), challenge, {
        passkey: await passkeyResponse(reader, passkey),
      });
      expect(signedIn.status).toBe(200);
    });

    test("where a linked provider is the second factor, neither a reset nor another provider gets past it", async () => {
      const email = `linked${++counter}@example.com`;
      const owner = api.anonymous();
      expect(await signInWith(owner, email, "google", "4711")).toBe("/");
      expect((await owner.get("/api/workspaces")).status).toBe(200);
      await reset(api, email);
      const reader = api.anonymous();
      expect(result(await login(reader, email))).toEqual([403, "provider_sign_in_required"]);
      expect(await signInWith(reader, email, "github")).toBe(REFUSED);
      expect(await isSignedIn(reader)).toBe(false);
      const again = api.anonymous();
      expect(await signInWith(again, email, "google", "4711")).toBe("/");
      const passkey = await addPasskey(again, api.origin);
      const asked = await login(api.anonymous(), email);
      expect(result(asked)).toEqual([401, "second_factor_required"]);
      const { challenge } = asked.body;
      expect(
        (await answer(reader, challenge, { passkey: await passkeyResponse(reader, passkey) })).status,
      ).toBe(200);
    });

    test("a session of long ago does not unlink the provider that is the second factor", async () => {
      await api.setClock(TEST_START);
      const email = `linked${++counter}@example.com`;
      const sub = String(++counter);
      const owner = api.anonymous();
      expect(await signInWith(owner, email, "google", sub)).toBe("/");
      await reset(api, email);
      expect(await signInWith(owner, email, "google", sub)).toBe("/");
      const unlink = () => owner.delete("/api/user/providers/google");
      await api.setClock(after(600));
      expect(result(await unlink())).toEqual([403, "reauthentication_required"]);
      expect((await owner.post("/api/reauthenticate", { password: CHOSEN })).status).toBe(204);
      expect((await unlink()).status).toBe(204);
    });

    test("an account that has no second factor yet is led to set one up", async () => {
      const owner = await account(api);
      await reset(api, owner.email);
      const client = api.anonymous();
      expect((await login(client, owner.email)).status).toBe(200);
      expect(result(await client.get("/api/workspaces"))).toEqual([403, "second_factor_setup_required"]);
    });
  },
);

for (const verified of ["nobody", "link"] as const)
  describeApi(
    `whoever proves an address that a stranger has registered, verified by ${verified}`,
    { signInProviders, rateLimits: "off" },
    (api) => {
      /** A stranger's account with the address, and all that can be added to it where no mail is configured yet. */
      async function squat() {
        const stranger = await account(api, verified);
        await api.setMail("unset");
        await setUpTotp(stranger);
        const passkey = await addPasskey(stranger, api.origin);
        await linkWith(stranger, `elsewhere-${stranger.email}`);
        await api.setMail("works");
        expect((await stranger.post("/api/tokens", { name: "Backdoor", scope: "write" })).status).toBe(201);
        return { stranger, passkey };
      }
      const TABLES = ["passkeys", "totp", "recovery_codes", "sessions", "api_tokens", "remembered_devices"];
      const remaining = async ({ id }: Account, tables = TABLES) => {
        const rows = await Promise.all(
          tables.map((table) =>
            api.select(
              `select '${table}' as name from ${table} where user_id = ${id}${table === "totp" ? " and sealed_secret is not null" : ""}`,
            ),
          ),
        );
        return rows.flat();
      };

      test("has the account alone after a reset, which asks for no second factor", async () => {
        const { stranger, passkey } = await squat();
        const token = (await mailedResets(api, stranger.email)).at(-1);
        await api
          .anonymous()
          .post("/api/password/reset", { token, newPassword: CHOSEN, revokeTokens: false });
        expect(await remaining(stranger, [...TABLES, "identities"])).toEqual([]);
        expect((await signInByPasskey(api.anonymous(), passkey)).status).toBe(400);
        const owner = api.anonymous();
        expect((await login(owner, stranger.email)).status).toBe(200);
        // From now on, a mailbox gets nobody past what its owner adds.
        await setUpTotp(owner);
        await reset(api, stranger.email);
        expect(result(await login(api.anonymous(), stranger.email))).toEqual([401, "second_factor_required"]);
      });

      test("has it alone after “This wasn't me”", async () => {
        const { stranger, passkey } = await squat();
        const token = await changeAddress(api, stranger);
        expect((await api.anonymous().post("/api/user/revert-email", { token })).status).toBe(204);
        expect(await remaining(stranger, [...TABLES, "identities"])).toEqual([]);
        expect((await signInByPasskey(api.anonymous(), passkey)).status).toBe(400);
      });

      test("has it alone after a sign-in with a provider", async () => {
        const { stranger, passkey } = await squat();
        const owner = api.anonymous();
        expect(await signInWith(owner, stranger.email)).toBe("/");
        expect(await remaining(stranger)).toEqual([{ name: "sessions" }]);
        expect(await isSignedIn(stranger)).toBe(false);
        expect((await signInByPasskey(api.anonymous(), passkey)).status).toBe(400);
        expect(await api.select(`select 1 from identities where user_id = ${stranger.id}`)).toHaveLength(1);
      });
    },
  );

describeApi("an account whose address is not proved", { signInProviders, rateLimits: "off" }, (api) => {
  const refusals = async (client: Client) => {
    const [workspace] = (await client.get("/api/workspaces")).body;
    const invitation = { email: "accomplice@example.com", role: "owner" };
    const calls = [
      client.post("/api/two-factor/totp"),
      client.post("/api/two-factor/totp/confirm", { code: "123456" }),
      client.post("/api/passkeys/options"),
      client.post("/api/passkeys", { name: "Key", response: {} }),
      client.post("/api/auth/google/link"),
      client.post(`/api/workspaces/${workspace.id}/invitations`, invitation),
    ];
    return (await Promise.all(calls)).map(({ body }) => body?.code);
  };

  for (const verified of ["nobody", "link"] as const)
    test(`gets no factor, no provider and invites nobody until its link is opened in its session (verified by ${verified})`, async () => {
      const stranger = await account(api, verified);
      expect(new Set(await refusals(stranger))).toEqual(new Set(["address_not_proved"]));
      expect((await stranger.get("/api/user")).body.isProved).toBe(false);
      await stranger.post("/api/user/resend-verification");
      const token = (await mailedTokens(api, "verify", stranger.email)).at(-1);
      const alone = await api.anonymous().post("/api/user/verify", { token });
      expect(result(alone)).toEqual(verified === "link" ? [403, "confirm_signed_in"] : [204, undefined]);
      expect((await stranger.get("/api/user")).body).toMatchObject({ isVerified: true, isProved: false });
      expect((await stranger.post("/api/user/verify", { token })).status).toBe(204);
      expect((await stranger.get("/api/user")).body.isProved).toBe(true);
      await setUpTotp(stranger);
      await addPasskey(stranger, api.origin);
      expect((await stranger.post("/api/user/verify", { token })).status).toBe(400);
    });

  test("keeps the address that nobody was asked to prove until another one is confirmed", async () => {
    await requireFirstAccount(api);
    const first = api.anonymous();
    expect((await login(first, "first@example.com", PASSWORD)).status).toBe(200);
    expect((await first.get("/api/user")).body).toMatchObject({ isVerified: false, isProved: true });
    const { body } = await first.patch("/api/user/profile", { email: "chosen@example.com" });
    expect(body).toMatchObject({ email: "chosen@example.com", confirmedEmail: "first@example.com" });
    await first.patch("/api/user/profile", { email: "first@example.com" });
  });

  test("is asked for nothing where no mail is configured", async () => {
    const client = await account(api, "nobody");
    await api.setMail("unset");
    expect((await client.get("/api/user")).body.isProved).toBe(true);
    await setUpTotp(client);
    await api.setMail("works");
  });
});

describeApi(
  "the mailbox of an administrator",
  {
    signInProviders,
    rateLimits: "off",
    variables: {
      TWO_FACTOR: "administrators",
      ADMIN_EMAILS: "chief@example.com,boss@example.com,head@example.com",
    },
  },
  (api) => {
    test("the link that confirms the address makes nobody an administrator without a session", async () => {
      const stranger = api.anonymous();
      const credentials = { email: "boss@example.com", password: PASSWORD };
      expect((await stranger.post("/api/register", credentials)).status).toBe(201);
      const [token] = await mailedTokens(api, "verify", credentials.email);
      const clicked = await api.anonymous().post("/api/user/verify", { token });
      expect(result(clicked)).toEqual([403, "confirm_signed_in"]);
      expect((await stranger.get("/api/administration")).status).toBe(403);
      expect((await stranger.post("/api/user/verify", { token })).status).toBe(204);
    });

    test("a reset that makes the account an administrator keeps the passkeys that it then needs", async () => {
      const client = api.anonymous();
      const credentials = { email: "chief@example.com", password: PASSWORD };
      const registered = await client.post("/api/register", credentials);
      expect(registered.status).toBe(201);
      // Else it would be a mere claim, which a reset takes over.
      await api.execute(
        `update users set is_verified = 1, verified_by_owner = 1 where id = ${registered.body.id}`,
      );
      await addPasskey(client, api.origin);
      await reset(api, credentials.email);
      const asked = await login(api.anonymous(), credentials.email);
      expect(result(asked)).toEqual([401, "second_factor_required"]);
      expect(asked.body.methods).toEqual(["passkey"]);
    });

    test("a session of long ago does not change the address by which the account needs its passkey", async () => {
      await api.setClock(TEST_START);
      const client = api.anonymous();
      const credentials = { email: "head@example.com", password: PASSWORD };
      const registered = await client.post("/api/register", credentials);
      await api.execute(
        `update users set is_verified = 1, verified_by_owner = 1 where id = ${registered.body.id}`,
      );
      await addPasskey(client, api.origin);
      await api.setClock(after(600));
      // A reset at the thief's address would end the passkey, and another change back would make them an administrator.
      const change = () => client.patch("/api/user/profile", { email: "thief@example.com" });
      expect(result(await change())).toEqual([403, "reauthentication_required"]);
      for (const input of [{ firstName: "Hedda" }, credentials])
        expect((await client.patch("/api/user/profile", input)).status).toBe(200);
      expect((await client.post("/api/reauthenticate", { password: PASSWORD })).status).toBe(204);
      expect((await change()).status).not.toBe(403);
      await api.setClock(TEST_START);
    });

    test("a provider that would make the account an administrator gets nobody past its passkey", async () => {
      const client = api.anonymous();
      const credentials = { email: "boss@example.com", password: PASSWORD };
      expect((await login(client, credentials.email, PASSWORD)).status).toBe(200);
      await addPasskey(client, api.origin);
      // Created by the operator, and let in by their link: nobody has opened a mail.
      await api.execute(
        `update users set is_verified = 0, verified_by_owner = 1 where email = '${credentials.email}'`,
      );
      const reader = api.anonymous();
      expect(await signInWith(reader, credentials.email)).toBe(REFUSED);
      expect((await reader.get("/api/administration")).status).toBe(401);
    });
  },
);
