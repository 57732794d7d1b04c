import { afterEach, expect, test } from "bun:test";
import { type Client, describeApi, programOf } from "../support/api/client";
import { mailedTokens } from "../support/api/mailed-links";
import { after, answer, beginLogin, codeOf, loginWithCode, setUpTotp } from "../support/api/two-factor";
import { rounds, TEST_START } from "../support/runtime/runtime";

const minutes = (count: number) => after(60 * count);
const result = ({ status, body }: { status: number; body: { code?: string } | null }) => [status, body?.code];

describeApi("two-factor", { rateLimits: "off" }, (api) => {
  afterEach(() => api.setClock(TEST_START));

  const mailsTo = async (email: string) => {
    await api.finishBackgroundWork();
    return (await api.mails()).filter(({ to }) => to === email).map(({ subject }) => subject);
  };
  const accountWithApp = async () => {
    const alice = await api.signUp();
    return { alice, app: await setUpTotp(alice) };
  };

  test("an app is active once a code confirms it, and the account has ten recovery codes", async () => {
    const alice = await api.signUp();
    const begun = await alice.post("/api/two-factor/totp");
    expect(begun.body.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(begun.body.uri).toBe(
      `otpauth://totp/Doculopes:${encodeURIComponent(alice.email)}?secret=${begun.body.secret}&issuer=Doculopes&algorithm=SHA1&digits=6&period=30`,
    );
    expect((await alice.get("/api/two-factor")).body.totp).toBe(false);
    expect((await api.anonymous().post("/api/login", alice)).status).toBe(200);
    const confirm = (code: string) => alice.post("/api/two-factor/totp/confirm", { code });
    expect(result(await confirm("000000"))).toEqual([400, "invalid_code"]);
    const { status, body } = await confirm(codeOf(begun.body.secret).replace(/^.../, "$& "));
    expect(status).toBe(200);
    expect(new Set(body.recoveryCodes).size).toBe(10);
    for (const code of body.recoveryCodes) expect(code).toMatch(/^(?:[0-9a-hj-km-np-tv-z]{4}-){3}[^-]{4}$/);
    expect((await alice.get("/api/two-factor")).body).toEqual({
      totp: true,
      recoveryCodesLeft: 10,
      passkeys: 0,
      rememberedDevices: 0,
      required: false,
    });
    expect(result(await confirm(codeOf(begun.body.secret)))).toEqual([409, "set_up_expired"]);
    expect(await mailsTo(alice.email)).toContain("An authenticator app was added to your account");
  });

  test("signing in then takes the password and a code, and a wrong password is answered as before", async () => {
    const { alice, app } = await accountWithApp();
    const client = api.anonymous();
    const wrong = await client.post("/api/login", { email: alice.email, password: "not this one" });
    expect(wrong.body).toEqual({ code: "invalid_credentials", message: "Invalid email or password" });
    const first = await client.post("/api/login", alice);
    expect([first.status, first.body.methods]).toEqual([401, ["totp", "recovery_code"]]);
    expect(first.headers.getSetCookie()).toEqual([]);
    expect((await client.get("/api/user")).status).toBe(401);
    const { challenge } = first.body;
    expect(result(await answer(client, challenge, { code: "12345" }))).toEqual([400, "invalid_code"]);
    const done = await answer(client, challenge, { code: app.code() });
    expect([done.status, done.body.email]).toEqual([200, alice.email]);
    expect((await client.get("/api/user")).status).toBe(200);
    expect(result(await answer(client, challenge, { code: app.code(after(30)) }))).toEqual([
      401,
      "challenge_ended",
    ]);
    await api.finishBackgroundWork();
    const signIns = (await client.get("/api/user/sign-ins")).body;
    expect(
      signIns.slice(0, 2).map((row: Record<string, unknown>) => [row.succeeded, row.secondFactor]),
    ).toEqual([
      [true, "totp"],
      [false, "totp"],
    ]);
  });

  test("a code serves once, also the one that confirmed the app, and one step before and after is accepted", async () => {
    const { alice, app } = await accountWithApp();
    const enter = async (code: string) => {
      const client = api.anonymous();
      return result(await answer(client, await beginLogin(client, alice), { code }));
    };
    expect(await enter(app.code(after(-30)))).toEqual([400, "invalid_code"]);
    expect(await enter(app.code())).toEqual([200, undefined]);
    expect(await enter(app.code())).toEqual([400, "invalid_code"]);
    expect(await enter(app.code(after(30)))).toEqual([200, undefined]);
    expect(await enter(app.code(after(60)))).toEqual([400, "invalid_code"]);
  });

  test("a phone whose clock is off by 90 seconds gets a sentence that says what to check", async () => {
    const { alice, app } = await accountWithApp();
    const client = api.anonymous();
    const challenge = await beginLogin(client, alice);
    for (const seconds of [-90, 90]) {
      const { status, body } = await answer(client, challenge, { code: app.code(after(seconds)) });
      expect([status, body.message]).toEqual([400, expect.stringContaining("check the phone's clock")]);
    }
  });

  test("a recovery code signs in once, however it is typed, and a mail tells", async () => {
    const { alice, app } = await accountWithApp();
    const [code = ""] = app.recoveryCodes;
    const typed = code.toUpperCase().replaceAll("-", " ").replaceAll("0", "O").replaceAll("1", "l");
    const client = api.anonymous();
    const challenge = await beginLogin(client, alice);
    expect((await answer(client, challenge, { recoveryCode: typed })).status).toBe(200);
    expect((await client.get("/api/two-factor")).body.recoveryCodesLeft).toBe(9);
    const again = await answer(client, await beginLogin(client, alice), { recoveryCode: code });
    expect(result(again)).toEqual([400, "invalid_code"]);
    expect(await mailsTo(alice.email)).toContain("A recovery code of your account was used");
  });

  test("new recovery codes void the earlier ones, and without an app there are none", async () => {
    const { alice, app } = await accountWithApp();
    const { body } = await alice.post("/api/two-factor/recovery-codes");
    expect(body.recoveryCodes).toHaveLength(10);
    const client = api.anonymous();
    const challenge = await beginLogin(client, alice);
    const use = async (recoveryCode?: string) => (await answer(client, challenge, { recoveryCode })).status;
    expect([await use(app.recoveryCodes[0]), await use(body.recoveryCodes[0])]).toEqual([400, 200]);
    expect((await alice.delete("/api/two-factor/totp")).status).toBe(204);
    expect(result(await alice.post("/api/two-factor/recovery-codes"))).toEqual([409, "totp_missing"]);
    expect((await alice.get("/api/two-factor")).body.recoveryCodesLeft).toBe(0);
    expect((await api.anonymous().post("/api/login", alice)).status).toBe(200);
    expect(await mailsTo(alice.email)).toContain("An authenticator app was removed from your account");
  });

  test("a new app replaces the one before only once it is confirmed", async () => {
    const { alice, app } = await accountWithApp();
    const { secret } = (await alice.post("/api/two-factor/totp")).body;
    expect((await loginWithCode(api.anonymous(), alice, app)).status).toBe(200);
    const code = codeOf(secret);
    expect((await alice.post("/api/two-factor/totp/confirm", { code })).status).toBe(200);
    const client = api.anonymous();
    const challenge = await beginLogin(client, alice);
    const enter = async (with_: string) => (await answer(client, challenge, { code: with_ })).status;
    expect([await enter(app.code(after(30))), await enter(codeOf(secret, after(30)))]).toEqual([400, 200]);
  });

  test("a set-up ends after an hour", async () => {
    const alice = await api.signUp();
    const { secret } = (await alice.post("/api/two-factor/totp")).body;
    await api.setClock(minutes(60));
    await alice.post("/api/reauthenticate", { password: alice.password });
    const late = await alice.post("/api/two-factor/totp/confirm", { code: codeOf(secret, minutes(60)) });
    expect(result(late)).toEqual([409, "set_up_expired"]);
    await api.runJobs(minutes(61));
    expect(await api.select(`select * from totp where user_id = ${alice.id}`)).toEqual([]);
  });

  test("the second step ends after five minutes and after five wrong codes", async () => {
    const { alice, app } = await accountWithApp();
    const client = api.anonymous();
    const late = await beginLogin(client, alice);
    await api.setClock(minutes(5));
    expect(result(await answer(client, late, { code: app.code(minutes(5)) }))).toEqual([
      401,
      "challenge_ended",
    ]);
    const challenge = await beginLogin(client, alice);
    const seen: unknown[] = [];
    for (let count = 0; count < 6; count += 1)
      seen.push((await answer(client, challenge, { code: "000000" })).status);
    expect(seen).toEqual([400, 400, 400, 400, 400, 401]);
    expect((await answer(client, challenge, { code: app.code(minutes(5)) })).status).toBe(401);
  });

  test("after ten failures no code of the account is tried for 15 minutes, and its sessions go on", async () => {
    const { alice, app } = await accountWithApp();
    const client = api.anonymous();
    for (let count = 0; count < 2; count += 1) {
      const challenge = await beginLogin(client, alice);
      for (let wrong = 0; wrong < 5; wrong += 1)
        await answer(client, challenge, wrong % 2 ? { code: "000000" } : { recoveryCode: "0000" });
    }
    const blocked = await answer(client, await beginLogin(client, alice), { code: app.code() });
    expect([blocked.status, blocked.headers.get("retry-after")]).toEqual([429, "900"]);
    expect((await alice.post("/api/reauthenticate", { code: app.code() })).status).toBe(429);
    expect((await alice.get("/api/user")).status).toBe(200);
    expect((await alice.post("/api/reauthenticate", { password: alice.password })).status).toBe(204);
    await api.setClock(minutes(15));
    const challenge = await beginLogin(client, alice);
    expect((await answer(client, challenge, { code: app.code(minutes(15)) })).status).toBe(200);
  });

  test("a code, or a recovery code, confirms that it is still the owner", async () => {
    const { alice, app } = await accountWithApp();
    await api.setClock(minutes(11));
    const refused = await alice.delete("/api/two-factor/totp");
    expect([refused.status, refused.body.methods]).toEqual([403, ["totp", "recovery_code", "password"]]);
    expect((await alice.post("/api/reauthenticate", { code: app.code(minutes(11)) })).status).toBe(204);
    expect((await alice.post("/api/reauthenticate", { code: app.code(minutes(11)) })).status).toBe(400);
    const recoveryCode = app.recoveryCodes[3];
    expect((await alice.post("/api/reauthenticate", { recoveryCode })).status).toBe(204);
    expect((await alice.post("/api/reauthenticate", { recoveryCode })).status).toBe(400);
    expect((await alice.delete("/api/two-factor/totp")).status).toBe(204);
  });

  test("a remembered browser needs no code for 30 days after its last sign-in, another one does", async () => {
    const { alice, app } = await accountWithApp();
    const client = api.anonymous();
    const challenge = await beginLogin(client, alice);
    expect((await answer(client, challenge, { code: app.code(), remember: true })).status).toBe(200);
    expect((await client.get("/api/two-factor")).body.rememberedDevices).toBe(1);
    await api.setClock(minutes(29 * 24 * 60));
    expect((await client.post("/api/login", alice)).status).toBe(200);
    expect((await client.get("/api/user/sign-ins")).body[0].secondFactor).toBe("device");
    await beginLogin(api.anonymous(), alice);
    await api.setClock(minutes(58 * 24 * 60));
    expect((await client.post("/api/login", alice)).status).toBe(200);
    await api.setClock(minutes(88 * 24 * 60));
    await beginLogin(client, alice);
    await api.runJobs(minutes(88 * 24 * 60 + 1));
    expect(await api.select(`select * from remembered_devices where user_id = ${alice.id}`)).toEqual([]);
  });

  test("the browser of one account is not remembered for another one", async () => {
    const { alice, app } = await accountWithApp();
    const { alice: bob } = await accountWithApp();
    const client = api.anonymous();
    await answer(client, await beginLogin(client, alice), { code: app.code(), remember: true });
    await beginLogin(client, bob);
    expect((await client.post("/api/login", alice)).status).toBe(200);
  });

  const remembered = async () => {
    const { alice, app } = await accountWithApp();
    const client = api.anonymous();
    await answer(client, await beginLogin(client, alice), { code: app.code(), remember: true });
    return { alice, client };
  };
  const password = "another password";
  const ENDS: Record<
    string,
    (client: Client, alice: { email: string; password: string }) => Promise<unknown>
  > = {
    password: (client, alice) =>
      client.post("/api/user/change-password", {
        currentPassword: alice.password,
        newPassword: password,
        confirmPassword: password,
      }),
    address: (client, alice) => client.patch("/api/user/profile", { email: `new-${alice.email}` }),
    "recovery codes": (client) => client.post("/api/two-factor/recovery-codes"),
    "authenticator app": (client) => setUpTotp(client),
    "list of devices": (client) => client.delete("/api/two-factor/devices"),
  };

  test.each(Object.keys(ENDS))("a change of the %s ends remembered browsers", async (what) => {
    const { alice, client } = await remembered();
    const count = async () => (await client.get("/api/two-factor")).body.rememberedDevices;
    expect(await count()).toBe(1);
    await ENDS[what]?.(client, alice);
    expect(await count()).toBe(0);
    const email = what === "address" ? `new-${alice.email}` : alice.email;
    await beginLogin(client, { email, password: what === "password" ? password : alice.password });
  });

  test("a challenge is worth nothing once the password, the address or the factors have changed", async () => {
    for (const [what, change] of Object.entries(ENDS)) {
      if (what === "list of devices") continue;
      const { alice, app } = await accountWithApp();
      const client = api.anonymous();
      const challenge = await beginLogin(client, alice);
      await change(alice, alice);
      expect([what, ...result(await answer(client, challenge, { code: app.code() }))]).toEqual([
        what,
        401,
        "challenge_ended",
      ]);
    }
  });

  test("a reset by mail signs nobody in past the second factor", async () => {
    const { alice, app } = await accountWithApp();
    await api.anonymous().post("/api/password/forgot", { email: alice.email });
    const [token] = await mailedTokens(api, "reset", alice.email);
    const client = api.anonymous();
    expect((await client.post("/api/password/reset", { token, newPassword: password })).status).toBe(204);
    expect((await client.get("/api/user")).status).toBe(401);
    const changed = { email: alice.email, password };
    expect((await loginWithCode(client, changed, app)).status).toBe(200);
  });

  test("calls that show a secret need a recent sign-in, no API token and no Idempotency-Key", async () => {
    const alice = await api.signUp();
    const { token } = (await alice.post("/api/tokens", { name: "Backup", scope: "write" })).body;
    for (const path of ["totp", "totp/confirm", "recovery-codes"]) {
      const refused = await programOf(api, token).post(`/api/two-factor/${path}`, { code: "" });
      expect(result(refused)).toEqual([403, "token_not_allowed"]);
      const keyed = await alice.send(
        "POST",
        `/api/two-factor/${path}`,
        { code: "" },
        { "idempotency-key": "1" },
      );
      expect(result(keyed)).toEqual([400, "idempotency_unsupported"]);
    }
    await api.setClock(minutes(11));
    for (const path of ["totp", "totp/confirm", "recovery-codes"])
      expect(result(await alice.post(`/api/two-factor/${path}`, { code: "" }))).toEqual([
        403,
        "reauthentication_required",
      ]);
  });

  test("the audit log has the changes of factors, without secrets", async () => {
    const { alice } = await accountWithApp();
    await alice.post("/api/two-factor/recovery-codes");
    await alice.delete("/api/two-factor/totp");
    const rows = await api.select(
      `select action, actor, subject, detail from audit_entries where subject_id = ${alice.id} and action <> 'account_created' order by id`,
    );
    expect(rows).toEqual(
      ["factor_added", "recovery_codes_renewed", "factor_removed"].map((action) => ({
        ...{ action, actor: alice.email, subject: alice.email, detail: '{"factor":"totp"}' },
      })),
    );
  });

  test("a stolen database contains no secret, code, challenge or device", async () => {
    const { alice, app } = await accountWithApp();
    await alice.post("/api/two-factor/totp");
    const client = api.anonymous();
    await answer(client, await beginLogin(client, alice), { code: app.code(), remember: true });
    const challenge = await beginLogin(api.anonymous(), alice);
    const tables = [
      "totp",
      "recovery_codes",
      "challenges",
      "remembered_devices",
      "audit_entries",
      "notifications",
    ];
    const stored = JSON.stringify(
      await Promise.all(tables.map((table) => api.select(`select * from ${table}`))),
    );
    const device = client.knownBrowser().match(/remembered-device=\d+\.([^;~]+)/)?.[1] ?? "";
    expect(device.length).toBeGreaterThan(40);
    for (const secret of [app.secret, ...app.recoveryCodes, challenge, device]) {
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(secret.replaceAll("-", ""));
    }
    expect(stored).toContain('"sealed_secret"');
  });

  test("of two uses at once of one step, one recovery code or one challenge, exactly one wins", async () => {
    const alice = await api.signUp();
    const round = async (seconds: number) => {
      const at = after(seconds);
      await api.setClock(at);
      if (seconds % 600 === 0) await alice.post("/api/reauthenticate", { password: alice.password });
      const clients = [api.anonymous(), api.anonymous()] as const;
      const challenges = await Promise.all(clients.map((client) => beginLogin(client, alice)));
      return { at, clients, challenges };
    };
    const app = await setUpTotp(alice);
    const seen: unknown[][] = [];
    let codes = [...app.recoveryCodes];
    for (let count = 1; count <= rounds(200); count += 1) {
      const { at, clients, challenges } = await round(count * 120);
      const kind = count % 3;
      if (kind === 1 && codes.length === 0) {
        await alice.post("/api/reauthenticate", { password: alice.password });
        codes = (await alice.post("/api/two-factor/recovery-codes")).body.recoveryCodes;
        challenges.splice(0, 2, ...(await Promise.all(clients.map((client) => beginLogin(client, alice)))));
      }
      const given = kind === 1 ? { recoveryCode: codes.pop() } : { code: app.code(at) };
      const responses = await Promise.all(
        clients.map((client, index) => {
          const own = kind === 2 ? challenges[0] : challenges[index];
          const other =
            kind === 2 && index === 1
              ? { code: app.code(new Date(Date.parse(at) + 30_000).toISOString()) }
              : given;
          return answer(client, own ?? "", other);
        }),
      );
      const [won, lost] = responses.toSorted((one, other) => one.status - other.status);
      seen.push([won?.status, lost?.status, lost?.body.code]);
    }
    const lost = (index: number) =>
      index % 3 === 1 ? [200, 401, "challenge_ended"] : [200, 400, "invalid_code"];
    expect(seen).toEqual(Array.from({ length: rounds(200) }, (_, index) => lost(index)));
  }, 240_000);
});
