import { afterAll, expect, test } from "bun:test";
import { addPasskey, passkeyResponse, signInByPasskey } from "../support/api/authenticator";
import { type Api, type ApiResponse, type Client, describeApi, type SignedUp } from "../support/api/client";
import { mailedTokens } from "../support/api/mailed-links";
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

/** An account whose address is verified by its owner, by the mailed link alone, or not at all. */
async function account(api: Api, verified: "owner" | "link" | "nobody" = "owner"): Promise<Account> {
  await api.setClock(TEST_START);
  const client = api.anonymous();
  counter += 1;
  const credentials = { email: `mailbox${counter}@example.com`, password: PASSWORD };
  const { status, body } = await client.post("/api/register", credentials);
  expect(status).toBe(201);
  if (verified !== "nobody") {
    const [token] = await mailedTokens(api, "verify", credentials.email);
    const reader = verified === "owner" ? client : api.anonymous();
    expect((await reader.post("/api/user/verify", { token })).status).toBe(204);
  }
  return Object.assign(client, credentials, { id: body.id });
}

/** Chooses a password by the reset that is mailed, or was. */
async function reset(api: Api, email: string, token?: string): Promise<void> {
  if (!token) await api.anonymous().post("/api/password/forgot", { email });
  const given = token ?? (await mailedTokens(api, "reset", email)).at(-1);
  const answered = await api.anonymous().post("/api/password/reset", { token: given, newPassword: CHOSEN });
  expect(answered.status).toBe(204);
}

/** Signs in with an account at the provider that has the address. @returns where the browser ends up */
async function signInWith(client: Client, email: string, name = "google", sub = String(++counter)) {
  const url = new URL((await client.get(`/api/auth/${name}`)).headers.get("location") ?? "");
  const code = provider.agree(url, { sub, email, email_verified: true });
  const query = new URLSearchParams({ code, state: url.searchParams.get("state") ?? "" });
  return (await client.get(`/api/auth/${name}/callback?${query}`)).headers.get("location");
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
  (api) => {
    for (const verified of ["owner", "link"] as const) {
      test(`a reset keeps app, recovery codes and passkeys, which are still asked for (address verified by: ${verified})`, async () => {
        const owner = await account(api, verified);
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

      test(`a provider with the address does not sign in, until it is linked in a session (address verified by: ${verified})`, async () => {
        const owner = await account(api, verified);
        await setUpTotp(owner);
        const reader = api.anonymous();
        expect(await signInWith(reader, owner.email)).toBe(REFUSED);
        expect(await isSignedIn(reader)).toBe(false);
        expect(await api.select(`select * from identities where user_id = ${owner.id}`)).toEqual([]);
        expect(await isSignedIn(owner)).toBe(true);
        const sub = String(++counter);
        expect(await signInWith(owner, owner.email, "google", sub)).toBe("/profile#providers");
        const later = api.anonymous();
        expect(await signInWith(later, owner.email, "google", sub)).toBe("/");
        expect(await isSignedIn(later)).toBe(true);
        expect(await signInWith(api.anonymous(), owner.email, "github")).toBe(REFUSED);
      });

      test(`“This wasn't me” keeps the app of before the change (address verified by: ${verified})`, async () => {
        const owner = await account(api, verified);
        await setUpTotp(owner);
        const token = await changeAddress(api, owner);
        expect((await api.anonymous().post("/api/user/revert-email", { token })).status).toBe(204);
        await reset(api, owner.email, (await mailedTokens(api, "reset", owner.email)).at(-1));
        expect(result(await login(api.anonymous(), owner.email))).toEqual([401, "second_factor_required"]);
      });
    }

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

    test("an address that nobody has ever verified is its owner's: a takeover ends app, codes and passkeys", async () => {
      const stranger = await account(api, "nobody");
      await setUpTotp(stranger);
      const passkey = await addPasskey(stranger, api.origin);
      const owner = api.anonymous();
      expect(await signInWith(owner, stranger.email)).toBe("/");
      expect((await owner.get("/api/two-factor")).body).toMatchObject({
        totp: false,
        recoveryCodesLeft: 0,
        passkeys: 0,
      });
      expect(await isSignedIn(stranger)).toBe(false);
      expect(result(await signInByPasskey(api.anonymous(), passkey))).toEqual([400, "invalid_passkey"]);
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
  { signInProviders, rateLimits: "off" },
);

describeApi(
  "the mailbox of an account under TWO_FACTOR=everybody",
  (api) => {
    test("a reset, “This wasn't me” and a provider lead nobody past a passkey", async () => {
      const owner = await account(api, "link");
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

    test("an account that has no second factor yet is led to set one up", async () => {
      const owner = await account(api);
      await reset(api, owner.email);
      const client = api.anonymous();
      expect((await login(client, owner.email)).status).toBe(200);
      expect(result(await client.get("/api/workspaces"))).toEqual([403, "second_factor_setup_required"]);
    });
  },
  { signInProviders, rateLimits: "off", variables: { TWO_FACTOR: "everybody" } },
);

describeApi(
  "whoever proves an address that a stranger has registered",
  (api) => {
    /** A stranger's account with the address: an authenticator app, a passkey, a provider and an invitation. */
    async function squat() {
      const stranger = await account(api, "nobody");
      await setUpTotp(stranger);
      const passkey = await addPasskey(stranger, api.origin);
      expect(await signInWith(stranger, `elsewhere-${stranger.email}`)).toBe("/profile#providers");
      return { stranger, passkey };
    }
    const waysOf = ({ id }: Account) =>
      Promise.all(
        ["passkeys", "identities", "sessions", "api_tokens"].map((table) =>
          api.select(`select user_id from ${table} where user_id = ${id}`),
        ),
      );

    // An authenticator app remains, because it signs nobody in and the mailbox leads nobody past it.
    test("has the account alone after a reset", async () => {
      const { stranger, passkey } = await squat();
      await reset(api, stranger.email);
      expect((await waysOf(stranger)).flat()).toEqual([]);
      expect((await signInByPasskey(api.anonymous(), passkey)).status).toBe(400);
      const asked = await login(api.anonymous(), stranger.email);
      expect([...result(asked), asked.body.methods]).toEqual([
        401,
        "second_factor_required",
        ["totp", "recovery_code"],
      ]);
    });

    test("has it alone after “This wasn't me”", async () => {
      const { stranger, passkey } = await squat();
      const token = await changeAddress(api, stranger);
      expect((await api.anonymous().post("/api/user/revert-email", { token })).status).toBe(204);
      expect((await waysOf(stranger)).flat()).toEqual([]);
      expect((await signInByPasskey(api.anonymous(), passkey)).status).toBe(400);
    });
  },
  { signInProviders, rateLimits: "off" },
);

describeApi(
  "the mailbox of an administrator",
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
      await addPasskey(client, api.origin);
      // Else it would be a mere claim, which a reset takes over.
      await api.execute(
        `update users set is_verified = 1, verified_by_owner = 1 where id = ${registered.body.id}`,
      );
      await reset(api, credentials.email);
      const asked = await login(api.anonymous(), credentials.email);
      expect(result(asked)).toEqual([401, "second_factor_required"]);
      expect(asked.body.methods).toEqual(["passkey"]);
    });
  },
  {
    rateLimits: "off",
    variables: { TWO_FACTOR: "administrators", ADMIN_EMAILS: "chief@example.com,boss@example.com" },
  },
);
