import { afterEach, expect, test } from "bun:test";
import { DAY_MS } from "../../worker/lib/durations";
import { describeApi, type SignedUp } from "../support/api/client";
import { sendEnvelope } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { joinAs } from "../support/api/team";
import { after, setUpTotp } from "../support/api/two-factor";
import { TEST_START } from "../support/runtime/runtime";
import { startWebdavServer } from "../support/servers/webdav-server";

const day = (count: number) => new Date(Date.parse(TEST_START) + count * DAY_MS).toISOString();

describeApi("the record of mails", (api) => {
  test("contains mails about the account for a week, and mails about an envelope until it is deleted", async () => {
    const alice = await api.signUp();
    await sendEnvelope(alice);
    await api.anonymous().post("/api/password/forgot", { email: alice.email });
    await alice.post("/api/support/messages", { message: "Help" });
    await api.finishBackgroundWork();
    const kinds = async () =>
      (await api.select(`select kind from notifications where user_id = ${alice.id} order by id`)).map(
        ({ kind }) => kind,
      );
    const all = ["verification", "invitation", "password_reset", "support"];
    await api.runJobs(day(6.9));
    expect(await kinds()).toEqual(all);
    await api.runJobs(day(7.1));
    expect(await kinds()).toEqual(["invitation"]);
    await api.setClock(TEST_START);
  });
});

describeApi("the language of a new account", (api) => {
  test("is that of the page on which it was created, from its first mail on", async () => {
    const input = { email: "german@example.com", password: "a long password", languagePreference: "de" };
    const { status, body } = await api.anonymous().post("/api/register", input);
    expect([status, body.languagePreference]).toEqual([201, "de"]);
    await api.finishBackgroundWork();
    const [mail] = (await api.mails()).filter(({ to }) => to === input.email);
    expect(mail?.subject).toBe("Bestätigen Sie Ihre E-Mail-Adresse");
    const other = { ...input, email: "other@example.com", languagePreference: "xx" };
    expect((await api.anonymous().post("/api/register", other)).body.code).toBe("validation");
  });
});

describeApi("mails about one's own account", { rateLimits: "on" }, (api) => {
  afterEach(() => api.setClock(TEST_START));

  const proved = async () => {
    const account = await api.signUp();
    await api.execute(`update users set is_verified = 1, verified_by_owner = 1 where id = ${account.id}`);
    return account;
  };
  const mailsTo = async ({ email }: Pick<SignedUp, "email">) => {
    await api.finishBackgroundWork();
    return (await api.mails()).filter(({ to }) => to === email);
  };
  const subjects = async (account: SignedUp) => (await mailsTo(account)).map(({ subject }) => subject);
  const RENEWED = "You have new recovery codes";
  const renew = async (account: SignedUp) => (await account.post("/api/two-factor/recovery-codes")).status;

  test("are sent at once for the first of a kind in an hour, and as one at its end for the others", async () => {
    const alice = await proved();
    await setUpTotp(alice);
    for (let count = 0; count < 5; count++) {
      expect(await renew(alice)).toBe(200);
      await api.finishBackgroundWork();
    }
    const renewed = async () => (await mailsTo(alice)).filter(({ subject }) => subject === RENEWED);
    const [first, ...others] = await renewed();
    expect(others).toEqual([]);
    expect(first?.text).not.toContain("more event");
    expect(await subjects(alice)).toContain("An authenticator app was added to your account");
    await api.runJobs(after(59 * 60));
    expect(await renewed()).toHaveLength(1);
    await api.runJobs(after(61 * 60));
    await api.runJobs();
    const [, second, ...more] = await renewed();
    expect(more).toEqual([]);
    for (const part of [second?.text, second?.html])
      expect(part).toContain("3 more events of this kind have followed since then.");
    const left = await api.select(`select status from notifications where kind = 'recovery_codes_renewed'`);
    expect(left).toEqual([{ status: "sent" }, { status: "sent" }]);
  });

  test("queued at the same time are one, and what fails is retried with all of them", async () => {
    const alice = await proved();
    await setUpTotp(alice);
    await api.setMail("down");
    const statuses = await Promise.all([renew(alice), renew(alice), renew(alice), renew(alice)]);
    expect(statuses).toEqual([200, 200, 200, 200]);
    await api.finishBackgroundWork();
    await api.setMail("works");
    for (const minutes of [1, 70, 140]) await api.runJobs(after(60 * minutes));
    const told = (await mailsTo(alice)).filter(({ subject }) => subject === RENEWED);
    const further = told.map(({ text }) => Number(/(\d+) more event/.exec(text)?.[1] ?? 0));
    expect(further.reduce((sum, more) => sum + 1 + more, 0)).toBe(4);
    expect(told.length).toBeLessThanOrEqual(2);
  });

  test("go to an address that nobody has proved only to confirm it, and for the reset that is asked for", async () => {
    const alice = await api.signUp();
    await api.execute(`update users set verified_by_owner = 0 where id = ${alice.id}`);
    const passwords = {
      currentPassword: alice.password,
      newPassword: "another password",
      confirmPassword: "another password",
    };
    expect((await alice.post("/api/user/change-password", passwords)).status).toBe(200);
    const [verification, ...others] = await mailsTo(alice);
    expect([verification?.text, others]).toEqual([expect.stringContaining("/verify/"), []]);
    await api.anonymous().post("/api/password/forgot", { email: alice.email });
    const [, reset] = await mailsTo(alice);
    expect(reset?.text).toContain("/reset/");
    expect((await alice.delete("/api/user/account")).status).toBe(204);
    expect(await mailsTo(alice)).toHaveLength(2);
    const cancelled = await api.select(
      `select distinct kind, failure from notifications where status = 'cancelled' order by kind`,
    );
    expect(cancelled).toContainEqual({ kind: "account_deleted", failure: "unverified" });
  });

  test("change its factors and passwords twenty times an hour, and no more entries are in the audit log", async () => {
    const alice = await proved();
    await setUpTotp(alice);
    const statuses: number[] = [];
    for (let count = 0; count < 18; count++) statuses.push(await renew(alice));
    expect(new Set(statuses)).toEqual(new Set([200]));
    const wrong = {
      currentPassword: "not this one",
      newPassword: "another password",
      confirmPassword: "another password",
    };
    expect((await alice.post("/api/user/change-password", wrong)).body.code).toBe("wrong_password");
    expect(await renew(alice)).toBe(200);
    const rejected = await alice.post("/api/two-factor/recovery-codes");
    expect([rejected.status, rejected.body.code]).toEqual([429, "rate_limited"]);
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
    const right = { ...wrong, currentPassword: alice.password };
    expect((await alice.post("/api/user/change-password", right)).status).toBe(429);
    expect((await alice.delete("/api/two-factor/totp")).status).toBe(429);
    const entries = await api.select(
      `select count(*) as entries from audit_entries where subject = '${alice.email}' and action <> 'account_created'`,
    );
    expect(entries).toEqual([{ entries: 20 }]);
  });
});

describeApi("mails about a workspace", { variables: { WEBHOOK_ALLOW_PRIVATE: "on" } }, (api) => {
  afterEach(() => api.setClock(TEST_START));

  test("that wait are not sent to whoever was removed from it since, nor those for owners to whom it was demoted", async () => {
    await api.setClock(TEST_START);
    const dav = startWebdavServer();
    const alice = await api.signUp();
    const { workspaceId } = alice;
    const [bob, eve] = [await joinAs(api, alice, "member"), await joinAs(api, alice, "owner")];
    const later = { sendOn: day(1).slice(0, "2026-03-14".length) };
    await sendEnvelope(bob, { ...later, workspaceId, subject: "Theirs" });
    await sendEnvelope(bob, { ...later, workspaceId: bob.workspaceId, subject: "His own" });
    const input = { kind: "webdav", name: "Nextcloud", settings: { url: dav.url }, workspaceId };
    const credentials = { user: "office", password: "s:ecret ü" };
    expect((await alice.post("/api/destinations", { ...input, credentials })).status).toBe(201);
    await api.anonymous().post("/api/password/forgot", { email: alice.email });
    const token = (await mailedTokens(api, "reset", alice.email)).at(-1);
    await api.setMail("down");
    const change = { token, newPassword: alice.password };
    expect((await api.anonymous().post("/api/password/reset", change)).status).toBe(204);
    expect((await alice.post("/api/login", alice)).status).toBe(200);
    const member = (of: SignedUp) => `/api/workspaces/${workspaceId}/members/${of.id}`;
    expect((await alice.patch(member(bob), { role: "owner" })).status).toBe(200);
    const before = (await api.mails()).length;
    await api.runJobs(day(5));
    expect((await alice.post("/api/login", alice)).status).toBe(200);
    expect((await alice.patch(member(eve), { role: "member" })).status).toBe(200);
    expect((await alice.delete(member(bob))).status).toBe(204);
    await api.setMail("works");
    for (const hours of [1, 3, 5]) await api.runJobs(day(5 + hours / 24));
    const told = async ({ email }: SignedUp) =>
      (await api.mails()).slice(before).filter(({ to }) => to === email);
    expect((await told(alice)).map(({ subject }) => subject)).toContain("“Nextcloud” is paused");
    expect((await told(eve)).map(({ subject }) => subject)).not.toContain("“Nextcloud” is paused");
    const bobs = await told(bob);
    expect(bobs.map(({ subject }) => subject).filter((subject) => /Nextcloud|owner/.test(subject))).toEqual(
      [],
    );
    const [news] = bobs.filter(({ subject }) => subject === "1 planned request was not sent");
    expect(news?.text).toContain("His own");
    expect(news?.text).not.toContain("Theirs");
    await dav.stop();
  });
});
