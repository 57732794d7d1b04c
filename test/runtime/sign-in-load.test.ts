import { afterAll, beforeAll, expect, test } from "bun:test";
import type { PasswordHasher } from "../../worker/ports/crypto";
import { type Client, createClient } from "../support/api/client";
import { startBunRuntime } from "../support/runtime/bun-runtime";

const PASSWORD = "a long password";
const ATTACKER = "198.51.100.1";

let runtime: Awaited<ReturnType<typeof startBunRuntime>>;
let hasher: PasswordHasher;
let accounts = 0;

beforeAll(async () => {
  runtime = await startBunRuntime({ rateLimits: "on" });
  hasher = runtime.deps.passwordHasher;
});
afterAll(() => runtime.stop());

async function signUp() {
  accounts += 1;
  const client = createClient(runtime);
  const email = `person${accounts}@example.com`;
  expect((await client.post("/api/register", { email, password: PASSWORD })).status).toBe(201);
  return { client, email };
}

const signIn = (
  email: string,
  { client = createClient(runtime), address = ATTACKER, password = PASSWORD } = {},
) => client.send("POST", "/api/login", { email, password }, { "x-test-address": address });

/** Holds the first hash until `release`, and records the passwords that are hashed, in order. */
function holdHashes() {
  const first = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const hashed: string[] = [];
  let [running, most] = [0, 0];
  runtime.deps.passwordHasher = {
    ...hasher,
    async verify(given, hash) {
      running += 1;
      most = Math.max(most, running);
      hashed.push(given);
      first.resolve();
      await released.promise;
      const matches = await hasher.verify(given, hash);
      running -= 1;
      return matches;
    },
  };
  return { hashed, begun: first.promise, release: () => released.resolve(), most: () => most };
}

const statusOf = (responses: { status: number }[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(responses, ({ status }) => status)).map(([status, list]) => [
      status,
      list?.length,
    ]),
  );

/** Waits until the sign-ins sent before have reached the queue. */
const reachQueue = (client: Client) => client.get("/api/user");

test("of 130 concurrent sign-ins of one account five are hashed, one at a time, and reads are not delayed", async () => {
  const { client, email } = await signUp();
  const { hashed, begun, release, most } = holdHashes();
  const signIns = Array.from({ length: 130 }, () => signIn(email, { password: "guess" }));
  await begun;
  expect((await client.get("/api/requests")).status).toBe(200);
  expect(hashed).toHaveLength(1);
  release();
  const responses = await Promise.all(signIns);
  expect(statusOf(responses)).toEqual({ 401: 5, 429: 125 });
  expect([most(), hashed.length]).toEqual([1, 5]);
  for (const { status, headers } of responses)
    if (status === 429) expect(headers.get("retry-after")).toBe("1");
});

test("90 correct sign-ins of one account delay somebody else's by one hash at most, even at the same address", async () => {
  const [ada, bea] = [await signUp(), await signUp()];
  const { hashed, begun, release } = holdHashes();
  const many = Array.from({ length: 90 }, () => signIn(ada.email));
  await begun;
  await reachQueue(ada.client);
  const other = signIn(bea.email, { password: "bea's" });
  await reachQueue(bea.client);
  release();
  expect((await other).status).toBe(401);
  expect(hashed.indexOf("bea's")).toBe(1);
  const correct = statusOf(await Promise.all(many));
  expect(correct).toEqual({ 200: 5, 429: 85 });
});

test("sign-ins to a hundred unknown accounts keep out nobody at another address, and no known browser at theirs", async () => {
  const [ada, bea] = [await signUp(), await signUp()];
  const { hashed, begun, release } = holdHashes();
  const many = Array.from({ length: 99 }, (_, index) =>
    signIn(`unknown${index}@example.com`, { password: "guess" }),
  );
  await begun;
  await reachQueue(ada.client);
  const elsewhere = signIn(ada.email, { address: "198.51.100.2" });
  const known = signIn(bea.email, { client: bea.client });
  await reachQueue(ada.client);
  release();
  expect([(await elsewhere).status, (await known).status]).toEqual([200, 200]);
  expect(hashed.indexOf(PASSWORD)).toBe(1);
  expect(hashed.lastIndexOf(PASSWORD)).toBeLessThanOrEqual(3);
  const { 401: failed = 0, 503: rejected = 0 } = statusOf(await Promise.all(many));
  expect(failed + rejected).toBe(99);
  expect(failed).toBeGreaterThan(50);
});

test("sign-ins from a hundred addresses at once keep out nobody in a browser that they have signed in with", async () => {
  const [ada, bea] = [await signUp(), await signUp()];
  const { begun, release } = holdHashes();
  const many = Array.from({ length: 100 }, (_, index) =>
    signIn(`stranger${index}@example.com`, { address: `203.0.113.${index}`, password: "guess" }),
  );
  await begun;
  await reachQueue(ada.client);
  const known = signIn(ada.email, { client: ada.client });
  const confirmed = bea.client.post("/api/reauthenticate", { password: PASSWORD });
  await reachQueue(bea.client);
  release();
  expect([(await known).status, (await confirmed).status]).toEqual([200, 204]);
  await Promise.all(many);
});
