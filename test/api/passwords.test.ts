import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";
import { mailedTokens } from "../support/api/mailed-links";
import { TEST_START } from "../support/runtime/runtime";

const INVALID = { message: "This link is invalid or has expired", code: "invalid_token" };
const later = (minutes: number) => new Date(Date.parse(TEST_START) + minutes * 60_000).toISOString();

describeApi("forgotten passwords", (api) => {
  const forgot = (email: string) => api.anonymous().post("/api/password/forgot", { email });
  const reset = (token: unknown, newPassword = "a new secret") =>
    api.anonymous().post("/api/password/reset", { token, newPassword });

  test("a mailed link sets a new password once and ends every session", async () => {
    const alice = await api.signUp();
    const response = await forgot(alice.email.toUpperCase());
    expect([response.status, response.text]).toEqual([204, ""]);
    const [token] = await mailedTokens(api, "reset", alice.email);
    expect((await reset(token, "short")).body.issues).toEqual([
      { path: "newPassword", message: "Password must be at least 6 characters" },
    ]);
    const done = await reset(token);
    expect([done.status, done.text]).toEqual([204, ""]);
    expect((await alice.get("/api/user")).status).toBe(401);
    const login = { email: alice.email, password: "a new secret" };
    expect((await api.anonymous().post("/api/login", login)).status).toBe(200);
    expect((await api.anonymous().post("/api/login", { ...login, password: alice.password })).status).toBe(
      401,
    );
    expect(await reset(token)).toMatchObject({ status: 400, body: INVALID });
  });

  test("of two concurrent uses of one link only one succeeds", async () => {
    const alice = await api.signUp();
    await forgot(alice.email);
    const [token] = await mailedTokens(api, "reset", alice.email);
    const responses = await Promise.all([reset(token, "password one"), reset(token, "password two")]);
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 400]);
  });

  test("a link works for an hour, and a password change voids all links", async () => {
    const alice = await api.signUp();
    await forgot(alice.email);
    const [token] = await mailedTokens(api, "reset", alice.email);
    await api.setClock(later(60));
    expect(await reset(token)).toMatchObject({ status: 400, body: INVALID });
    await api.setClock(TEST_START);

    await forgot(alice.email);
    const tokens = await mailedTokens(api, "reset", alice.email);
    const change = { currentPassword: alice.password, newPassword: "changed", confirmPassword: "changed" };
    await alice.post("/api/user/change-password", change);
    expect((await reset(tokens.at(-1))).status).toBe(400);
  });

  test("the response does not reveal whether an account exists", async () => {
    await api.finishBackgroundWork();
    const sent = (await api.mails()).length;
    const response = await forgot("nobody@example.com");
    expect([response.status, response.text]).toEqual([204, ""]);
    await api.finishBackgroundWork();
    expect((await api.mails()).length).toBe(sent);
  });

  test("an unknown token is invalid", async () => {
    const alice = await api.signUp();
    const [verification] = await mailedTokens(api, "verify", alice.email);
    const session = alice.cookie.split("=")[1];
    for (const token of ["", "x", "\0", "x".repeat(5_000), verification, session])
      expect(await reset(token)).toMatchObject({ status: 400, body: INVALID });
    for (const token of [null, 7, undefined, {}]) expect((await reset(token)).body.code).toBe("validation");
    await forgot(alice.email);
    const [token = ""] = await mailedTokens(api, "reset", alice.email);
    expect(JSON.stringify(await api.select("select * from password_resets"))).not.toContain(token);
  });
});

describeApi("verifying an address", (api) => {
  const verify = (token: unknown) => api.anonymous().post("/api/user/verify", { token });

  test("the mailed link verifies the address once, without signing in", async () => {
    const alice = await api.signUp();
    const [token = ""] = await mailedTokens(api, "verify", alice.email);
    expect(JSON.stringify(await api.select("select * from users"))).not.toContain(token);
    const done = await verify(token);
    expect([done.status, done.text]).toEqual([204, ""]);
    expect((await alice.get("/api/user")).body.isVerified).toBe(true);
    expect(await verify(token)).toMatchObject({ status: 400, body: INVALID });
    expect((await alice.post("/api/user/resend-verification")).status).toBe(204);
    expect(await mailedTokens(api, "verify", alice.email)).toEqual([token]);
  });

  test("a link works for a day, or until a newer one is mailed", async () => {
    const alice = await api.signUp();
    await api.finishBackgroundWork();
    await api.setClock(later(24 * 60));
    const [token] = await mailedTokens(api, "verify", alice.email);
    expect((await verify(token)).body).toEqual(INVALID);
    expect((await alice.post("/api/user/resend-verification")).status).toBe(204);
    const [old, fresh] = await mailedTokens(api, "verify", alice.email);
    expect((await verify(old)).status).toBe(400);
    expect((await verify(fresh)).status).toBe(204);
    await api.setClock(TEST_START);
  });

  test("a new address must be verified again, and the old link is void", async () => {
    const alice = await api.signUp();
    const [old] = await mailedTokens(api, "verify", alice.email);
    const changed = await alice.patch("/api/user/profile", { email: " New@Example.com " });
    expect(changed.body).toMatchObject({ email: "new@example.com", isVerified: false });
    expect((await verify(old)).status).toBe(400);
    const [token] = await mailedTokens(api, "verify", "new@example.com");
    expect((await alice.post("/api/user/verify", { token })).status).toBe(204);
    expect((await alice.get("/api/user")).body).toMatchObject({ email: "new@example.com", isVerified: true });
    const same = await alice.patch("/api/user/profile", { email: "NEW@example.com" });
    expect(same.body.isVerified).toBe(true);
  });

  test("an unknown token verifies nobody", async () => {
    const alice = await api.signUp();
    await api.anonymous().post("/api/password/forgot", { email: alice.email });
    const [reset] = await mailedTokens(api, "reset", alice.email);
    for (const token of ["", "null", reset, alice.cookie.split("=")[1]])
      expect(await verify(token)).toMatchObject({ status: 400, body: INVALID });
    expect((await verify(null)).body.code).toBe("validation");
    expect((await alice.get("/api/user")).body.isVerified).toBe(false);
  });
});
