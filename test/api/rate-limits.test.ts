import { expect, test } from "bun:test";
import { type ApiResponse, describeApi } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { pdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

const LIMITED = { message: "Too many attempts. Please try again later", code: "rate_limited" };
const later = (minutes: number) => new Date(Date.parse(TEST_START) + minutes * 60_000).toISOString();

function expectLimited({ status, body, headers }: ApiResponse, seconds: number) {
  expect([status, body]).toEqual([429, LIMITED]);
  const wait = Number(headers.get("retry-after"));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(seconds);
}

describeApi("rate limits", { rateLimits: "on" }, (api) => {
  test("an account changes its time zone thirty times an hour", async () => {
    const alice = await api.signUp();
    const set = (timeZone: string) => alice.patch("/api/user/profile", { timeZone });
    for (let count = 0; count < 30; count++)
      expect((await set(count % 2 ? "Europe/Berlin" : "Asia/Tokyo")).status).toBe(200);
    expect((await set("Europe/Berlin")).status).toBe(200);
    expectLimited(await set("Asia/Tokyo"), 60 * 60);
    expect((await alice.patch("/api/user/profile", { firstName: "Ada" })).status).toBe(200);
  });

  test("a page of another site uses up no tries of its visitor's address", async () => {
    const alice = await api.signUp();
    const link = linkOf(await sendEnvelope(alice));
    const read = (path: string, site: string, dest: string) =>
      api.anonymous().get(path, {
        ...{ "sec-fetch-site": site, "sec-fetch-dest": dest, "x-test-address": "198.51.100.44" },
      });
    const callback = "/api/auth/github/callback?state=x&code=y";
    for (let count = 0; count < 601; count++) {
      const { status, body } = await read(link, "cross-site", count % 2 ? "empty" : "image");
      expect([status, body.code]).toEqual([403, "cross_site"]);
    }
    for (const path of [`${link}/logo`, `${link}/picture`, "/api/unsubscribe/x", callback])
      expect((await read(path, "cross-site", "iframe")).body.code).toBe("cross_site");
    expect((await read(link, "same-origin", "empty")).status).toBe(200);
    const oneClick = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "empty" };
    const sent = await api.anonymous().send("POST", "/api/unsubscribe/x", undefined, oneClick);
    expect(sent.body.code).not.toBe("cross_site");
    // The provider's page leads here.
    expect((await read(callback, "cross-site", "document")).body.code).not.toBe("cross_site");
  });

  test("after ten failed sign-ins the next is rejected, even with the right password, for that account only", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const signIn = (email: string, password: string, headers?: Record<string, string>) =>
      api.anonymous().send("POST", "/api/login", { email, password }, headers);
    for (let count = 0; count < 10; count++)
      expect((await signIn(count % 2 ? alice.email.toUpperCase() : ` ${alice.email}`, "guess")).status).toBe(
        401,
      );
    expectLimited(await signIn(alice.email, alice.password), 15 * 60);
    expectLimited(
      await signIn(alice.email, alice.password, {
        "x-forwarded-for": "198.51.100.1",
        "cf-connecting-ip": "198.51.100.1",
      }),
      15 * 60,
    );
    expect((await signIn(bob.email, bob.password)).status).toBe(200);
    expect((await alice.get("/api/user")).status).toBe(200);
    for (let count = 0; count < 10; count++)
      expect((await signIn("unknown@example.com", "guess")).status).toBe(401);
    expectLimited(await signIn("unknown@example.com", "guess"), 15 * 60);
    await api.setClock(later(15));
    expect((await signIn(alice.email, alice.password)).status).toBe(200);
    await api.setClock(TEST_START);
  });

  test("failed sign-ins from one address do not lock out the account at another, and a new password clears them", async () => {
    const alice = await api.signUp();
    const signIn = (password: string, address: string) =>
      api
        .anonymous()
        .send("POST", "/api/login", { email: alice.email, password }, { "x-test-address": address });
    const lockOut = async () => {
      for (let count = 0; count < 10; count++)
        expect((await signIn("guess", "198.51.100.1")).status).toBe(401);
      expectLimited(await signIn(alice.password, "198.51.100.1"), 15 * 60);
    };
    await lockOut();
    expect((await signIn(alice.password, "198.51.100.2")).status).toBe(200);
    await api.anonymous().post("/api/password/forgot", { email: alice.email });
    const token = (await mailedTokens(api, "reset", alice.email)).at(-1);
    const reset = { token, newPassword: "a new secret" };
    expect((await api.anonymous().post("/api/password/reset", reset)).status).toBe(204);
    expect((await signIn("a new secret", "198.51.100.1")).status).toBe(200);
  });

  test("a known browser is forgotten with the password", async () => {
    const alice = await api.signUp();
    expect(alice.knownBrowser()).toMatch(/^known-browser=\d+\.[\da-f]{64}$/);
    const before = alice.knownBrowser();
    const change = { currentPassword: alice.password, newPassword: "changed", confirmPassword: "changed" };
    expect((await alice.post("/api/user/change-password", change)).status).toBe(200);
    const again = await alice.post("/api/login", { email: alice.email, password: "changed" });
    expect(again.status).toBe(200);
    expect(alice.knownBrowser()).not.toBe(before);
    const cookie = again.headers.getSetCookie().find((set) => set.startsWith("known-browser="));
    expect(cookie?.split("; ").slice(1).sort()).toEqual([
      "HttpOnly",
      "Max-Age=31536000",
      "Path=/api/login",
      "SameSite=Lax",
    ]);
  });

  test("a successful sign-in does not count", async () => {
    const alice = await api.signUp();
    const login = { email: alice.email, password: alice.password };
    for (let count = 0; count < 15; count++)
      expect((await api.anonymous().post("/api/login", login)).status).toBe(200);
  });

  test("an account makes 600 changes a minute, with all of its tokens together; reads do not count", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const clients = [alice];
    for (const name of ["one", "two"]) {
      const { body } = await alice.post("/api/tokens", { name, scope: "write" });
      const client = api.anonymous();
      const send: typeof client.send = (method, path, sent, headers) =>
        client.send(method, path, sent, { ...headers, authorization: `Bearer ${body.token}` });
      clients.push({ ...alice, send, post: (path, sent) => send("POST", path, sent) });
    }
    const change = (index: number) => clients[index % clients.length]?.post("/api/contacts", {});
    const statuses = () => Promise.all(clients.map(async (_, index) => (await change(index))?.status));
    // Two were the tokens.
    expect(await statuses()).toEqual([400, 400, 400]);
    expect(await api.select(`select count from rate_limits where key = 'change:${alice.id}'`)).toEqual([
      { count: 5 },
    ]);
    await api.execute(`update rate_limits set count = 597 where key = 'change:${alice.id}'`);
    expect(await statuses()).toEqual([400, 400, 400]);
    for (const client of clients) {
      const rejected = await client.post("/api/contacts", { firstName: "Ada" });
      expect([rejected.status, rejected.body.code]).toEqual([429, "too_many_changes"]);
      const wait = Number(rejected.headers.get("retry-after"));
      expect([wait > 0, wait <= 60]).toEqual([true, true]);
    }
    expect((await alice.get("/api/contacts")).body).toEqual([]);
    expect((await bob.post("/api/contacts", { firstName: "Ada" })).status).toBe(201);
    await api.setClock(later(1));
    expect((await alice.post("/api/contacts", { firstName: "Ada" })).status).toBe(201);
    await api.setClock(TEST_START);
  }, 240_000);

  test("an account reads 600 lists, searches, archives and exports a minute, with its tokens, and more of what is small", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const { body: token } = await alice.post("/api/tokens", { name: "one", scope: "read" });
    const paths = [
      "/api/requests",
      "/api/requests?search=a",
      "/api/requests/files.zip?ids=1",
      "/api/contacts",
    ];
    const statuses = () => Promise.all(paths.map(async (path) => (await alice.get(path)).status));
    expect(await statuses()).toEqual([200, 200, 404, 200]);
    await api.execute(`update rate_limits set count = 596 where key = 'heavy-read:${alice.id}'`);
    expect(await statuses()).toEqual([200, 200, 404, 200]);
    const members = `/api/workspaces/${alice.workspaceId}/members`;
    for (const path of [
      ...paths,
      "/api/templates",
      "/api/series",
      "/api/destinations",
      "/api/documents/expiring",
      "/api/contacts/export.csv",
      "/api/contacts/tags",
      members,
      `${members}/${alice.id}/links`,
      `/api/workspaces/${alice.workspaceId}/retention?days=30`,
    ])
      expectLimited(await alice.get(path), 60);
    const withToken = { authorization: `Bearer ${token.token}` };
    expectLimited(await api.anonymous().get("/api/requests", withToken), 60);
    expect([(await alice.get("/api/user")).status, (await alice.get("/api/requests/1")).status]).toEqual([
      200, 404,
    ]);
    expect((await alice.post("/api/contacts", { firstName: "Ada" })).status).toBe(201);
    expect((await bob.get("/api/requests")).status).toBe(200);
    await api.setClock(later(1));
    expect((await alice.get("/api/requests")).status).toBe(200);
    // A Worker counts them in memory.
    if (api.runtime === "bun") {
      await api.execute(`update rate_limits set count = 2999 where key = 'read:${alice.id}'`);
      expect((await alice.get("/api/workspaces")).status).toBe(200);
      expectLimited(await alice.get("/api/workspaces"), 60);
      expect((await bob.get("/api/workspaces")).status).toBe(200);
    }
    await api.setClock(TEST_START);
  }, 240_000);

  test("a session can guess the current password ten times", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const change = (person: typeof alice, currentPassword: string) =>
      person.post("/api/user/change-password", {
        currentPassword,
        newPassword: person.password,
        confirmPassword: person.password,
      });
    for (let count = 0; count < 12; count++) expect((await change(alice, alice.password)).status).toBe(200);
    for (let count = 0; count < 10; count++) expect((await change(alice, "guess")).status).toBe(400);
    expectLimited(await change(alice, alice.password), 15 * 60);
    expectLimited(await alice.post("/api/reauthenticate", { password: alice.password }), 15 * 60);
    expect((await change(bob, bob.password)).status).toBe(200);
    await api.setClock(later(15));
    expect((await change(alice, alice.password)).status).toBe(200);
    await api.setClock(TEST_START);
  });

  test("guesses in a stolen session keep no other session of the account from confirming it or changing the password", async () => {
    const stolen = await api.signUp();
    const { email, password } = stolen;
    const owner = api.anonymous();
    const signIn = async () => (await owner.post("/api/login", { email, password })).status;
    expect(await signIn()).toBe(200);
    const guess = { password: "guess" };
    for (let count = 0; count < 10; count++)
      expect((await stolen.post("/api/reauthenticate", guess)).status).toBe(400);
    expectLimited(await stolen.post("/api/reauthenticate", { password }), 15 * 60);
    expect((await owner.post("/api/reauthenticate", { password })).status).toBe(204);
    expect(await signIn()).toBe(200);
    const change = { currentPassword: password, newPassword: "a new one", confirmPassword: "a new one" };
    expect((await owner.post("/api/user/change-password", change)).status).toBe(200);
    expect((await stolen.get("/api/user")).status).toBe(401);
  });

  test("an address gets five verification and five reset links an hour, and the responses do not reveal it", async () => {
    const alice = await api.signUp();
    const mailed = async (subject: string) => {
      await api.finishBackgroundWork();
      return (await api.mails()).filter((mail) => mail.to === alice.email && mail.subject === subject).length;
    };
    const resend = () => alice.post("/api/user/resend-verification");
    const forgot = () => api.anonymous().post("/api/password/forgot", { email: alice.email });
    for (let count = 0; count < 4; count++) expect((await resend()).status).toBe(204);
    expectLimited(await resend(), 60 * 60);
    expect(await mailed("Confirm your email address")).toBe(5);
    for (let count = 0; count < 8; count++) expect((await forgot()).status).toBe(204);
    expect(await mailed("Choose a new password")).toBe(5);
    await api.setClock(later(60));
    expect((await resend()).status).toBe(204);
    expect((await forgot()).status).toBe(204);
    expect(await mailed("Choose a new password")).toBe(6);
    await api.setClock(TEST_START);
  });

  test("whoever registers many addresses of one mailbox sends it as few mails as to one address", async () => {
    const register = (tag: string) =>
      api.anonymous().post("/api/register", { email: `Flooded+${tag}@example.com`, password: "a password" });
    for (const tag of "abcdefg") expect((await register(tag)).status).toBe(201);
    for (const tag of "abcdefg")
      await api.anonymous().post("/api/password/forgot", { email: `flooded+${tag}@example.com` });
    await api.finishBackgroundWork();
    const subjects = (await api.mails()).flatMap(({ to, subject }) => (/^flooded/.test(to) ? subject : []));
    expect(Object.groupBy(subjects, (subject) => subject)).toEqual({
      "Confirm your email address": Array(5).fill("Confirm your email address"),
      "Choose a new password": Array(5).fill("Choose a new password"),
    });
  });

  test("other addresses of a mailbox use up neither the resets nor the changes of a verified one", async () => {
    const alice = await api.signUp();
    const [name] = alice.email.split("@");
    const tagged = (tag: number) => `${name}+${tag}@example.com`;
    const [link] = await mailedTokens(api, "verify", alice.email);
    expect((await alice.post("/api/user/verify", { token: link })).status).toBe(204);
    for (let tag = 0; tag < 6; tag++)
      await api.anonymous().post("/api/password/forgot", { email: tagged(tag) });
    await api.anonymous().post("/api/password/forgot", { email: alice.email });
    expect(await mailedTokens(api, "reset", alice.email)).toHaveLength(1);
    const stranger = api.anonymous();
    expect((await stranger.post("/api/register", { email: tagged(0), password: "a password" })).status).toBe(
      201,
    );
    for (let tag = 1; tag < 11; tag++) await stranger.patch("/api/user/profile", { email: tagged(tag) });
    const change = await alice.patch("/api/user/profile", { email: "elsewhere@example.com" });
    expect(change.status).toBe(200);
  });

  test("calls that change no factor and no provider do not keep the owner from changing the password", async () => {
    const alice = await api.signUp();
    const rejected = [
      await alice.delete("/api/user/providers/google"),
      await alice.post("/api/two-factor/recovery-codes"),
    ];
    for (let count = 0; count < 20; count++) rejected.push(await alice.delete("/api/user/providers/google"));
    expect(new Set(rejected.map(({ status }) => status))).toEqual(new Set([404, 409]));
    const change = { currentPassword: alice.password, newPassword: "changed", confirmPassword: "changed" };
    expect((await alice.post("/api/user/change-password", change)).status).toBe(200);
  });

  test("whoever registers a taken address uses up neither its verification mails nor its resets", async () => {
    const alice = await api.signUp();
    const registration = { email: alice.email, password: "a guess" };
    for (let count = 0; count < 8; count++)
      expect((await api.anonymous().post("/api/register", registration)).status).toBe(409);
    const resend = () => alice.post("/api/user/resend-verification");
    for (let count = 0; count < 4; count++) expect((await resend()).status).toBe(204);
    expectLimited(await resend(), 60 * 60);
    await api.setClock(later(30));
    await api.anonymous().post("/api/password/forgot", { email: alice.email });
    await api.finishBackgroundWork();
    const mails = (await api.mails()).filter(({ to }) => to === alice.email);
    expect(mails.at(-1)?.subject).toBe("Choose a new password");
    await api.setClock(TEST_START);
  });

  test("changing to a stranger's address and back does not send them unlimited mails", async () => {
    const stranger = "stranger@example.com";
    for (const owner of [await api.signUp(), await api.signUp()])
      for (let count = 0; count < 4; count++)
        for (const email of [stranger, owner.email])
          expect((await owner.patch("/api/user/profile", { email })).status).toBe(200);
    await api.finishBackgroundWork();
    const verifications = await api.select(
      `select id from notifications where kind = 'verification' and recipient = '${stranger}'`,
    );
    expect(verifications).toHaveLength(5);
  });

  test("an account changes its address ten times an hour, so that it mails no more strangers", async () => {
    const alice = await api.signUp();
    const change = (count: number) =>
      alice.patch("/api/user/profile", { email: `stranger${count}@example.org` });
    for (let count = 0; count < 10; count++) expect((await change(count)).status).toBe(200);
    expectLimited(await change(10), 60 * 60);
    expect((await alice.get("/api/user")).body.email).toBe("stranger9@example.org");
  });

  test("an account learns of ten addresses an hour whether they have an account", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const change = () => alice.patch("/api/user/profile", { email: bob.email });
    for (let count = 0; count < 10; count++) expect((await change()).body.code).toBe("email_taken");
    expectLimited(await change(), 60 * 60);
  });

  test("one client address sends at most 60 submissions an hour, valid or not", async () => {
    const owner = await api.signUp();
    const link = linkOf(await sendEnvelope(owner));
    const responses = await Promise.all(
      Array.from({ length: 60 }, () => api.anonymous().post(link, new FormData())),
    );
    expect(responses.map(({ body }) => body.code)).toEqual(Array(60).fill("nothing_to_submit"));
    const other = linkOf(await sendEnvelope(owner));
    expectLimited(await api.anonymous().post(other, form({ Contract: pdfFile() })), 60 * 60);
    await api.setClock(later(60));
    expect((await api.anonymous().post(other, form({ Contract: pdfFile() }))).status).toBe(201);
    await api.setClock(TEST_START);
  }, 240_000);

  test("one client address reads links at most 600 times an hour", async () => {
    for (let count = 0; count < 600; count += 50) {
      const responses = await Promise.all(
        Array.from({ length: 50 }, () => api.anonymous().get("/api/submissions/unknown")),
      );
      for (const { status } of responses) expect(status).toBe(404);
    }
    for (const path of ["/api/submissions/unknown", "/api/submissions/unknown/picture"])
      expectLimited(await api.anonymous().get(path), 60 * 60);
  }, 240_000);

  test("one client address registers at most 60 accounts an hour", async () => {
    await api.setClock(later(120));
    const register = (index: number) =>
      api.anonymous().post("/api/register", { email: `many${index}@example.com`, password: "secret" });
    const responses = await Promise.all(Array.from({ length: 60 }, (_, index) => register(index)));
    expect(responses.map(({ status }) => status)).toEqual(Array(60).fill(201));
    expectLimited(await register(60), 60 * 60);
    await api.setClock(later(180));
    expect((await register(61)).status).toBe(201);
    await api.setClock(TEST_START);
  }, 240_000);

  test("what any page can have a browser send uses up no registrations", async () => {
    const headers = { "x-test-address": "198.51.100.77" };
    const client = api.anonymous();
    for (let count = 0; count < 61; count++) {
      const { status } = await client.send("GET", `/api/auth/google/callback?x=${count}`, undefined, headers);
      expect(status).not.toBe(429);
    }
    const credentials = { email: "office@example.com", password: "secret" };
    expect((await client.send("POST", "/api/register", credentials, headers)).status).toBe(201);
  });

  test("after a hundred failed sign-ins a client address is rejected for every account; successes do not count", async () => {
    await api.setClock(later(300));
    const alice = await api.signUp();
    const signIn = (email: string, password: string) =>
      api.anonymous().post("/api/login", { email, password });
    const failing = async (index: number) => (await signIn(`spray${index}@example.com`, "guess")).status;
    for (let count = 0; count < 110; count += 1)
      expect((await signIn(alice.email, alice.password)).status).toBe(200);
    for (let index = 0; index < 100; index += 10) {
      const tries = Array.from({ length: 10 }, (_, offset) => failing(index + offset));
      expect(await Promise.all(tries)).toEqual(Array(10).fill(401));
    }
    expectLimited(await signIn("another@example.com", "guess"), 15 * 60);
    const another = "select count from rate_limits where key like '%another@example.com%'";
    expect(await api.select(another)).toEqual([]);
    expectLimited(await signIn(alice.email, alice.password), 15 * 60);
    expect((await alice.get("/api/user")).status).toBe(200);
    await api.setClock(later(315));
    expect((await signIn(alice.email, alice.password)).status).toBe(200);
    await api.setClock(TEST_START);
  }, 240_000);

  test("one client can request at most 30 reset mails an hour, and the response does not reveal the limit", async () => {
    await api.setClock(later(600));
    const accounts = await Promise.all(Array.from({ length: 8 }, () => api.signUp()));
    for (const { email } of accounts)
      for (let count = 0; count < 4; count++)
        expect((await api.anonymous().post("/api/password/forgot", { email })).status).toBe(204);
    const since = later(600);
    const resets = await api.select(
      `select id from notifications where kind = 'password_reset' and created_at = '${since}'`,
    );
    expect(resets).toHaveLength(30);
    await api.setClock(TEST_START);
  });

  test("of many concurrent sign-ins only as many are checked as may fail, and successes do not count", async () => {
    await api.setClock(later(700));
    const alice = await api.signUp();
    const signIn = (password: string) => api.anonymous().post("/api/login", { email: alice.email, password });
    const statuses = async (password: string) => {
      const responses = await Promise.all(Array.from({ length: 40 }, () => signIn(password)));
      return responses.map(({ status }) => status);
    };
    // Under Bun, one is hashed and four wait.
    const right = await statuses(alice.password);
    expect(right.filter((status) => status === 200).length).toBeGreaterThanOrEqual(5);
    expect(right.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect((await signIn(alice.password)).status).toBe(200);
    const wrong = [...(await statuses("guess")), ...(await statuses("guess")), ...(await statuses("guess"))];
    expect(wrong.filter((status) => status === 401)).toHaveLength(10);
    expect(wrong.filter((status) => status === 429)).toHaveLength(110);
    expectLimited(await signIn(alice.password), 15 * 60);
    await api.setClock(TEST_START);
  });

  test("beyond a hundred failed sign-ins of an account, unknown browsers have one try in ten seconds", async () => {
    const start = 900;
    await api.setClock(later(start));
    const alice = await api.signUp();
    const signIn = (
      password: string,
      address: string,
      { email = alice.email, client = api.anonymous() } = {},
    ) => client.send("POST", "/api/login", { email, password }, { "x-test-address": address });
    const hundredFailures = async (email: string) => {
      for (let index = 0; index < 100; index++) {
        const address = `198.51.100.${10 + Math.floor(index / 10)}`;
        expect((await signIn("guess", address, { email })).status).toBe(401);
      }
    };
    await hundredFailures(alice.email);
    const elsewhere = "198.51.100.99";
    expect((await signIn("guess", elsewhere)).status).toBe(401);
    expectLimited(await signIn(alice.password, elsewhere), 10);
    expect((await signIn(alice.password, elsewhere, { client: alice })).status).toBe(200);
    const stolen = api.anonymous();
    const proofs = alice.knownBrowser().replace(/=\d+/, "=1");
    const forged = await stolen.send(
      "POST",
      "/api/login",
      { email: alice.email, password: alice.password },
      { cookie: proofs, "x-test-address": elsewhere },
    );
    expectLimited(forged, 10);
    await api.setClock(later(start + 10 / 60));
    expect((await signIn(alice.password, elsewhere)).status).toBe(200);
    expectLimited(await signIn(alice.password, elsewhere), 10);

    // A known browser has ten tries from its address, as any other.
    for (let count = 0; count < 10; count++)
      expect((await signIn("guess", "198.51.100.98", { client: alice })).status).toBe(401);
    expectLimited(await signIn(alice.password, "198.51.100.98", { client: alice }), 15 * 60);

    // An account that does not exist cannot be told apart.
    await hundredFailures("unknown@example.org");
    expect((await signIn("guess", elsewhere, { email: "unknown@example.org" })).status).toBe(401);
    expectLimited(await signIn("guess", elsewhere, { email: "unknown@example.org" }), 10);
    await api.setClock(TEST_START);
  }, 240_000);

  test("answers of a link are kept 600 times an hour, those that are rejected included, apart from its reads", async () => {
    await api.setClock(later(24 * 60));
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { documents: [{ name: "Children", kind: "number" }] });
    const recipient = api.anonymous();
    const keep = (value: unknown) =>
      recipient.put(`${linkOf(envelope)}/answers`, { answers: { [envelope.documents[0].id]: value } });
    const rejected = await Promise.all(Array.from({ length: 20 }, () => keep("x")));
    expect(rejected.map(({ status }) => status)).toEqual(Array(20).fill(400));
    const counter = "from rate_limits where key like 'answer:%'";
    expect(await api.select(`select count ${counter}`)).toEqual([{ count: 20 }]);
    await api.execute(`update rate_limits set count = 599 where key in (select key ${counter})`);
    expect((await keep(2)).status).toBe(204);
    expectLimited(await keep(3), 60 * 60);
    const { body } = await recipient.get(linkOf(envelope));
    expect(body.documents[0].answer).toBe("2");
  }, 240_000);
});
