import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { restartReminders } from "../../db/queries/schedule";
import { createClient } from "../support/api/client";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { TEST_START } from "../support/runtime/runtime";

const EARLIER = "2026-01-01T00:00:00.000Z";

const numbers = (rows: number) =>
  sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) select i from n)`;

test("many reminders and files to delete keep back no other job, and the next runs do the rest once", async () => {
  const runtime = await startBunRuntime({ rateLimits: "off" });
  const { deps } = runtime;
  const { db } = deps;
  const owner = createClient(runtime);
  const account = { email: "owner@example.com", password: "a secret" };
  const { id: userId } = (await owner.post("/api/register", account)).body;
  const [{ id: workspaceId }] = (await owner.get("/api/workspaces")).body;
  await db.run(sql`update workspaces set retention_days = 30`);
  const columns = sql`user_id, workspace_id, title, description, customer_email, submission_token, status, created_at, updated_at`;
  const valuesOf = (kind: string, status: string) =>
    sql`${userId}, ${workspaceId}, 'T', 'm', 'p@example.com', ${kind} || i, ${status}, ${EARLIER}, ${EARLIER}`;
  await db.run(sql`insert into envelopes (${columns}, reminder_frequency, sent_at, next_reminder_at)
    select ${valuesOf("open", "pending")}, 'daily', '2026-03-13T09:26:53.000Z', ${TEST_START} from ${numbers(60)}`);
  await db.run(sql`insert into envelopes (${columns}, completed_at, deletion_announced_at, deletion_noticed_at)
    select ${valuesOf("done", "completed")}, ${EARLIER}, ${EARLIER}, ${EARLIER} from ${numbers(25)}`);
  await db.run(
    sql`insert into file_deletions (key, removed_at) select 'gone' || i, ${EARLIER} from ${numbers(250)}`,
  );
  const state = () =>
    db.get(sql`select (select count(*) from notifications where kind = 'reminder') as reminders,
      (select count(distinct envelope_id) from envelope_events where kind = 'files_deleted') as deleted,
      (select count(*) from file_deletions) as files,
      (select count(*) from job_runs where job in ('deleteRetainedFiles', 'cleanStore')) as done`);
  // What goes on behind the jobs ends at once.
  deps.stopping = AbortSignal.abort();
  const states: unknown[] = [];
  for (let run = 0; run < 5; run += 1) {
    await runtime.runJobs();
    await runtime.finishBackgroundWork();
    states.push(await state());
  }
  expect(states).toEqual([
    { reminders: 25, deleted: 10, files: 150, done: 1 },
    { reminders: 50, deleted: 20, files: 50, done: 1 },
    { reminders: 60, deleted: 25, files: 0, done: 1 },
    { reminders: 60, deleted: 25, files: 0, done: 2 },
    { reminders: 60, deleted: 25, files: 0, done: 2 },
  ]);
  await runtime.stop();
});

test("reminders that were put off while the clock was ahead are made due behind others that stay as they are", async () => {
  const runtime = await startBunRuntime();
  const { db } = runtime.deps;
  const owner = createClient(runtime);
  await owner.post("/api/register", { email: "owner@example.com", password: "a secret" });
  const put = (kind: string, rows: number, next: string) =>
    db.run(sql`insert into envelopes (user_id, workspace_id, title, description, customer_email, submission_token, status, created_at, updated_at, reminder_frequency, sent_at, next_reminder_at)
      select workspaces.user_id, workspaces.id, 'T', 'm', 'p@example.com', ${kind} || i, 'pending', ${EARLIER}, ${EARLIER}, ${kind}, ${EARLIER}, ${next} from workspaces, ${numbers(rows)}`);
  await put("none", 450, "2028-01-01T09:00:00.000Z");
  await put("daily", 50, "2027-01-01T09:00:00.000Z");
  const takeTurn = async () => {};
  await restartReminders(db, { now: TEST_START, latest: "2026-05-01T09:00:00.000Z", takeTurn });
  const due = sql`select reminder_frequency as kind, count(*) as count from envelopes where next_reminder_at = ${TEST_START} group by 1`;
  expect(await db.all(due)).toEqual([{ kind: "daily", count: 50 }]);
  await runtime.stop();
});
