import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { runBatch } from "../../db/client";
import { switchOffAllWebhooks } from "../../db/queries/webhooks";
import { createClient } from "../support/api/client";
import { longestBlock } from "../support/loop/watch-loop";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { TEST_START } from "../support/runtime/runtime";

/** What these tests are about took several times as long; now it takes some tens. */
const BOUND_MS = 150;

const numbers = (rows: number) =>
  sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) select i from n)`;

async function start() {
  const runtime = await startBunRuntime({ rateLimits: "off" });
  const { db } = runtime.deps;
  const owner = createClient(runtime);
  const account = { email: "owner@example.com", password: "a secret" };
  const userId: number = (await owner.post("/api/register", account)).body.id;
  const workspaceId: number = (await owner.get("/api/workspaces")).body[0].id;
  return { runtime, db, owner, userId, workspaceId };
}

test("webhooks for which a hundred thousand messages wait end without keeping anybody waiting", async () => {
  const { runtime, db, owner, userId } = await start();
  const hook = { url: "https://example.com/in", events: ["request.deleted"] };
  const ids: number[] = [];
  for (let count = 0; count < 10; count++) ids.push((await owner.post("/api/webhooks", hook)).body.id);
  await db.run(sql`insert into webhook_deliveries (webhook_id, user_id, message_id, event, at, next_attempt_at, created_at)
    select id, ${userId}, id || '-' || i, 'request.deleted', ${TEST_START}, '2099', ${TEST_START} from webhooks, ${numbers(10_000)}`);
  const blocks = [
    await longestBlock(() => owner.patch(`/api/webhooks/${ids[0]}`, { enabled: false })),
    await longestBlock(() => owner.delete(`/api/webhooks/${ids[1]}`)),
    await longestBlock(() => runBatch(db, switchOffAllWebhooks(db, userId))),
  ];
  expect(blocks.filter((milliseconds) => milliseconds >= BOUND_MS)).toEqual([]);
  await runtime.stop();
}, 60_000);
