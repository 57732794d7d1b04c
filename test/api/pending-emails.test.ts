import { afterAll, beforeAll, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../worker/lib/durations";
import { type Api, type Client, describeApi, type SignedUp } from "../support/api/client";
import { mailedTokens } from "../support/api/mailed-links";
import { beginProviderSignIn, returnFrom } from "../support/api/provider-sign-in";
import { TEST_START } from "../support/runtime/runtime";
import { startIdentityProvider } from "../support/servers/identity-provider";

const provider = startIdentityProvider();
afterAll(() => provider.stop());

const PASSWORD = "a long password";
const INVALID = { message: "This link is invalid or has expired", code: "invalid_token" };
const later = (ms: number) => new Date(Date.parse(TEST_START) + ms).toISOString();

let names = 0;
const newAddress = () => `bob${++names}@example.org`;

async function confirm(api: Api, account: Client, email: string) {
  const token = (await mailedTokens(api, "verify", email)).at(-1);
  return account.post("/api/user/verify", { token });
}

/** An account with a confirmed address. */
async function confirmed(api: Api): Promise<SignedUp> {
  const account = await api.signUp();
  expect((await confirm(api, account, account.email)).status).toBe(204);
  return account;
}

/** An account that has entered an address that is not confirmed yet. */
async function claiming(api: Api, email = newAddress()) {
  const account = await confirmed(api);
  expect((await account.patch("/api/user/profile", { email })).status).toBe(200);
  return { account, email };
}

const subjects = async (api: Api, address: string) => {
  await api.finishBackgroundWork();
  return (await api.mails()).filter(({ to }) => to === address).map(({ subject }) => subject);
};

describeApi("changing a confirmed address", { signInProviders: [provider.settings("google")] }, (api) => {
  const post = (path: string, body: object) => api.anonymous().post(path, body);
  const forgot = (email: string) => post("/api/password/forgot", { email });
  const signIn = async (email: string, password = PASSWORD) =>
    (await post("/api/login", { email, password })).status;

  let admin: SignedUp;
  beforeAll(async () => {
    admin = await api.signUp();
  });

  test("whoever enters a stranger's address never gets the stranger's account", async () => {
    const { account: mallory, email } = await claiming(api);
    const [revert] = await mailedTokens(api, "revert-email", mallory.email);
    const verification = (await mailedTokens(api, "verify", email)).at(-1);

    // Bob clicks the link in the mail, and asks for a password.
    const clicked = await post("/api/user/verify", { token: verification });
    expect([clicked.status, clicked.body.code]).toEqual([403, "confirm_signed_in"]);
    expect((await forgot(email)).status).toBe(204);
    expect(await mailedTokens(api, "reset", email)).toEqual([]);
    expect(await mailedTokens(api, "reset", mallory.email)).toEqual([]);
    const [release] = await mailedTokens(api, "release-email", email);
    expect(await post("/api/user/release-email", { token: release })).toMatchObject({
      status: 204,
      text: "",
    });
    expect((await mallory.get("/api/user")).body).toMatchObject({
      email: mallory.email,
      isVerified: true,
      confirmedEmail: null,
    });
    expect((await subjects(api, mallory.email)).at(-1)).toBe("Your new email address was removed");

    const bob = api.anonymous();
    expect((await bob.post("/api/register", { email, password: "bob's secret" })).status).toBe(201);
    const { body } = await bob.get("/api/user");
    expect(body.id).not.toBe(mallory.id);
    expect((await post("/api/user/revert-email", { token: revert })).status).toBe(204);
    expect((await bob.get("/api/user")).body).toEqual(body);
    expect((await mallory.post("/api/user/verify", { token: verification })).body).toEqual(INVALID);
    expect(await post("/api/user/release-email", { token: release })).toMatchObject({ body: INVALID });
  });

  test("the account has the new address at once, signs in with both, and sends and gets mail as the old one", async () => {
    const { account, email } = await claiming(api);
    expect((await account.get("/api/user")).body).toMatchObject({
      id: account.id,
      email,
      isVerified: false,
      confirmedEmail: account.email,
    });
    expect([await signIn(email), await signIn(account.email)]).toEqual([200, 200]);
    const [row] = await api.select(`select email, is_verified from users where id = ${account.id}`);
    expect(row).toEqual({ email: account.email, is_verified: 1 });
    expect(await subjects(api, account.email)).toContain("Your email address is about to change");
    expect(await subjects(api, email)).toEqual(["Confirm your email address"]);
    const same = await account.patch("/api/user/profile", { email, firstName: "Ada" });
    expect(same.body).toMatchObject({ email, firstName: "Ada", isVerified: false });
    expect(await subjects(api, email)).toHaveLength(1);
  });

  test("the link and a session of the account confirm it; the old address can undo that for another 7 days", async () => {
    const { account, email } = await claiming(api);
    const stranger = await confirmed(api);
    const token = (await mailedTokens(api, "verify", email)).at(-1);
    for (const other of [api.anonymous(), stranger])
      expect((await other.post("/api/user/verify", { token })).body.code).toBe("confirm_signed_in");
    await api.setClock(later(6 * DAY_MS));
    expect((await account.post("/api/user/resend-verification")).status).toBe(204);
    expect((await confirm(api, account, email)).status).toBe(204);
    expect((await account.get("/api/user")).body).toMatchObject({
      email,
      isVerified: true,
      confirmedEmail: null,
    });
    expect([await signIn(email), await signIn(account.email)]).toEqual([200, 401]);
    expect((await subjects(api, account.email)).at(-1)).toBe("Your email address was changed");
    await api.setClock(later(12 * DAY_MS));
    const revert = (await mailedTokens(api, "revert-email", account.email)).at(-1);
    expect((await post("/api/user/revert-email", { token: revert })).status).toBe(204);
    const [row] = await api.select(`select email from users where id = ${account.id}`);
    expect(row?.email).toBe(account.email);
    await api.setClock(TEST_START);
  });

  test("a reset at the confirmed address keeps that address, and ends the change", async () => {
    const { account, email } = await claiming(api);
    const verification = (await mailedTokens(api, "verify", email)).at(-1);
    await forgot(account.email);
    const [token] = await mailedTokens(api, "reset", account.email);
    expect((await post("/api/password/reset", { token, newPassword: "a new secret" })).status).toBe(204);
    expect((await account.get("/api/user")).status).toBe(401);
    const owner = api.anonymous();
    const login = { email: account.email, password: "a new secret" };
    expect((await owner.post("/api/login", login)).body).toMatchObject({
      email: account.email,
      isVerified: true,
    });
    expect(await signIn(email, "a new secret")).toBe(401);
    expect((await owner.post("/api/user/verify", { token: verification })).body).toEqual(INVALID);
  });

  test("the old address's reset links end when the change is confirmed", async () => {
    const { account, email } = await claiming(api);
    await forgot(account.email);
    const [token] = await mailedTokens(api, "reset", account.email);
    expect((await confirm(api, account, email)).status).toBe(204);
    const late = await post("/api/password/reset", { token, newPassword: "a new secret" });
    expect(late).toMatchObject({ status: 400, body: INVALID });
  });

  test("returning to the confirmed address needs no link, and the other one's link ends", async () => {
    const { account, email } = await claiming(api);
    const token = (await mailedTokens(api, "verify", email)).at(-1);
    const back = await account.patch("/api/user/profile", { email: account.email });
    expect(back.body).toMatchObject({ email: account.email, isVerified: true, confirmedEmail: null });
    expect((await account.post("/api/user/verify", { token })).body).toEqual(INVALID);
    expect(await signIn(email)).toBe(401);
  });

  test("registering with the unconfirmed address gets it, and tells the account at its own one", async () => {
    const { account, email } = await claiming(api);
    const bob = api.anonymous();
    expect((await bob.post("/api/register", { email, password: PASSWORD })).status).toBe(201);
    expect((await account.get("/api/user")).body).toMatchObject({ email: account.email, isVerified: true });
    await api.finishBackgroundWork();
    const [mail] = (await api.mails()).filter(({ to }) => to === account.email).slice(-1);
    expect(mail?.subject).toBe("Your new email address was removed");
    expect(mail?.text).toContain(email);
    expect((await account.patch("/api/user/profile", { email })).body.code).toBe("email_taken");
    expect((await bob.get("/api/user")).body).toMatchObject({ email, isVerified: false });
  });

  test("joining by an invitation, or signing in with a provider, gets the unconfirmed address too", async () => {
    const { account: first, email: invited } = await claiming(api);
    const sent = await admin.post("/api/administration/invitations", { email: invited });
    expect(sent.status).toBe(201);
    const [token] = await mailedTokens(api, "invite", invited);
    expect((await post("/api/invitations/accept", { token, password: PASSWORD })).status).toBe(201);
    expect((await first.get("/api/user")).body.email).toBe(first.email);

    const { account: second, email } = await claiming(api);
    const bob = api.anonymous();
    const url = await beginProviderSignIn(bob, "google");
    await returnFrom(bob, url, provider.agree(url, { sub: email, email, email_verified: true }));
    expect((await bob.get("/api/user")).body).toMatchObject({ email, isVerified: true });
    expect((await second.get("/api/user")).body.email).toBe(second.email);
    for (const account of [first, second])
      expect((await subjects(api, account.email)).at(-1)).toBe("Your new email address was removed");
  });

  test("an address that an account has, or has entered, is taken for changes of others", async () => {
    const { account, email } = await claiming(api);
    const other = await confirmed(api);
    for (const taken of [account.email, email]) {
      const response = await other.patch("/api/user/profile", { email: taken });
      expect([response.status, response.body.code]).toEqual([409, "email_taken"]);
    }
    const answer = await post("/api/register", { email: account.email, password: PASSWORD });
    expect([answer.status, answer.body.code]).toEqual([409, "email_taken"]);
  });

  test("of two registrations with the address, one gets it; a concurrent confirmation loses or wins as a whole", async () => {
    for (let round = 0; round < 10; round++) {
      const { account, email } = await claiming(api);
      const token = (await mailedTokens(api, "verify", email)).at(-1);
      const register = () => post("/api/register", { email, password: "another secret" });
      const [one, two, changed] = await Promise.all([
        register(),
        register(),
        account.post("/api/user/verify", { token }),
      ]);
      const own = changed.status === 204;
      expect([one.status, two.status].sort()).toEqual(own ? [409, 409] : [201, 409]);
      if (!own) expect(changed.body.code).toBeOneOf(["invalid_token", "email_taken"]);
      const rows = await api.select(`select id from users where email = '${email}'`);
      expect(rows).toHaveLength(1);
      expect((await account.get("/api/user")).body).toMatchObject({
        email: own ? email : account.email,
        isVerified: true,
      });
      const notices = (await subjects(api, account.email)).filter((subject) => /was removed/.test(subject));
      expect(notices).toHaveLength(own ? 0 : 1);
    }
  }, 240_000);

  test("a link that removes the address works once, for a day, and only while the address is unconfirmed", async () => {
    const { account, email } = await claiming(api);
    await forgot(email);
    const [first = ""] = await mailedTokens(api, "release-email", email);
    for (const table of ["users", "notifications"])
      expect(JSON.stringify(await api.select(`select * from ${table}`))).not.toContain(first);
    const expired = later(24 * HOUR_MS);
    await api.setClock(expired);
    expect((await post("/api/user/release-email", { token: first })).body).toEqual(INVALID);
    await api.setClock(TEST_START);
    const verification = (await mailedTokens(api, "verify", email)).at(-1);
    for (const token of ["", "x", verification, account.cookie.split("=")[1]])
      expect((await post("/api/user/release-email", { token })).body).toEqual(INVALID);
    for (const path of ["/api/user/verify", "/api/user/revert-email", "/api/password/reset"])
      expect((await post(path, { token: first, newPassword: "a new secret" })).body).toEqual(INVALID);
    expect((await confirm(api, account, email)).status).toBe(204);
    expect((await post("/api/user/release-email", { token: first })).body).toEqual(INVALID);
    expect((await account.get("/api/user")).body.email).toBe(email);
  });
});

describeApi("changing an address that was never verified", (api) => {
  const post = (path: string, body: object) => api.anonymous().post(path, body);

  test("replaces it at once, and frees it", async () => {
    const account = await api.signUp({ proved: false });
    const email = newAddress();
    const changed = await account.patch("/api/user/profile", { email });
    expect(changed.body).toMatchObject({ email, isVerified: false, confirmedEmail: null });
    const again = await post("/api/register", { email: account.email, password: PASSWORD });
    expect(again.status).toBe(201);
    const taken = await post("/api/register", { email, password: PASSWORD });
    expect([taken.status, taken.body.code]).toEqual([409, "email_taken"]);
  });

  test("is confirmed by the link from a session, not by the link alone", async () => {
    const account = await api.signUp({ proved: false });
    const email = newAddress();
    await account.patch("/api/user/profile", { email });
    const token = (await mailedTokens(api, "verify", email)).at(-1);
    expect((await post("/api/user/verify", { token })).body.code).toBe("confirm_signed_in");
    expect((await account.post("/api/user/verify", { token })).status).toBe(204);
    expect((await account.get("/api/user")).body).toMatchObject({ email, isVerified: true });
  });

  test("ends its links to undo with the reset by which the new address's owner takes the account over", async () => {
    const mallory = await api.signUp({ proved: false });
    const email = newAddress();
    await mallory.patch("/api/user/profile", { email });
    const [revert] = await mailedTokens(api, "revert-email", mallory.email);
    await post("/api/password/forgot", { email });
    const [token] = await mailedTokens(api, "reset", email);
    expect((await post("/api/password/reset", { token, newPassword: "bob's secret" })).status).toBe(204);
    const bob = api.anonymous();
    const { body } = await bob.post("/api/login", { email, password: "bob's secret" });
    expect(body).toMatchObject({ id: mallory.id, email, isVerified: true });
    expect((await mallory.get("/api/user")).status).toBe(401);
    expect((await post("/api/user/revert-email", { token: revert })).body).toEqual(INVALID);
    expect((await bob.get("/api/user")).body).toEqual(body);
  });

  test("ends every access of whoever entered a stranger's address once its owner undoes or resets", async () => {
    for (const verifies of [false, true]) {
      const mallory = await api.signUp({ proved: false });
      const [bobs, own] = [newAddress(), newAddress()];
      for (const email of [bobs, own]) await mallory.patch("/api/user/profile", { email });
      if (verifies) expect((await confirm(api, mallory, own)).status).toBe(204);
      const [first] = await mailedTokens(api, "revert-email", mallory.email);
      const [undo] = await mailedTokens(api, "revert-email", bobs);
      expect((await post("/api/user/revert-email", { token: undo })).status).toBe(204);
      const token = (await mailedTokens(api, "reset", bobs)).at(-1);
      expect((await post("/api/password/reset", { token, newPassword: "bob's secret" })).status).toBe(204);
      expect([verifies, (await post("/api/user/revert-email", { token: first })).body]).toEqual([
        verifies,
        INVALID,
      ]);
    }
  });

  test("an older database's unconfirmed change ends the same way", async () => {
    const mallory = await confirmed(api);
    const email = newAddress();
    await mallory.patch("/api/user/profile", { email });
    const [revert] = await mailedTokens(api, "revert-email", mallory.email);
    await api.execute(
      `update users set email = '${email}', pending_email = null, is_verified = 0, verified_by_owner = 0 where id = ${mallory.id}`,
    );
    const verification = (await mailedTokens(api, "verify", email)).at(-1);
    expect((await post("/api/user/verify", { token: verification })).status).toBe(204);
    await post("/api/password/forgot", { email });
    const [token] = await mailedTokens(api, "reset", email);
    expect((await post("/api/password/reset", { token, newPassword: "bob's secret" })).status).toBe(204);
    expect((await post("/api/user/revert-email", { token: revert })).body).toEqual(INVALID);
  });
});
