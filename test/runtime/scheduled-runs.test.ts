import { expect, test } from "bun:test";
import { listDueEnvelopes, planDueEnvelopes } from "../../db/queries/scheduled-envelopes";
import { sendScheduledEnvelopes } from "../../worker/jobs/scheduled-envelopes";
import { createClient } from "../support/api/client";
import { sendEnvelope } from "../support/api/envelopes";
import { startBunRuntime } from "../support/runtime/bun-runtime";

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
  const page = await listDueEnvelopes(db, DUE, 2);
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

test("a run without anything that is due reads no row", async () => {
  const runtime = await startBunRuntime();
  const client = createClient(runtime);
  await client.post("/api/register", { email: "ada@example.com", password: "long enough" });
  await sendEnvelope(client, LATER);
  const plan = await runtime.select(
    "explain query plan select id from envelopes where status = 'scheduled' and send_at <= '2026-03-15'",
  );
  expect(JSON.stringify(plan)).toContain("envelopes_scheduled (send_at<?)");
  await runtime.stop();
});
