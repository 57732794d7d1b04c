import { afterAll, beforeAll, expect, test } from "bun:test";
import { createClient } from "../support/api";
import { startBunRuntime } from "../support/bun-runtime";

let runtime: Awaited<ReturnType<typeof startBunRuntime>>;

beforeAll(async () => {
  runtime = await startBunRuntime({ rateLimits: "on" });
});
afterAll(() => runtime.stop());

test("of 130 concurrent sign-ins one is hashed at a time, reads are not delayed, and the last get Retry-After", async () => {
  const reader = createClient(runtime);
  const password = "a long password";
  await reader.post("/api/register", { email: "ada@example.com", password });
  const { passwordHasher } = runtime.deps;
  const first = Promise.withResolvers<void>();
  const readDone = Promise.withResolvers<void>();
  let [running, most, hashed] = [0, 0, 0];
  runtime.deps.passwordHasher = {
    ...passwordHasher,
    async verify(given, hash) {
      running += 1;
      hashed += 1;
      most = Math.max(most, running);
      first.resolve();
      await readDone.promise;
      const matches = await passwordHasher.verify(given, hash);
      running -= 1;
      return matches;
    },
  };
  const signIns = Array.from({ length: 130 }, () =>
    createClient(runtime).post("/api/login", { email: "ada@example.com", password: "guess" }),
  );
  await first.promise;
  expect((await reader.get("/api/requests")).status).toBe(200);
  expect(hashed).toBe(1);
  readDone.resolve();
  const answers = await Promise.all(signIns);
  const having = (status: number) => answers.filter((answer) => answer.status === status);
  expect([having(401).length, having(429).length, having(503).length]).toEqual([10, 55, 65]);
  expect([most, hashed]).toEqual([1, 10]);
  for (const { headers } of having(503)) expect(headers.get("retry-after")).toBe("10");
  for (const { headers } of having(429)) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
});
