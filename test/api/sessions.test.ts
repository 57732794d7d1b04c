import { expect, test } from "bun:test";
import { DAY_MS } from "../../worker/lib/durations";
import { type ApiResponse, describeApi, type SignedUp } from "../support/api/client";
import { TEST_START } from "../support/runtime/runtime";

const cookieOf = ({ headers }: ApiResponse) => headers.getSetCookie()[0] ?? "";
const signIn = (person: SignedUp, client = person) =>
  client.send("POST", "/api/login", { email: person.email, password: person.password });

describeApi("sessions", (api) => {
  test("the cookie is HttpOnly, SameSite=Lax, for every path and 30 days, and without Secure over http", async () => {
    const cookie = cookieOf(await signIn(await api.signUp()));
    const [pair, ...attributes] = cookie.split("; ");
    expect(pair).toMatch(/^session=[\w-]{43}$/);
    expect(attributes.sort()).toEqual(["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax"]);
  });

  test("the database contains only the hash of the token", async () => {
    const alice = await api.signUp();
    const token = alice.cookie.split("=")[1] ?? "";
    const [row] = await api.select(`select * from sessions where user_id = ${alice.id}`);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
    expect(row?.sid).toBe(new Uint8Array(digest).toHex());
    expect(JSON.stringify(await api.select("select * from sessions"))).not.toContain(token);
    expect((await api.anonymous().get("/api/user", { cookie: `session=${row?.sid}` })).status).toBe(401);
  });

  test("every sign-in has a new token and ends the client's earlier session", async () => {
    const alice = await api.signUp();
    const first = { cookie: alice.cookie };
    await signIn(alice);
    expect(alice.cookie).not.toBe(first.cookie);
    expect((await api.anonymous().get("/api/user", first)).status).toBe(401);
    const second = { cookie: alice.cookie };
    const other = { email: `other-${alice.email}`, password: "another secret" };
    expect((await alice.post("/api/register", other)).status).toBe(201);
    expect((await api.anonymous().get("/api/user", second)).status).toBe(401);
    const planted = "session=chosen-by-someone-else";
    const victim = api.anonymous();
    victim.cookie = planted;
    await victim.post("/api/login", { email: alice.email, password: alice.password });
    expect(victim.cookie).not.toBe(planted);
    expect((await api.anonymous().get("/api/user", { cookie: planted })).status).toBe(401);
  });

  test("the list has the thousand latest, and every session can be ended", async () => {
    const alice = await api.signUp();
    const [{ id: first }] = (await alice.get("/api/user/sessions")).body;
    await api.execute(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
      insert into sessions (sid, sess, expire, user_id)
      select 'many:' || user_id || ':' || i, json_set(sess, '$.id', 'many' || i), expire, user_id
      from sessions join n where user_id = ${alice.id} and i between 1 and 1000`);
    const { body } = await alice.get("/api/user/sessions");
    expect(body).toHaveLength(1000);
    expect(body.filter(({ id }: { id: string }) => id === first)).toEqual([]);
    expect((await alice.send("DELETE", "/api/user/sessions/many1")).status).toBe(204);
    expect((await alice.send("DELETE", "/api/user/sessions/many1")).status).toBe(404);
    expect((await alice.send("DELETE", `/api/user/sessions/${first}`)).status).toBe(204);
    expect((await alice.get("/api/user")).status).toBe(401);
  });

  test("a session slides: it ends 30 days after it was last renewed", async () => {
    const alice = await api.signUp();
    const day = (count: number) => new Date(Date.parse(TEST_START) + count * DAY_MS).toISOString();
    await api.setClock(day(0.9));
    expect(cookieOf(await alice.get("/api/user"))).toBe("");
    await api.setClock(day(29));
    const renewed = await alice.get("/api/user");
    expect([renewed.status, cookieOf(renewed)]).toEqual([200, expect.stringContaining("Max-Age=2592000")]);
    await api.setClock(day(58.9));
    const idle = { cookie: alice.cookie };
    expect((await api.anonymous().get("/api/user", idle)).status).toBe(200);
    await api.setClock(day(89));
    expect((await api.anonymous().get("/api/user", idle)).status).toBe(401);
    await api.setClock(TEST_START);
  });

  test("a session ends 180 days after the sign-in, however often it is used", async () => {
    const alice = await api.signUp();
    const day = (count: number) => new Date(Date.parse(TEST_START) + count * DAY_MS).toISOString();
    for (let count = 20; count <= 160; count += 20) {
      await api.setClock(day(count));
      expect((await alice.get("/api/user")).status).toBe(200);
    }
    await api.setClock(day(165));
    expect(cookieOf(await alice.get("/api/user"))).toContain(`Max-Age=${15 * 86_400}`);
    const oldCookie = { cookie: alice.cookie };
    await api.setClock(day(179.9));
    expect((await api.anonymous().get("/api/user", oldCookie)).status).toBe(200);
    await api.setClock(day(180));
    expect((await api.anonymous().get("/api/user", oldCookie)).status).toBe(401);
    await api.setClock(TEST_START);
  });

  test("an account lists its sessions, the current one first and then by last use", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const login = { email: alice.email, password: alice.password };
    const phone = api.anonymous();
    const longAgent = `Phone ${"x".repeat(300)}`;
    await phone.send("POST", "/api/login", login, { "user-agent": longAgent });
    await api.setClock(new Date(Date.parse(TEST_START) + 2 * 3_600_000).toISOString());
    const { status, body } = await alice.get("/api/user/sessions");
    expect(status).toBe(200);
    const seen = { id: expect.stringMatching(/^[\w-]{36}$/), address: "203.0.113.7", createdAt: TEST_START };
    expect(body).toEqual([
      {
        ...seen,
        userAgent: expect.any(String),
        lastUsedAt: "2026-03-14T11:26:53.000Z",
        current: true,
      },
      { ...seen, userAgent: longAgent.slice(0, 200), lastUsedAt: TEST_START, current: false },
    ]);
    const [row] = await api.select(`select sid from sessions where user_id = ${alice.id}`);
    expect(JSON.stringify(body)).not.toContain(String(row?.sid));
    for (const { id } of body)
      expect((await api.anonymous().get("/api/user", { cookie: `session=${id}` })).status).toBe(401);
    expect((await bob.get("/api/user/sessions")).body).toHaveLength(1);
    await api.setClock(TEST_START);
  });

  test("a session can end another one, or all others", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const login = { email: alice.email, password: alice.password };
    const others = [api.anonymous(), api.anonymous(), api.anonymous()];
    for (const other of others) await other.post("/api/login", login);
    const statuses = async () =>
      Promise.all([alice, ...others, bob].map(async (person) => (await person.get("/api/user")).status));
    const list = async (person: Pick<SignedUp, "get"> = alice): Promise<{ id: string; current: boolean }[]> =>
      (await person.get("/api/user/sessions")).body;
    const [first] = others;
    if (!first) throw new Error("There is no other");
    const ended = (await list(first)).find(({ current }) => current)?.id;
    expect((await bob.delete(`/api/user/sessions/${ended}`)).status).toBe(404);
    expect((await alice.delete(`/api/user/sessions/${ended}`)).status).toBe(204);
    expect((await alice.delete(`/api/user/sessions/${ended}`)).status).toBe(404);
    expect(await statuses()).toEqual([200, 401, 200, 200, 200]);
    expect((await alice.delete("/api/user/sessions")).status).toBe(204);
    expect(await statuses()).toEqual([200, 401, 401, 401, 200]);
    expect(await list()).toHaveLength(1);
    const own = (await list())[0]?.id;
    const { status, headers } = await alice.delete(`/api/user/sessions/${own}`);
    expect([status, headers.getSetCookie()[0]]).toEqual([204, expect.stringContaining("Max-Age=0")]);
    expect((await statuses())[0]).toBe(401);
  });

  test("changing the password ends every other session and keeps this one", async () => {
    const alice = await api.signUp();
    const other = api.anonymous();
    await other.post("/api/login", { email: alice.email, password: alice.password });
    const change = { currentPassword: alice.password, newPassword: "changed", confirmPassword: "changed" };
    const wrong = await alice.post("/api/user/change-password", { ...change, currentPassword: "guess" });
    expect([wrong.status, wrong.body]).toEqual([
      400,
      { message: "Current password is incorrect", code: "wrong_password" },
    ]);
    expect((await other.get("/api/user")).status).toBe(200);
    expect((await alice.post("/api/user/change-password", change)).status).toBe(200);
    expect((await other.get("/api/user")).status).toBe(401);
    expect((await alice.get("/api/user")).status).toBe(200);
    expect((await signIn(alice, Object.assign(api.anonymous(), alice))).status).toBe(401);
    const login = { email: alice.email, password: "changed" };
    expect((await api.anonymous().post("/api/login", login)).status).toBe(200);
  });

  test("an account has at most 1,000 sessions: a sign-in ends the oldest", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    await api.execute(
      `insert into sessions (sid, user_id, sess, expire) with recursive n(i) as (select 1 union all select i + 1 from n where i < 999) select 'many' || i, ${alice.id}, s.sess, s.expire from n, sessions s where s.user_id = ${alice.id}`,
    );
    const first = { cookie: alice.cookie };
    expect((await api.anonymous().get("/api/user", first)).status).toBe(200);
    const phone = Object.assign(api.anonymous(), { email: alice.email, password: alice.password });
    expect((await signIn(alice, phone as SignedUp)).status).toBe(200);
    expect((await api.anonymous().get("/api/user", first)).status).toBe(401);
    expect((await phone.get("/api/user")).status).toBe(200);
    expect((await bob.get("/api/user")).status).toBe(200);
    const [row] = await api.select(`select count(*) as count from sessions where user_id = ${alice.id}`);
    expect(row?.count).toBe(1000);
  });

  test.each([
    "",
    "session=",
    "session=x; session=y",
    "session=%00",
    "session=%zz",
    'session="',
    "other=1",
    "__Host-session=x",
  ])("the cookie %j signs nobody in", async (cookie) => {
    expect((await api.anonymous().get("/api/user", { cookie })).status).toBe(401);
  });
});

describeApi(
  "sessions over https",
  { publicUrl: "https://papers.example", variables: { ADMIN_EMAILS: "admin@papers.example" } },
  (api) => {
    test("the cookie is Secure and cannot be set by another host", async () => {
      const alice = await api.signUp();
      const [pair, ...attributes] = cookieOf(await signIn(alice)).split("; ");
      expect(pair).toMatch(/^__Host-session=[\w-]{43}$/);
      expect(attributes.sort()).toEqual(["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax", "Secure"]);
      const plain = alice.cookie.replace("__Host-", "");
      expect((await api.anonymous().get("/api/user", { cookie: plain })).status).toBe(401);
      const out = cookieOf(await alice.post("/api/logout"));
      expect(out).toContain("__Host-session=; Max-Age=0");
      expect(out).toContain("Secure");
    });
  },
);
