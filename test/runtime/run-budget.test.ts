import { expect, setDefaultTimeout, test } from "bun:test";
import { serve } from "bun";
import { createClient } from "../support/api/client";
import { startInstance } from "../support/runtime/workerd";

setDefaultTimeout(240_000);

/** D1 rejects further calls of an invocation. A message that is sent then cannot be recorded, and is sent again. */
const MAX_CALLS = 1000;
const START = Date.parse("2026-03-17T09:30:00.000Z");

async function startWithAccount() {
  const instance = await startInstance({
    rateLimits: "on",
    variables: {
      ...{ UNVERIFIED_ENVELOPES: "1000", NEW_ACCOUNT_INVITATIONS_PER_DAY: "1000", SMS_PER_DAY: "50000" },
      ...{ RECIPIENT_MESSAGES_PER_HOUR: "1000", WEBHOOK_ALLOW_PRIVATE: "on" },
    },
  });
  const client = createClient({ fetch: instance.fetch, origin: instance.publicUrl });
  await client.post("/api/register", { email: "owner@example.com", password: "correct horse" });
  await instance.command("execute", "update users set is_verified = 1");
  let minutes = 0;
  /** Runs the schedule a minute later. @returns how many calls its invocation made */
  const runJobs = async (): Promise<number> => {
    await instance.command("setClock", new Date(START + minutes++ * 60_000).toISOString());
    const before = await instance.command("roundTrips");
    await instance.command("runJobs");
    await instance.command("finishBackgroundWork");
    return (await instance.command("roundTrips")) - before;
  };
  return { instance, client, runJobs };
}

test("a run of the schedule that sends mails, text messages and webhooks stays within an invocation's calls", async () => {
  const delivered: string[] = [];
  const receiver = serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      delivered.push(request.headers.get("webhook-id") ?? "");
      return new Response("ok");
    },
  });
  const { instance, client, runJobs } = await startWithAccount();
  const hook = { url: receiver.url.href, events: ["request.sent"] };
  expect((await client.post("/api/webhooks", hook)).status).toBe(201);
  await runJobs();
  const recipients = Array.from({ length: 220 }, (_, index) => ({
    recipientName: `Person ${index}`,
    recipientEmail: `far${index}@example.com`,
    recipientPhone: `+1415555${1000 + index}`,
  }));
  const envelope = { subject: "Papers", documents: [{ name: "Contract" }], notificationPreference: "both" };
  expect((await client.post("/api/requests/bulk", { envelope, recipients })).status).toBe(202);
  await instance.command("finishBackgroundWork");
  const calls = [await runJobs()];
  // Webhooks are sent in the first run, too: the messages leave them some calls.
  expect(delivered.length).toBeGreaterThan(10);
  while (delivered.length < recipients.length && calls.length < 15) calls.push(await runJobs());
  expect(Math.max(...calls)).toBeLessThan(MAX_CALLS);
  expect(new Set(delivered).size).toBe(recipients.length);
  expect(delivered).toHaveLength(recipients.length);
  const sent = (await instance.command("mails")).map(({ to }: { to: string }) => to);
  expect(sent.filter((to: string) => to.startsWith("far")).sort()).toEqual(
    recipients.map(({ recipientEmail }) => recipientEmail).sort(),
  );
  expect(await instance.command("texts")).toHaveLength(recipients.length);
  await receiver.stop(true);
});

test("of reminders that are due at once, a run queues some and sends, and the next ones continue", async () => {
  const { instance, client, runJobs } = await startWithAccount();
  const { body } = await client.post("/api/requests", {
    recipientName: "Rita Recipient",
    recipientEmail: "rita@example.com",
    recipientPhone: "+14155551000",
    notificationPreference: "sms",
    subject: "Papers",
    documents: [{ name: "Contract" }],
    reminderFrequency: "daily",
  });
  await instance.command("finishBackgroundWork");
  const columns = (await instance.command("select", "select name from pragma_table_info('envelopes')"))
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => !/^(?:id|submission_token|recipient_phone)$/.test(name))
    .join(", ");
  await instance.command(
    "execute",
    `insert into envelopes (submission_token, recipient_phone, ${columns})
     with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
     select hex(randomblob(16)), '+1415' || (5552000 + i), ${columns} from n cross join envelopes where id = ${body.id}`,
  );
  const before = (await instance.command("texts")).length;
  const queued = async () =>
    (await instance.command("select", "select count(*) as n from notifications where kind = 'reminder'"))[0]
      .n;
  let last = 0;
  for (let run = 1; run <= 3; run += 1) {
    expect(await runJobs()).toBeLessThan(MAX_CALLS);
    expect(await queued()).toBeGreaterThan(last + 500);
    last = await queued();
  }
  const texts = (await instance.command("texts")).slice(before).map(({ to }: { to: string }) => to);
  expect(texts.length).toBeGreaterThan(200);
  expect(new Set(texts).size).toBe(texts.length);
});

test("of envelopes whose day has come at once, a run sends some, and the next ones continue", async () => {
  const { instance, client, runJobs } = await startWithAccount();
  const { body } = await client.post("/api/requests", {
    ...{ recipientName: "Rita Recipient", recipientEmail: "rita@example.com", subject: "Papers" },
    ...{ documents: [{ name: "Contract" }], sendOn: "2026-03-17", sendHour: 23 },
  });
  expect(body.status).toBe("scheduled");
  await instance.command(
    "execute",
    "update envelopes set send_hour = 9, send_at = '2026-03-17T09:00:00.000Z'",
  );
  const columns = (await instance.command("select", "select name from pragma_table_info('envelopes')"))
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => !/^(?:id|submission_token|customer_email)$/.test(name))
    .join(", ");
  await instance.command(
    "execute",
    `insert into envelopes (submission_token, customer_email, ${columns})
     with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
     select hex(randomblob(16)), 'far' || i || '@example.com', ${columns} from n cross join envelopes where id = ${body.id}`,
  );
  const sent = async () =>
    (await instance.command("select", "select count(*) as n from envelopes where status = 'pending'"))[0].n;
  let last = 0;
  for (let run = 1; run <= 3; run += 1) {
    expect(await runJobs()).toBeLessThan(MAX_CALLS);
    expect(await sent()).toBeGreaterThan(last + 10);
    last = await sent();
  }
  const mails = (await instance.command("mails"))
    .map(({ to }: { to: string }) => to)
    .filter((to: string) => to.startsWith("far"));
  expect(mails.length).toBeGreaterThan(0);
  expect(new Set(mails).size).toBe(mails.length);
});
