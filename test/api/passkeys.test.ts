import { expect, test } from "bun:test";
import {
  addPasskey as addPasskeyFor,
  type SoftwarePasskey,
  signInByPasskey,
  softwarePasskey,
  storePasskey,
} from "../support/api/authenticator";
import { type Api, type ApiResponse, type Client, describeApi, type SignedUp } from "../support/api/client";
import { setUpTotp } from "../support/api/two-factor";
import { rounds, TEST_START } from "../support/runtime/runtime";

const after = (minutes: number) => new Date(Date.parse(TEST_START) + minutes * 60_000).toISOString();
const outcome = ({ status, body }: ApiResponse) => [status, body?.code];
const ENDED = [401, "challenge_ended"];
const REFUSED = [400, "invalid_passkey"];

/** The origin of PUBLIC_URL, which passkeys are for. */
const ORIGIN = "https://docs.example.com";

const creationChallenge = async (client: Client) =>
  (await client.post("/api/passkeys/options")).body.challenge as string;
const challengeFor = async (client: Client) =>
  (await client.post("/api/login/passkey/options", {})).body.challenge as string;

const addPasskey = (client: Client, name?: string) => addPasskeyFor(client, ORIGIN, name);
const signIn = signInByPasskey;

async function lastSignIn(api: Api, client: SignedUp) {
  await api.finishBackgroundWork();
  const [latest] = (await client.get("/api/user/sign-ins")).body;
  return [latest.method, latest.succeeded];
}

describeApi("passkeys", { publicUrl: ORIGIN, variables: { ADMIN_EMAILS: "nobody@example.org" } }, (api) => {
  test("a browser is asked for a discoverable passkey of this site, with verification", async () => {
    const alice = await api.signUp();
    const first = (await alice.post("/api/passkeys/options")).body;
    expect(first).toEqual({
      rp: { id: "docs.example.com", name: "Doculopes" },
      user: { id: expect.stringMatching(/^[\w-]{43}$/), name: alice.email, displayName: alice.email },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })),
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
      attestation: "none",
    });
    const { credentialId } = await addPasskey(alice);
    const second = (await alice.post("/api/passkeys/options")).body;
    expect(second.user.id).toBe(first.user.id);
    expect(second.excludeCredentials).toEqual([
      { id: credentialId, type: "public-key", transports: ["internal"] },
    ]);
    const bob = await api.signUp();
    expect((await bob.post("/api/passkeys/options")).body.user.id).not.toBe(first.user.id);
    expect((await api.anonymous().post("/api/login/passkey/options", {})).body).toEqual({
      challenge: expect.any(String),
      rpId: "docs.example.com",
      timeout: 300_000,
      userVerification: "required",
    });
    expect(JSON.stringify(await api.select("select * from challenges"))).not.toContain(second.challenge);
  });

  test("a passkey is created, listed, renamed, used to sign in, and removed", async () => {
    const alice = await api.signUp();
    const passkey = await addPasskey(alice);
    const listed = {
      id: passkey.id,
      name: "Phone",
      createdAt: TEST_START,
      lastUsedAt: null,
      backedUp: false,
    };
    expect((await alice.get("/api/passkeys")).body).toEqual([listed]);
    const path = `/api/passkeys/${passkey.id}`;
    expect((await alice.patch(path, { name: " Work phone " })).body).toEqual({
      ...listed,
      name: "Work phone",
    });
    expect(outcome(await alice.patch(path, { name: " " }))).toEqual([400, "validation"]);
    const other = api.anonymous();
    const signedIn = await signIn(other, passkey);
    expect([signedIn.status, signedIn.body.id]).toEqual([200, alice.id]);
    expect((await other.get("/api/user")).body.email).toBe(alice.email);
    expect((await other.get("/api/passkeys")).body[0].lastUsedAt).toBe(TEST_START);
    expect(await lastSignIn(api, alice)).toEqual(["passkey", true]);
    expect((await other.delete(path)).status).toBe(204);
    expect((await other.get("/api/passkeys")).body).toEqual([]);
    expect(outcome(await signIn(api.anonymous(), passkey))).toEqual(REFUSED);
  });

  test("what was not made for this site, or by nobody who was verified, is refused and recorded", async () => {
    const alice = await api.signUp();
    const passkey = await addPasskey(alice);
    for (const how of [
      { origin: "https://docs.example.com.evil.example" },
      { origin: "http://docs.example.com" },
      { rpId: "evil.example" },
      { type: "webauthn.create" },
      { verified: false },
    ]) {
      const client = api.anonymous();
      expect(outcome(await signIn(client, passkey, how))).toEqual(REFUSED);
      expect(client.cookie).toBe("");
      expect(await lastSignIn(api, alice)).toEqual(["passkey", false]);
    }
    for (const how of [{ rpId: "evil.example" }, { verified: false }, { type: "webauthn.get" }]) {
      const made = await softwarePasskey(await creationChallenge(alice), ORIGIN, how);
      const response = await alice.post("/api/passkeys", { name: "Bad", response: made.created });
      expect(outcome(response)).toEqual(REFUSED);
    }
    const elsewhere = await softwarePasskey(await creationChallenge(alice), "https://evil.example", {
      rpId: "docs.example.com",
    });
    expect(outcome(await alice.post("/api/passkeys", { name: "Bad", response: elsewhere.created }))).toEqual(
      REFUSED,
    );
  });

  test("the attestation of a passkey is not looked at: its certificates may name any address to be fetched", async () => {
    const alice = await api.signUp();
    const made = await softwarePasskey(await creationChallenge(alice), ORIGIN, { attested: true });
    const { status } = await alice.post("/api/passkeys", { name: "Phone", response: made.created });
    expect(status).toBe(201);
    const anyone = api.anonymous();
    const response = await made.use(await challengeFor(anyone));
    expect((await anyone.post("/api/login/passkey", response)).body.id).toBe(alice.id);
  });

  test("a challenge works once, for five minutes, for what it was issued", async () => {
    await api.setClock(TEST_START);
    const alice = await api.signUp();
    const passkey = await addPasskey(alice);
    const anyone = api.anonymous();
    const unknown = await passkey.use("A".repeat(43));
    expect(outcome(await anyone.post("/api/login/passkey", unknown))).toEqual(ENDED);
    const response = await passkey.use(await challengeFor(anyone));
    expect((await anyone.post("/api/login/passkey", response)).status).toBe(200);
    expect(outcome(await anyone.post("/api/login/passkey", response))).toEqual(ENDED);
    const created = await softwarePasskey(await challengeFor(anyone), ORIGIN);
    expect(outcome(await alice.post("/api/passkeys", { name: "x", response: created.created }))).toEqual(
      ENDED,
    );
    const forCreation = await passkey.use(await creationChallenge(alice));
    expect(outcome(await anyone.post("/api/login/passkey", forCreation))).toEqual(ENDED);
    const bob = await api.signUp();
    const foreign = await softwarePasskey(await creationChallenge(alice), ORIGIN);
    expect(outcome(await bob.post("/api/passkeys", { name: "x", response: foreign.created }))).toEqual(ENDED);
    const late = await passkey.use(await challengeFor(anyone));
    await api.setClock(after(5));
    expect(outcome(await anyone.post("/api/login/passkey", late))).toEqual(ENDED);
    await api.setClock(TEST_START);
  });

  test("an account is found by the credential, whatever user handle is sent", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const passkey = await addPasskey(alice);
    const handle = (await bob.post("/api/passkeys/options")).body.user.id;
    expect((await signIn(api.anonymous(), passkey, { userHandle: handle })).body.id).toBe(alice.id);
    const stolen = await addPasskey(bob);
    const { credentialId } = stolen;
    expect(outcome(await signIn(api.anonymous(), passkey, { credentialId }))).toEqual(REFUSED);
    expect(outcome(await bob.delete(`/api/passkeys/${passkey.id}`))).toEqual([404, "not_found"]);
    expect(outcome(await bob.patch(`/api/passkeys/${passkey.id}`, { name: "Mine" }))).toEqual([
      404,
      "not_found",
    ]);
    const challenge = await creationChallenge(bob);
    const again = await softwarePasskey(challenge, ORIGIN);
    await bob.post("/api/passkeys", { name: "x", response: again.created });
    await api.execute(`update passkeys set credential_id = '${credentialId}x' where id = ${stolen.id}`);
    expect(outcome(await signIn(api.anonymous(), stolen))).toEqual(REFUSED);
  });

  test("a counter that goes back is refused and recorded, and keys that do not count work", async () => {
    const alice = await api.signUp();
    const passkey = await addPasskey(alice);
    for (const counter of [0, 0, 5, 6])
      expect((await signIn(api.anonymous(), passkey, { counter })).status).toBe(200);
    for (const counter of [6, 5, 0]) {
      expect(outcome(await signIn(api.anonymous(), passkey, { counter }))).toEqual(REFUSED);
      expect(await lastSignIn(api, alice)).toEqual(["passkey", false]);
    }
    const logged = (await api.logs()).filter(({ event }) => /counter went back/.test(event));
    expect(logged.length).toBeGreaterThanOrEqual(3);
  });

  test("one challenge that is used twice at once serves one of them", async () => {
    const alice = await api.signUp();
    const passkey = await addPasskey(alice);
    for (let round = 1; round <= rounds(200); round++) {
      const clients = [api.anonymous(), api.anonymous()];
      const response = await passkey.use(await challengeFor(api.anonymous()), { counter: round });
      const responses = await Promise.all(
        clients.map((client) => client.post("/api/login/passkey", response)),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
    }
  }, 240_000);

  test("creating and removing need a recent sign-in, which a passkey of the account gives too", async () => {
    await api.setClock(TEST_START);
    const alice = await api.signUp();
    const passkey = await addPasskey(alice);
    const bobs = await addPasskey(await api.signUp());
    await api.setClock(after(11));
    const path = `/api/passkeys/${passkey.id}`;
    const refused = await alice.delete(path);
    expect([refused.status, refused.body.methods]).toEqual([403, ["passkey", "password"]]);
    expect(outcome(await alice.post("/api/passkeys/options"))).toEqual([403, "reauthentication_required"]);
    const confirm = async (key: SoftwarePasskey) =>
      alice.post("/api/reauthenticate", { passkey: await key.use(await challengeFor(alice)) });
    expect(outcome(await confirm(bobs))).toEqual(REFUSED);
    expect((await confirm(passkey)).status).toBe(204);
    expect((await alice.delete(path)).status).toBe(204);
    await api.setClock(TEST_START);
  });

  test("an account has at most twenty passkeys", async () => {
    const alice = await api.signUp();
    const challenges = [];
    for (let count = 0; count < 21; count++) challenges.push(await creationChallenge(alice));
    for (const challenge of challenges.slice(0, 1)) {
      const made = await softwarePasskey(challenge, ORIGIN);
      await alice.post("/api/passkeys", { name: "One", response: made.created });
    }
    for (let count = 1; count < 20; count++) await addPasskey(alice);
    expect(outcome(await alice.post("/api/passkeys/options"))).toEqual([409, "account_full"]);
    expect((await alice.get("/api/passkeys")).body).toHaveLength(20);
  });

  test("the last passkey of an account without another way to sign in stays", async () => {
    const alice = await api.signUp();
    await api.execute(`update users set password = '' where id = ${alice.id}`);
    const passkey = await addPasskey(alice);
    let kept = passkey.id;
    for (let round = 0; round < rounds(200); round += 1) {
      const added = await storePasskey(api, alice.id);
      const removals = await Promise.all([kept, added].map((id) => alice.delete(`/api/passkeys/${id}`)));
      expect(removals.map(({ status }) => status).sort()).toEqual([204, 409]);
      expect(removals.find(({ status }) => status === 409)?.body.code).toBe("last_sign_in");
      kept = removals[0]?.status === 409 ? kept : added;
    }
    expect((await alice.get("/api/passkeys")).body).toMatchObject([{ id: kept }]);
    const [{ mails }] = (await api.select(
      `select count(*) as mails from audit_entries where subject_id = ${alice.id} and action = 'factor_removed'`,
    )) as [{ mails: number }];
    expect(mails).toBe(rounds(200));
  }, 240_000);

  test("a passkey that is added or removed is told by mail and recorded for administrators", async () => {
    const alice = await api.signUp();
    const passkey = await addPasskey(alice, "Secret name");
    const path = `/api/passkeys/${passkey.id}`;
    expect((await alice.delete(path)).status).toBe(204);
    expect(outcome(await alice.delete(path))).toEqual([404, "not_found"]);
    await api.finishBackgroundWork();
    const mails = (await api.mails()).filter(
      ({ to, subject }) => to === alice.email && /passkey/.test(subject),
    );
    expect(mails.map(({ subject }) => subject)).toEqual([
      "A passkey was added to your account",
      "A passkey was removed from your account",
    ]);
    expect(mails[0]?.text).toContain(`${ORIGIN}/auth?mode=forgot`);
    expect(mails[0]?.text).toContain("remove it in your settings");
    const rows = await api.select(
      `select action, actor, subject, detail, address from audit_entries where subject_id = ${alice.id} and action <> 'account_created' order by id`,
    );
    expect(rows).toEqual(
      ["factor_added", "factor_removed"].map((action) => ({
        ...{ action, actor: alice.email, subject: alice.email, detail: '{"factor":"passkey"}' },
        address: "203.0.113.7",
      })),
    );
    expect(JSON.stringify(await api.select("select * from notifications"))).not.toContain("Secret name");
  });

  test("what fails is neither told nor recorded", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const passkey = await addPasskey(alice);
    expect(outcome(await bob.delete(`/api/passkeys/${passkey.id}`))).toEqual([404, "not_found"]);
    const foreign = await softwarePasskey(await creationChallenge(alice), ORIGIN);
    const stolen = await bob.post("/api/passkeys", { name: "x", response: foreign.created });
    expect(outcome(stolen)).toEqual(ENDED);
    await api.execute(`update users set password = '' where id = ${alice.id}`);
    expect(outcome(await alice.delete(`/api/passkeys/${passkey.id}`))).toEqual([409, "last_sign_in"]);
    await api.finishBackgroundWork();
    const told = (await api.mails()).filter(
      ({ to, subject }) => [alice.email, bob.email].includes(to) && /passkey/.test(subject),
    );
    expect(told.map(({ subject }) => subject)).toEqual(["A passkey was added to your account"]);
  });

  test("a passkey of another host is no way to sign in", async () => {
    const alice = await api.signUp();
    const [here, elsewhere] = [await addPasskey(alice), await addPasskey(alice)];
    await api.execute(`update users set password = '' where id = ${alice.id}`);
    await api.execute(`update passkeys set rp_id = 'old.example.com' where id = ${elsewhere.id}`);
    expect(outcome(await alice.delete(`/api/passkeys/${here.id}`))).toEqual([409, "last_sign_in"]);
    expect((await alice.delete(`/api/passkeys/${elsewhere.id}`)).status).toBe(204);
  });

  test("a disabled account is told so only after its passkey was verified", async () => {
    const alice = await api.signUp();
    const passkey = await addPasskey(alice);
    await api.execute(`update users set disabled_at = '${TEST_START}' where id = ${alice.id}`);
    expect(outcome(await signIn(api.anonymous(), passkey))).toEqual([403, "account_disabled"]);
    expect(outcome(await signIn(api.anonymous(), passkey, { verified: false }))).toEqual(REFUSED);
  });

  test("a passkey is a second factor besides an authenticator app, and only the account's own", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const account = { email: alice.email, password: "a long password" };
    await setUpTotp(alice);
    const [own, other] = [await addPasskey(alice), await addPasskey(bob)];
    const second = async (challenge: string, passkey: SoftwarePasskey) =>
      api.anonymous().post("/api/login/second-factor", {
        challenge,
        passkey: await passkey.use(await challengeFor(api.anonymous())),
      });
    const { body } = await api.anonymous().post("/api/login", account);
    expect(body.methods).toContain("passkey");
    expect(outcome(await second(body.challenge, other))).toEqual([400, "invalid_code"]);
    const signedIn = await second(body.challenge, own);
    expect([signedIn.status, signedIn.body.email]).toEqual([200, alice.email]);
    expect(outcome(await second(body.challenge, own))).toEqual(ENDED);
    // A browser is never remembered for a passkey, and the wrong one stands among the sign-ins.
    const browser = api.anonymous();
    const again = (await browser.post("/api/login", account)).body.challenge;
    const use = await own.use(await challengeFor(browser));
    const remembered = await browser.post("/api/login/second-factor", {
      ...{ challenge: again, passkey: use, remember: true },
    });
    expect(remembered.status).toBe(200);
    expect((await browser.get("/api/two-factor")).body.rememberedDevices).toBe(0);
    expect((await browser.post("/api/login", account)).body.code).toBe("second_factor_required");
    await api.finishBackgroundWork();
    const failures = (await alice.get("/api/user/sign-ins")).body.filter(
      ({ succeeded }: { succeeded: boolean }) => !succeeded,
    );
    expect(failures).toMatchObject([{ method: "password", secondFactor: "passkey" }]);
  });

  test("API tokens cannot use the calls", async () => {
    const alice = await api.signUp();
    const { token } = (await alice.post("/api/tokens", { name: "Program", scope: "write" })).body;
    const headers = { authorization: `Bearer ${token}` };
    const { status, body } = await api.anonymous().get("/api/passkeys", headers);
    expect([status, body.code]).toEqual([403, "token_not_allowed"]);
  });
});
