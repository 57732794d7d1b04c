import { expect, setDefaultTimeout, test } from "bun:test";
import { clientAddress } from "../../worker/adapters/cloudflare/client-address";
import { withBurstGuard } from "../../worker/adapters/cloudflare/rate-limiter";
import { createMemoryRateLimiter } from "../../worker/adapters/shared/rate-limiters";
import type { RateAttempt, RateRule } from "../../worker/ports/rate-limiter";
import { createMemoryClock } from "../support/memory/memory-clock";
import { startInstance } from "../support/runtime/workerd";
import { rateLimiterSuite } from "./rate-limiter-suite";

setDefaultTimeout(240_000);

rateLimiterSuite("D1 in workerd", async () => {
  const { command } = await startInstance({ rateLimits: "on" });
  const clock = createMemoryClock();
  const call = (name: string, rule: RateRule, subject: string) =>
    command(name, JSON.stringify({ rule, subject, now: clock.now() }));
  const callAll = (name: string, attempts: readonly RateAttempt[]) =>
    command(name, JSON.stringify({ attempts, now: clock.now() }));
  const limiter = {
    hit: (rule: RateRule, subject: string) => call("hit", rule, subject),
    refund: async (rule: RateRule, subject: string) => void (await call("refund", rule, subject)),
    hitAll: (attempts: readonly RateAttempt[]) => callAll("hitAll", attempts),
    refundAll: async (attempts: readonly RateAttempt[]) => void (await callAll("refundAll", attempts)),
  };
  return { limiter, clock, close: () => {} };
});

test("a burst that the binding stops is rejected, and one over the limit does not reach it", async () => {
  const keys: string[] = [];
  let success = true;
  const binding = {
    async limit({ key }: { key: string }) {
      keys.push(key);
      return { success };
    },
  };
  const limiter = withBurstGuard(binding, createMemoryRateLimiter(createMemoryClock()));
  const rule = { name: "link-read", limit: 2, seconds: 3600 };
  expect(await limiter.hit(rule, "203.0.113.7")).toMatchObject({ allowed: true });
  success = false;
  expect(await limiter.hit(rule, "203.0.113.7")).toEqual({ allowed: false, retryAfterSeconds: 60 });
  expect(await limiter.hit(rule, "203.0.113.7")).toEqual({ allowed: false, retryAfterSeconds: 3600 });
  expect(keys).toEqual(["link-read:203.0.113.7", "link-read:203.0.113.7"]);
});

test("the client's address is the one that Cloudflare reports", () => {
  const from = (header?: string) =>
    new Request("https://docs.example.com/", { headers: header ? { "CF-Connecting-IP": header } : {} });
  expect(clientAddress(from("203.0.113.9"), "https://docs.example.com")).toBe("203.0.113.9");
  expect(clientAddress(from("2001:db8:1:2:3:4:5:6"), "https://docs.example.com")).toBe("2001:db8:1:2::/64");
  expect(clientAddress(from("203.0.113.9"), "http://localhost:3000")).toBe("local");
  expect(clientAddress(from(), "https://docs.example.com")).toBe("local");
});
