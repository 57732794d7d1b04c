import { expect, setDefaultTimeout, test } from "bun:test";
import { eq } from "drizzle-orm";
import { runBatch } from "../../db/client";
import {
  listDueEnvelopes,
  planDueEnvelopes,
  stopManyScheduled,
  stopScheduledOf,
} from "../../db/queries/scheduled-envelopes";
import { pauseRenewalsOf } from "../../db/queries/suspect-renewals";
import { envelopes } from "../../db/schema";
import { sendScheduledEnvelopes } from "../../worker/jobs/scheduled-envelopes";
import { createClient } from "../support/api/client";
import { sendEnvelope } from "../support/api/envelopes";
import { startBunRuntime } from "../support/runtime/bun-runtime";

setDefaultTimeout(30_000);

const LATER = { sendOn: "2026-04-01" };
const DUE = "2026-04-01T09:00:00.000Z";

test("runs of two processes at once send each envelope once, of all accounts in turn; one that was killed is followed", async () => {
  const runtime = await startBunRuntime();
  const signUp = async (name: string) => {
    const client = createClient(runtime);
    await client.post("/api/register", { email: `${name}@example.com`, password: "long enough" });
    return client;
  };
  const [ada, ben] = [await signUp("ada"), await signUp("ben")];
  const recipients = Array.from({ length: 60 }, (_, index) => `r${index}@example.com`);
  for (const recipientEmail of recipients) await sendEnvelope(ada, { ...LATER, recipientEmail });
  const last = await sendEnvelope(ben, { ...LATER, recipientEmail: "last@example.com" });
  await runtime.setClock(DUE);
  const { db } = runtime.deps;
  const page = await listDueEnvelopes(db, DUE, { limit: 2 });
  expect(page.map(({ id }) => id)).toContain(last.id);
  // A process that has claimed one and was killed.
  const [{ id = 0, sendAt: due = null } = {}] = page;
  const claimedUntil = "2026-04-01T09:05:00.000Z";
  expect(await planDueEnvelopes(db, [{ id, due, sendAt: DUE, claimedUntil }], DUE)).toEqual(new Set([id]));
  expect(await planDueEnvelopes(db, [{ id, due, sendAt: DUE, claimedUntil }], DUE)).toEqual(new Set());
  await Promise.all([sendScheduledEnvelopes(runtime.deps), sendScheduledEnvelopes(runtime.deps)]);
  const invited = async () =>
    (await runtime.select("select recipient from notifications where kind = 'invitation'")).map(
      ({ recipient }) => recipient,
    );
  expect(await invited()).toHaveLength(recipients.length);
  await runtime.setClock("2026-04-01T09:05:00.001Z");
  await Promise.all([sendScheduledEnvelopes(runtime.deps), sendScheduledEnvelopes(runtime.deps)]);
  expect((await invited()).sort()).toEqual([...recipients, "last@example.com"].sort());
  expect(await runtime.select("select id from envelope_events where kind = 'sent'")).toHaveLength(61);
  await runtime.stop();
});

test("what a suspect account has asked for again is paused in parts, however much others have", async () => {
  const runtime = await startBunRuntime();
  const client = createClient(runtime);
  await client.post("/api/register", { email: "ada@example.com", password: "long enough" });
  const own = await sendEnvelope(client, { documents: [{ name: "Passport" }] });
  const other = await sendEnvelope(client, { documents: [{ name: "Passport" }] });
  await runtime.execute(`update envelopes set created_by = null, updated_by = null where id = ${other.id}`);
  const add = (envelopeId: number, count: number) =>
    runtime.execute(
      `insert into envelope_documents (envelope_id, position, name, allowed_file_types, workspace_id, valid_until, renew_on)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
       select ${envelopeId}, i, 'Visa', '[]', 1, date('2026-05-01', '+' || (i % 9) || ' days'), '2026-04-01' from n`,
    );
  await add(other.id, 4500);
  await add(own.id, 7);
  let turns = 0;
  const takeTurn = async () => {
    turns += 1;
  };
  await pauseRenewalsOf(runtime.deps.db, 1, { now: DUE, takeTurn });
  await pauseRenewalsOf(runtime.deps.db, 1, { now: DUE, takeTurn });
  expect(turns).toBe(6);
  const paused = await runtime.select(
    "select envelope_id as id, count(*) as documents from envelope_documents where renewal_paused group by 1",
  );
  expect(paused).toEqual([{ id: own.id, documents: 7 }]);
  expect(await runtime.select("select count(*) as told from schedule_news")).toEqual([{ told: 7 }]);
  await runtime.stop();
});

test("what a suspect account has scheduled becomes drafts in parts, so that nobody waits", async () => {
  const runtime = await startBunRuntime();
  const client = createClient(runtime);
  await client.post("/api/register", { email: "ada@example.com", password: "long enough" });
  await sendEnvelope(client, LATER);
  const columns = (await runtime.select("select name from pragma_table_info('envelopes')"))
    .map(({ name }) => String(name))
    .filter((name) => name !== "id" && name !== "submission_token");
  await runtime.execute(
    `insert into envelopes (${columns}, submission_token) select ${columns}, value from envelopes, json_each('${JSON.stringify(Array.from({ length: 1199 }, (_, index) => `token ${index}`))}')`,
  );
  const { db } = runtime.deps;
  const left = () => db.$count(envelopes, eq(envelopes.status, "scheduled"));
  const seen: number[] = [];
  const takeTurn = async () => void seen.push(await left());
  await stopManyScheduled(db, 1, { now: DUE, takeTurn });
  expect([...seen, await left()]).toEqual([1200, 700, 200]);
  await runBatch(db, stopScheduledOf(db, 1, DUE));
  expect(await left()).toBe(0);
  expect(await runtime.select("select count(*) as told from schedule_news")).toEqual([{ told: 1200 }]);
  await runtime.stop();
});
