import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";

const TRIES = 5;

describeApi("the time of a rejected sign-in", { realPasswordCost: true }, (api) => {
  test("an unknown account takes as long as a wrong password", async () => {
    const { email } = await api.signUp();
    const timed = async (address: string) => {
      const started = performance.now();
      const input = { email: address, password: "not this one" };
      expect((await api.anonymous().post("/api/login", input)).status).toBe(401);
      return performance.now() - started;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let index = 0; index < TRIES; index++) {
      known.push(await timed(email));
      unknown.push(await timed("nobody@example.com"));
    }
    // Without the hash it would take a twentieth of the time; the tolerance allows for load on the machine.
    expect(Math.min(...unknown) / Math.min(...known)).toBeGreaterThan(0.2);
  }, 240_000);
});
