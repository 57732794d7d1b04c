import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";

const INVALID = { message: "Invalid email or password", code: "invalid_credentials" };
const SECRETS = ["password", "verificationToken", "verificationExpiry", "avatarMimeType", "avatarSize"];

describeApi("registering and signing in", (api) => {
  test("registering signs in, creates a first workspace and returns no secret", async () => {
    const visitor = api.anonymous();
    const { status, body } = await visitor.post("/api/register", {
      email: "  Ada@Example.COM ",
      password: "secret",
      id: 7,
      isVerified: true,
      onboardingCompleted: true,
      avatarUrl: "/uploads/x",
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      email: "ada@example.com",
      firstName: null,
      avatarUrl: null,
      themePreference: "system",
      languagePreference: "en",
      onboardingCompleted: false,
      isVerified: false,
    });
    for (const secret of SECRETS) expect(body).not.toHaveProperty(secret);
    expect((await visitor.get("/api/user")).body).toEqual(body);
    const workspaces = await visitor.get("/api/workspaces");
    expect(workspaces.body).toMatchObject([{ name: "My Workspace", description: null, userId: body.id }]);
  });

  test("an e-mail address has one account, whatever its case", async () => {
    const alice = await api.signUp();
    const email = ` ${alice.email.toUpperCase()} `;
    const again = await api.anonymous().post("/api/register", { email, password: "another" });
    expect([again.status, again.body]).toEqual([
      409,
      { message: "An account with this email already exists", code: "email_taken" },
    ]);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () =>
        api.anonymous().post("/api/register", { email: "race@example.com", password: "secret" }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    const rows = await api.select(
      "select w.id from workspaces w join users u on u.id = w.user_id where u.email = 'race@example.com'",
    );
    expect(rows).toHaveLength(1);
  });

  test("signing in returns the user; a wrong password and an unknown account get the same error", async () => {
    const alice = await api.signUp();
    const visitor = api.anonymous();
    const signedIn = await visitor.post("/api/login", {
      email: alice.email.toUpperCase(),
      password: alice.password,
    });
    expect([signedIn.status, signedIn.body.id]).toEqual([200, alice.id]);
    expect(await alice.get("/api/user")).toMatchObject({ status: 200, body: signedIn.body });
    for (const credentials of [
      { email: alice.email, password: "wrong" },
      { email: alice.email, password: ` ${alice.password}` },
      { email: "unknown@example.com", password: alice.password },
    ]) {
      const failed = await api.anonymous().post("/api/login", credentials);
      expect([failed.status, failed.body, failed.headers.getSetCookie()]).toEqual([401, INVALID, []]);
    }
  });

  test("signing out returns 204 and ends the session on the server, and may be repeated", async () => {
    const alice = await api.signUp();
    const stolen = { cookie: alice.cookie };
    const out = await alice.post("/api/logout");
    expect([out.status, out.text, alice.cookie]).toEqual([204, "", ""]);
    expect((await api.anonymous().get("/api/user", stolen)).status).toBe(401);
    expect((await alice.post("/api/logout")).status).toBe(204);
    expect((await alice.get("/api/user")).body).toEqual({
      message: "Please sign in",
      code: "unauthenticated",
    });
  });

  test("a password is stored only as a salted scrypt hash", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const rows = await api.select(`select password from users where id in (${alice.id}, ${bob.id})`);
    const hashes = rows.map(({ password }) => String(password));
    for (const hash of hashes) expect(hash).toMatch(/^\$scrypt\$ln=\d+,r=\d+,p=\d+\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(new Set(hashes).size).toBe(2);
  });
});
