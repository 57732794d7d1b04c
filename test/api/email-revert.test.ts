import { expect, test } from "bun:test";
import { DAY_MS } from "../../worker/lib/durations";
import { type Api, type Client, describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { joinAs } from "../support/api/team";
import { addWebhook, enabledWebhooks } from "../support/api/webhooks";
import { pdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

const INVALID = { message: "This link is invalid or has expired", code: "invalid_token" };
const later = (days: number) => new Date(Date.parse(TEST_START) + days * DAY_MS).toISOString();

let names = 0;
const newAddress = () => {
  names += 1;
  return `mallory${names}@example.com`;
};

/** An attacker at an unlocked computer changes the address to their own. */
async function steal(api: Api, owner: SignedUp) {
  const email = newAddress();
  expect((await owner.patch("/api/user/profile", { email })).status).toBe(200);
  const [revert] = (await mailedTokens(api, "revert-email", owner.email)).slice(-1);
  return { email, revert };
}

/** Confirms an address from a session of its account. */
async function confirm(api: Api, account: Client, email = (account as SignedUp).email) {
  const token = (await mailedTokens(api, "verify", email)).at(-1);
  expect((await account.post("/api/user/verify", { token })).status).toBe(204);
}

describeApi("undoing a change of the address", (api) => {
  const post = (path: string, body: object) => api.anonymous().post(path, body);
  const revertBy = (token: unknown) => post("/api/user/revert-email", { token });
  const forgot = (email: string) => post("/api/password/forgot", { email });
  const reset = (token: unknown, newPassword = "a new secret") =>
    post("/api/password/reset", { token, newPassword });
  const signIn = async (email: string, password: string) =>
    (await post("/api/login", { email, password })).status;

  test("a change voids the links mailed to the old address, and notifies it without naming the new one", async () => {
    const owner = await api.signUp();
    await forgot(owner.email);
    const [link] = await mailedTokens(api, "reset", owner.email);
    const { email } = await steal(api, owner);
    expect(await reset(link)).toMatchObject({ status: 400, body: INVALID });
    const mail = (await api.mails()).filter(({ to }) => to === owner.email).at(-1);
    expect(mail?.subject).toBe("Your email address is about to change");
    expect(mail?.text).toContain("This wasn't me");
    expect(mail?.text).not.toContain(email);
  });

  test("the button restores the address, ends every session and the password, and mails a reset link", async () => {
    const owner = await api.signUp();
    const { email, revert } = await steal(api, owner);
    await owner.post("/api/tokens", { name: "Backdoor", scope: "write" });
    await addWebhook(owner);
    const planned = await sendEnvelope(owner, { sendOn: "2026-12-01" });
    expect(await revertBy(revert)).toMatchObject({ status: 204, text: "" });
    expect(await enabledWebhooks(api, owner.id)).toBe(0);
    expect(await api.select(`select status from envelopes where id = ${planned.id}`)).toEqual([
      { status: "draft" },
    ]);
    expect((await owner.get("/api/user")).status).toBe(401);
    expect(await signIn(owner.email, owner.password)).toBe(401);
    expect(await signIn(email, owner.password)).toBe(401);
    expect(await api.select(`select * from api_tokens where user_id = ${owner.id}`)).toEqual([]);
    const [link] = await mailedTokens(api, "reset", owner.email);
    expect((await reset(link)).status).toBe(204);
    expect(await signIn(owner.email, "a new secret")).toBe(200);
    const [row] = await api.select(`select email, is_verified from users where id = ${owner.id}`);
    expect(row).toEqual({ email: owner.email, is_verified: 1 });
    expect(await revertBy(revert)).toMatchObject({ status: 400, body: INVALID });
    expect(await mailedTokens(api, "revert-email", email)).toEqual([]);
  });

  test("no notice of a submission goes to the thief's address any more, neither waiting nor sent again", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner);
    const { email, revert } = await steal(api, owner);
    await confirm(api, owner, email);
    await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    await api.finishBackgroundWork();
    const noticesTo = async (address: string) =>
      (await api.mails()).filter(({ to, subject }) => to === address && /sent the documents/.test(subject));
    expect(await noticesTo(email)).toHaveLength(1);
    await api.execute(
      `update notifications set status = 'queued' where kind = 'submission' and envelope_id = ${envelope.id}`,
    );
    expect((await revertBy(revert)).status).toBe(204);
    await api.runJobs();
    expect(await noticesTo(owner.email)).toHaveLength(1);

    const [link] = await mailedTokens(api, "reset", owner.email);
    await reset(link);
    await owner.post("/api/login", { email: owner.email, password: "a new secret" });
    await api.execute(
      `update notifications set recipient = '${email}' where kind = 'submission' and envelope_id = ${envelope.id}`,
    );
    const { body } = await owner.get(`/api/requests/${envelope.id}/notifications`);
    const { id } = body.find(({ kind }: { kind: string }) => kind === "submission");
    const again = await owner.post(`/api/requests/${envelope.id}/notifications/${id}/retry`);
    expect([again.status, again.body.recipient]).toEqual([200, owner.email]);
    await api.finishBackgroundWork();
    expect(await noticesTo(owner.email)).toHaveLength(2);
    expect(await noticesTo(email)).toHaveLength(1);
  });

  test("tells who has joined the owner's workspaces meanwhile, of which the other address was told", async () => {
    const owner = await api.signUp();
    await confirm(api, owner);
    await joinAs(api, owner, "member");
    await api.setClock(later(0.1));
    const { email, revert } = await steal(api, owner);
    await confirm(api, owner, email);
    await owner.post("/api/reauthenticate", { password: owner.password });
    const accomplice = await joinAs(api, owner, "owner");
    const subject = `${accomplice.email} has joined My Workspace`;
    const joinedFor = async (address: string) => {
      await api.finishBackgroundWork();
      const mails = (await api.mails()).filter(({ to }) => to === address);
      return mails.flatMap((mail) => (mail.subject.includes("has joined") ? mail.subject : []));
    };
    expect(await joinedFor(email)).toContain(subject);
    const before = await joinedFor(owner.email);
    expect((await revertBy(revert)).status).toBe(204);
    expect((await joinedFor(owner.email)).slice(before.length)).toEqual([subject]);
    await api.setClock(TEST_START);
  });

  test("the link survives a reset by the new address and every later change", async () => {
    const owner = await api.signUp();
    await confirm(api, owner);
    const { email, revert } = await steal(api, owner);
    await confirm(api, owner, email);
    await forgot(email);
    const [link] = await mailedTokens(api, "reset", email);
    expect((await reset(link, "the thief's own")).status).toBe(204);
    const thief = api.anonymous();
    await thief.post("/api/login", { email, password: "the thief's own" });
    const another = newAddress();
    expect((await thief.patch("/api/user/profile", { email: another })).status).toBe(200);
    await confirm(api, thief, another);
    const [thiefsOwn] = await mailedTokens(api, "revert-email", email);
    expect((await revertBy(revert)).status).toBe(204);
    expect((await thief.get("/api/user")).status).toBe(401);
    expect(await signIn(owner.email, "the thief's own")).toBe(401);
    expect(await revertBy(thiefsOwn)).toMatchObject({ status: 400, body: INVALID });
    await forgot(another);
    expect(await mailedTokens(api, "reset", another)).toEqual([]);
  });

  test("an attacker who uses their own link does not void the owner's", async () => {
    const owner = await api.signUp();
    await confirm(api, owner);
    const { email, revert } = await steal(api, owner);
    await confirm(api, owner, email);
    await owner.patch("/api/user/profile", { email: newAddress() });
    const [thiefsOwn] = await mailedTokens(api, "revert-email", email);
    expect((await revertBy(thiefsOwn)).status).toBe(204);
    expect((await revertBy(revert)).status).toBe(204);
    const [row] = await api.select(`select email from users where id = ${owner.id}`);
    expect(row?.email).toBe(owner.email);
  });

  test("changing back to the old address gives the one in between no link, and the owner's still works", async () => {
    const owner = await api.signUp();
    const { email, revert } = await steal(api, owner);
    expect((await owner.patch("/api/user/profile", { email: owner.email })).status).toBe(200);
    expect(await mailedTokens(api, "revert-email", email)).toEqual([]);
    expect((await revertBy(revert)).status).toBe(204);
    expect((await owner.get("/api/user")).status).toBe(401);
    expect(await mailedTokens(api, "reset", owner.email)).toHaveLength(1);
  });

  test("the link works for 7 days", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const [first, second] = [await steal(api, alice), await steal(api, bob)];
    await api.setClock(later(6.99));
    expect((await revertBy(first.revert)).status).toBe(204);
    await api.setClock(later(7));
    expect(await revertBy(second.revert)).toMatchObject({ status: 400, body: INVALID });
    await api.runJobs(later(7.01));
    expect(await api.select(`select * from email_reverts where user_id = ${bob.id}`)).toEqual([]);
    await api.setClock(TEST_START);
  });

  test("a disabled account stays as it is, and the link works once it is enabled", async () => {
    const owner = await api.signUp();
    const { email, revert } = await steal(api, owner);
    await confirm(api, owner, email);
    await api.execute(`update users set disabled_at = '${TEST_START}' where id = ${owner.id}`);
    expect(await revertBy(revert)).toMatchObject({ status: 403, body: { code: "account_disabled" } });
    expect(await api.select(`select email from users where id = ${owner.id}`)).toEqual([{ email }]);
    await api.execute(`update users set disabled_at = null where id = ${owner.id}`);
    expect((await revertBy(revert)).status).toBe(204);
  });

  test("an unverified account with the old address does not prevent the undo", async () => {
    const owner = await api.signUp();
    const { email, revert } = await steal(api, owner);
    await confirm(api, owner, email);
    const blocker = api.anonymous();
    const { id } = (await blocker.post("/api/register", { email: owner.email, password: "blocked" })).body;
    // The name that it got in earlier versions.
    const released = `released-${id}@address.invalid`;
    expect((await post("/api/register", { email: released, password: "blocked" })).status).toBe(201);
    expect((await revertBy(revert)).status).toBe(204);
    const { body } = await blocker.get("/api/user");
    expect(body).toMatchObject({
      email: expect.stringMatching(/^released-[0-9a-f]{32}@address\.invalid$/),
      isVerified: false,
    });
    const [link] = await mailedTokens(api, "reset", owner.email);
    expect((await reset(link)).status).toBe(204);
    const signedIn = await post("/api/login", { email: owner.email, password: "a new secret" });
    expect(signedIn.body.id).toBe(owner.id);
    expect((await blocker.patch("/api/user/profile", { email: newAddress() })).status).toBe(200);
  });

  test("nor does one whose mailed link was opened without its session", async () => {
    const owner = await api.signUp();
    const { email, revert } = await steal(api, owner);
    await confirm(api, owner, email);
    const blocker = api.anonymous();
    await blocker.post("/api/register", { email: owner.email, password: "blocked" });
    const [verification] = (await mailedTokens(api, "verify", owner.email)).slice(-1);
    expect((await post("/api/user/verify", { token: verification })).status).toBe(204);
    expect((await blocker.get("/api/user")).body.isVerified).toBe(true);
    expect((await revertBy(revert)).status).toBe(204);
    expect((await blocker.get("/api/user")).body).toMatchObject({
      email: expect.stringContaining("@address.invalid"),
      isVerified: false,
    });
    const [link] = await mailedTokens(api, "reset", owner.email);
    expect((await reset(link)).status).toBe(204);
    const signedIn = await post("/api/login", { email: owner.email, password: "a new secret" });
    expect(signedIn.body.id).toBe(owner.id);
  });

  test("an account that has proved the old address meanwhile is not changed", async () => {
    const owner = await api.signUp();
    const { email, revert } = await steal(api, owner);
    await confirm(api, owner, email);
    const successor = api.anonymous();
    await successor.post("/api/register", { email: owner.email, password: "successor" });
    const [verification] = (await mailedTokens(api, "verify", owner.email)).slice(-1);
    expect((await successor.post("/api/user/verify", { token: verification })).status).toBe(204);
    expect(await revertBy(revert)).toMatchObject({ status: 409, body: { code: "email_taken" } });
    expect((await owner.get("/api/user")).body.email).toBe(email);
  });

  test("an account that has proved the old address otherwise than by its link is not changed", async () => {
    const squatter = await api.signUp({ proved: false });
    const { revert } = await steal(api, squatter);
    const successor = api.anonymous();
    await successor.post("/api/register", { email: squatter.email, password: "successor" });
    // By the setup link or the operator: nobody has opened the mailed link.
    await api.execute(`update users set verified_by_owner = 1 where email = '${squatter.email}'`);
    expect(await revertBy(revert)).toMatchObject({ status: 409, body: { code: "email_taken" } });
    expect((await successor.get("/api/user")).body.email).toBe(squatter.email);
  });

  test("an unknown token undoes nothing, and the database contains only hashes", async () => {
    const owner = await api.signUp();
    await forgot(owner.email);
    const [link] = await mailedTokens(api, "reset", owner.email);
    const { revert = "" } = await steal(api, owner);
    for (const token of ["", "x", "\0", link, owner.cookie.split("=")[1]])
      expect(await revertBy(token)).toMatchObject({ status: 400, body: INVALID });
    for (const token of [null, 7, {}]) expect((await revertBy(token)).body.code).toBe("validation");
    for (const path of ["/api/user/verify", "/api/password/reset"])
      expect((await post(path, { token: revert, newPassword: "a new secret" })).status).toBe(400);
    expect(JSON.stringify(await api.select("select * from email_reverts"))).not.toContain(revert);
    expect(JSON.stringify(await api.select("select * from notifications"))).not.toContain(revert);
  });

  test("a deleted account is notified in its language, and its address is deleted with that mail", async () => {
    const owner = await api.signUp();
    await owner.patch("/api/user/profile", { languagePreference: "de" });
    expect((await owner.delete("/api/user/account")).status).toBe(204);
    await api.finishBackgroundWork();
    const mail = (await api.mails()).filter(({ to }) => to === owner.email).at(-1);
    expect(mail?.subject).toBe("Ihr Konto wurde gelöscht");
    await api.runJobs(later(0.1));
    expect(await api.select(`select * from notifications where recipient = '${owner.email}'`)).toEqual([]);
    await api.setClock(TEST_START);
  });
});

describeApi("changes of the address, limited", { rateLimits: "on" }, (api) => {
  test("an account changes its address ten times an hour, and a proved address is notified", async () => {
    const owner = await api.signUp();
    for (let count = 0; count < 10; count++)
      expect((await owner.patch("/api/user/profile", { email: newAddress() })).status).toBe(200);
    const rejected = await owner.patch("/api/user/profile", { email: newAddress() });
    expect([rejected.status, rejected.body.code]).toEqual([429, "rate_limited"]);
    expect(await mailedTokens(api, "revert-email", owner.email)).toHaveLength(10);
  });

  test("an address that several accounts use in turn is notified of at most ten changes an hour", async () => {
    const stranger = newAddress();
    const move = async (account: SignedUp, email: string) =>
      (await account.patch("/api/user/profile", { email })).status;
    for (const account of [await api.signUp({ proved: false }), await api.signUp({ proved: false })])
      for (let count = 0; count < 5; count++)
        expect([await move(account, stranger), await move(account, newAddress())]).toEqual([200, 200]);
    const third = await api.signUp({ proved: false });
    expect([await move(third, stranger), await move(third, newAddress())]).toEqual([200, 429]);
  });
});
