import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Database } from "../../db/client";
import { createApp } from "../../worker/app";
import { createClient } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";

let runtime: Awaited<ReturnType<typeof startBunRuntime>>;
/** Runs instead of each batch. */
let runBatch: (run: () => Promise<unknown>, statements: readonly unknown[]) => Promise<unknown>;
let fetch: (request: Request) => Promise<Response>;
const untouched: typeof runBatch = (run) => run();

beforeAll(async () => {
  runtime = await startBunRuntime();
  const db = new Proxy(runtime.deps.db, {
    get(target, name) {
      if (name !== "batch") return Reflect.get(target, name);
      return (...given: Parameters<Database["batch"]>) => runBatch(() => target.batch(...given), given[0]);
    },
  });
  const app = createApp({ ...runtime.deps, db });
  fetch = async (request) => app.fetch(request, { clientAddress: "203.0.113.1" });
});
afterAll(() => runtime.stop());

async function signUp(email: string) {
  runBatch = untouched;
  const owner = createClient({ fetch, origin: runtime.origin });
  expect((await owner.post("/api/register", { email, password: "a long password" })).status).toBe(201);
  // Its mail has batches, too.
  await runtime.finishBackgroundWork();
  return owner;
}

async function lose(run: () => Promise<unknown>): Promise<never> {
  await run();
  throw new Error("The connection was lost");
}

test("files with committed rows are not removed, even if the database's response was lost", async () => {
  const owner = await signUp("owner@example.com");
  const envelope = await sendEnvelope(owner);

  runBatch = (run, statements) => (statements.length > 2 ? lose(run) : run());
  const response = await createClient({ fetch, origin: runtime.origin }).post(
    linkOf(envelope),
    form({ Contract: pdfFile() }),
  );
  expect(response.status).toBe(500);
  runBatch = untouched;
  const { body } = await owner.get(`/api/requests/${envelope.id}`);
  expect(body.status).toBe("completed");
  expect((await owner.get(body.submissions[0].url)).status).toBe(200);
});

test("a call with an Idempotency-Key creates nothing twice, even if the database's response was lost", async () => {
  const owner = await signUp("keyed@example.com");
  const create = () =>
    owner.send("POST", "/api/contacts", { firstName: "Ada" }, { "idempotency-key": "one" });
  runBatch = lose;
  expect((await create()).status).toBe(500);
  runBatch = untouched;
  const again = await create();
  expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
  expect((await owner.get("/api/contacts")).body).toEqual([again.body]);
});

test("a call that was repeated while it was slow creates nothing any more", async () => {
  const owner = await signUp("slow@example.com");
  const create = () =>
    owner.send("POST", "/api/contacts", { firstName: "Ada" }, { "idempotency-key": "one" });
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  runBatch = async (run) => {
    reached.resolve();
    await released.promise;
    return run();
  };
  const slow = create();
  await reached.promise;
  runBatch = untouched;
  await runtime.setClock(new Date(runtime.deps.clock.now().getTime() + 2 * 60 * 1000).toISOString());
  const fast = await create();
  released.resolve();
  expect([fast.status, (await slow).body.code]).toEqual([201, "idempotency_running"]);
  expect((await owner.get("/api/contacts")).body).toEqual([fast.body]);
  expect((await create()).text).toBe(fast.text);
});
