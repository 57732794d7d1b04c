import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { RateLimiter } from "../../worker/ports/rate-limiter";
import type { MemoryClock } from "../support/memory/memory-clock";

export type OpenLimiter = { limiter: RateLimiter; clock: MemoryClock; close(): unknown };

const RULE = { name: "try", limit: 3, seconds: 600 };
const OTHER_RULE = { name: "other", limit: 1, seconds: 60 };

/** The contract of every rate limiter that counts exactly. */
export function rateLimiterSuite(name: string, open: () => Promise<OpenLimiter>): void {
  describe(`rate limiter: ${name}`, () => {
    let opened: OpenLimiter;
    let subjects = 0;
    const next = () => `subject-${++subjects}`;
    const allowed = async (subject: string, rule = RULE) => (await opened.limiter.hit(rule, subject)).allowed;

    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    test("exactly as many attempts as the rule says are allowed", async () => {
      const subject = next();
      const verdicts = [];
      for (let tries = 0; tries < 5; tries += 1) verdicts.push(await allowed(subject));
      expect(verdicts).toEqual([true, true, true, false, false]);
    });

    test("a rejection says how long the window still lasts", async () => {
      const subject = next();
      for (let tries = 0; tries < 3; tries += 1) await allowed(subject);
      opened.clock.advance(100);
      expect(await opened.limiter.hit(RULE, subject)).toEqual({ allowed: false, retryAfterSeconds: 500 });
    });

    test("the window begins with the first attempt; rejected attempts do not extend it", async () => {
      const subject = next();
      for (let tries = 0; tries < 10; tries += 1) {
        await allowed(subject);
        opened.clock.advance(59);
      }
      expect(await allowed(subject)).toBe(false);
      opened.clock.advance(10);
      expect(await allowed(subject)).toBe(true);
    });

    test("a window that began before the clock was set back is over", async () => {
      const subject = next();
      opened.clock.advance(86_400);
      for (let tries = 0; tries < 4; tries += 1) await allowed(subject);
      expect(await allowed(subject)).toBe(false);
      opened.clock.advance(-86_400);
      expect(await allowed(subject)).toBe(true);
    });

    test("subjects and rules are counted apart", async () => {
      const [one, other] = [next(), next()];
      expect(await allowed(one, OTHER_RULE)).toBe(true);
      expect(await allowed(one, OTHER_RULE)).toBe(false);
      expect(await allowed(other, OTHER_RULE)).toBe(true);
      expect(await allowed(one)).toBe(true);
    });

    test("several attempts are counted at once, equal ones each, and can be refunded", async () => {
      const [one, other] = [next(), next()];
      const attempts = [
        { rule: RULE, subject: one },
        { rule: RULE, subject: one },
        { rule: OTHER_RULE, subject: other },
      ];
      const allowedAll = async () =>
        (await opened.limiter.hitAll(attempts)).map((verdict) => verdict.allowed);
      expect(await allowedAll()).toEqual([true, true, true]);
      expect((await allowedAll()).slice(1)).toEqual([false, false]);
      await opened.limiter.refundAll(attempts);
      await opened.limiter.refundAll(attempts);
      expect(await allowedAll()).toEqual([true, true, true]);
      expect(await opened.limiter.hitAll([])).toEqual([]);
    });

    test("a refunded attempt does not count", async () => {
      const subject = next();
      for (let tries = 0; tries < 10; tries += 1) {
        expect(await allowed(subject)).toBe(true);
        await opened.limiter.refund(RULE, subject);
      }
    });

    test("a refund without an attempt has no effect", async () => {
      const subject = next();
      for (let times = 0; times < 5; times += 1) await opened.limiter.refund(RULE, subject);
      for (let tries = 0; tries < 3; tries += 1) await allowed(subject);
      expect(await allowed(subject)).toBe(false);
    });

    test("of many concurrent attempts exactly as many as allowed pass", async () => {
      const subject = next();
      const verdicts = await Promise.all(Array.from({ length: 20 }, () => allowed(subject)));
      expect(verdicts.filter(Boolean)).toHaveLength(3);
    });
  });
}
