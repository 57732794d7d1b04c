import { afterAll, beforeAll, expect, test } from "bun:test";
import type { PasswordHasher } from "../../worker/ports/crypto";
import { createClient } from "../support/api/client";
import { form } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { pngFile } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { TEST_START } from "../support/runtime/runtime";

let runtime: Awaited<ReturnType<typeof startBunRuntime>>;
let hasher: PasswordHasher;

beforeAll(async () => {
  runtime = await startBunRuntime();
  hasher = runtime.deps.passwordHasher;
});
afterAll(() => runtime.stop());

let accounts = 0;

/** An account, and the token that resets its password. */
async function startReset() {
  accounts += 1;
  const owner = createClient(runtime);
  const credentials = { email: `stale${accounts}@example.com`, password: "the old secret" };
  await owner.post("/api/register", credentials);
  await owner.post("/api/password/forgot", { email: credentials.email });
  const [token] = await mailedTokens(runtime, "reset", credentials.email);
  const reset = () =>
    createClient(runtime).post("/api/password/reset", { token, newPassword: "a new secret" });
  return { owner, credentials, reset };
}

/** Runs `call` until its password check has succeeded, then `meanwhile`, then the rest of the call. */
async function interrupted<T>(call: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> {
  const verified = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  runtime.deps.passwordHasher = {
    ...hasher,
    inTurn: (_lane, work) => work(),
    async verify(password, hash) {
      const matches = await hasher.verify(password, hash);
      verified.resolve();
      await goOn.promise;
      return matches;
    },
  };
  const response = call();
  await verified.promise;
  await meanwhile();
  goOn.resolve();
  runtime.deps.passwordHasher = hasher;
  return response;
}

test("a sign-in that began before a reset ends without a session", async () => {
  const { credentials, reset } = await startReset();
  const client = createClient(runtime);
  const response = await interrupted(
    () => client.post("/api/login", credentials),
    async () => expect((await reset()).status).toBe(204),
  );
  expect([response.status, response.body.code, client.cookie]).toEqual([401, "invalid_credentials", ""]);
});

test("a change of the password that began before a reset does not undo it", async () => {
  const { owner, credentials, reset } = await startReset();
  const change = {
    currentPassword: credentials.password,
    newPassword: "overwritten",
    confirmPassword: "overwritten",
  };
  const response = await interrupted(() => owner.post("/api/user/change-password", change), reset);
  expect([response.status, response.body.code]).toEqual([400, "wrong_password"]);
  const login = { ...credentials, password: "a new secret" };
  expect((await createClient(runtime).post("/api/login", login)).status).toBe(200);
});

test("a call that began before a reset, and whose body arrives after it, changes nothing", async () => {
  const { owner, reset } = await startReset();
  const [workspace] = (await owner.get("/api/workspaces")).body;
  const { token } = (await owner.post("/api/tokens", { name: "Import", scope: "write" })).body;
  const keyed = { "idempotency-key": "again" };
  expect((await owner.send("POST", "/api/contacts", { firstName: "Bob" }, keyed)).status).toBe(201);
  const resetDone = Promise.withResolvers<void>();
  /** Begins a call, without its body. @returns once the body is read */
  const begin = async (path: string, body: object, headers = {}) => {
    const sent = body instanceof FormData ? new Response(body) : Response.json(body);
    const type = sent.headers.get("content-type") ?? "";
    const bytes = await sent.bytes();
    const reading = Promise.withResolvers<void>();
    const stream = new ReadableStream(
      {
        async pull(controller) {
          reading.resolve();
          await resetDone.promise;
          controller.enqueue(bytes);
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const length = { "content-type": type, "content-length": String(bytes.length) };
    const response = owner.send("POST", path, stream, { ...length, ...headers });
    await reading.promise;
    return { response };
  };
  const begun = [
    [`/api/workspaces/${workspace.id}/invitations`, { email: "accomplice@example.com", role: "owner" }],
    ["/api/webhooks", { url: "https://93.184.216.34/", events: ["request.deleted"] }],
    ["/api/workspaces", { name: "Mine" }],
    ["/api/contacts", { firstName: "Ada" }],
    ["/api/support/messages", { message: "Hello" }],
    ["/api/contacts", { firstName: "Ada" }, { authorization: `Bearer ${token}` }],
    ["/api/contacts", { firstName: "Bob" }, keyed],
    ["/api/user/avatar", form({ avatar: pngFile() })],
  ] as const;
  const calls = await Promise.all(begun.map(([path, body, headers]) => begin(path, body, headers)));
  await runtime.setClock(new Date(Date.parse(TEST_START) + 2000).toISOString());
  expect((await reset()).status).toBe(204);
  resetDone.resolve();
  const responses = await Promise.all(calls.map(({ response }) => response));
  expect(responses.map(({ status }) => status)).toEqual(begun.map(() => 401));
  await runtime.setClock(TEST_START);
});
