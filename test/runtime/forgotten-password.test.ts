import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { forgotPassword } from "../../worker/features/auth/auth.service";
import { createClient } from "../support/api/client";
import { startBunRuntime } from "../support/runtime/bun-runtime";

test("the response to a forgotten password waits for nothing that only an address with an account needs", async () => {
  const runtime = await startBunRuntime({ rateLimits: "on" });
  const { db } = runtime.deps;
  const email = "owner@example.com";
  const newEmail = "new@example.com";
  const owner = createClient(runtime);
  await owner.post("/api/register", { email, password: "a secret" });
  await runtime.finishBackgroundWork();
  const tasks: (() => Promise<unknown>)[] = [];
  const run = (_name: string, task: (stopping: AbortSignal) => Promise<unknown>) =>
    void tasks.push(() => task(new AbortController().signal));
  const forgot = (address: string) =>
    forgotPassword({ ...runtime.deps, background: { run } }, address, "192.0.2.1");
  const written = () =>
    db.all(
      sql`select (select count(*) from password_resets) as links, (select count(*) from notifications where kind <> 'verification') as mails`,
    );
  const counted = () => db.all(sql`select count from rate_limits where key like 'reset-mail%'`);
  await forgot("nobody@example.com");
  expect([tasks.length, (await counted()).length]).toEqual([0, 1]);
  await forgot(email);
  expect([await written(), (await counted()).length]).toEqual([[{ links: 0, mails: 0 }], 2]);
  await tasks.shift()?.();
  expect(await written()).toEqual([{ links: 1, mails: 1 }]);
  tasks.length = 0;

  await db.run(sql`update users set is_verified = 1, pending_email = ${newEmail}`);
  await forgot(newEmail);
  expect(await written()).toEqual([{ links: 1, mails: 1 }]);
  await tasks.shift()?.();
  expect(await written()).toEqual([{ links: 1, mails: 2 }]);
  await runtime.stop();
});
