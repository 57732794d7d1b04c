import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { spawnServer } from "../support/processes/bun-process";
import { morningZone } from "../support/processes/morning-zone";
import { createRandom } from "../support/random";
import { startSmtpServer } from "../support/servers/smtp-server";
import { makeFolder } from "../support/temporary-folder";
import { waitFor } from "../support/wait";

const HOUR_MS = 60 * 60 * 1000;
const TEST_MS = 120_000;
setDefaultTimeout(TEST_MS);
const RESTARTS = 20;
const LONGEST_LIFE_MS = 400;

/** The morning must last as long as the test. */
beforeAll(async () => {
  const left = HOUR_MS - (Date.now() % HOUR_MS);
  if (left < TEST_MS) await Bun.sleep(left);
}, 2 * TEST_MS);

test("a due reminder is sent once, despite restarts and several processes", async () => {
  const folder = makeFolder();
  const smtp = await startSmtpServer();
  const variables = { DATA_DIR: folder, SMTP_URL: smtp.url };
  const random = createRandom(20);
  await sendEnvelope(variables);
  const database = createClient({ url: `file:${join(folder, "doculopes.db")}`, timeout: 5000 });
  const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
  await database.execute({
    sql: "update envelopes set sent_at = ?, next_reminder_at = ?",
    args: [ago(25), ago(1)],
  });
  await database.execute({ sql: "update users set time_zone = ?", args: [morningZone()] });

  const mails = await smtp.received();
  for (let restart = 0; restart < RESTARTS; restart++) {
    const servers = [spawnServer(variables), spawnServer(variables)];
    await Promise.race(servers.map(({ url }) => url));
    await Bun.sleep(random.below(LONGEST_LIFE_MS));
    for (const { child } of servers) child.kill("SIGKILL");
    await Promise.all(servers.map(({ child }) => child.exited));
    mails.push(...(await smtp.received()));
  }
  // A dead process's claims expire after a while; the test does not wait for that.
  await database.execute(
    "update notifications set claimed_until = created_at where claimed_until is not null",
  );
  await drain(variables, database);
  mails.push(...(await smtp.received()));

  const { rows } = await database.execute("select status from notifications where kind = 'reminder'");
  expect(rows.map(({ status }) => status)).toEqual(["sent"]);
  const reminders = mails.filter(({ subject }) => /remind/i.test(subject));
  expect(new Set(reminders.map(({ messageId }) => messageId)).size).toBe(1);
  // Killed between the SMTP server's acceptance and the update of the row, it may be sent once more.
  expect(reminders.length).toBeLessThanOrEqual(2);
  const { rows: requests } = await database.execute("select next_reminder_at as next from envelopes");
  expect(Date.parse(String(requests[0]?.next))).toBeGreaterThan(Date.now());

  database.close();
  await smtp.close();
});

async function sendEnvelope(variables: Record<string, string>): Promise<void> {
  const server = spawnServer(variables);
  const url = await server.url;
  const post = (path: string, body: object, cookie = "") =>
    fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify(body),
    });
  const { headers } = await post("/api/register", { email: "ada@example.com", password: "a long password" });
  const cookie = headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const envelope = {
    recipientName: "Rita Recipient",
    recipientEmail: "rita@example.com",
    subject: "Papers",
    documents: [{ name: "Contract" }],
    reminderFrequency: "daily",
  };
  expect((await post("/api/requests", envelope, cookie)).status).toBe(201);
  server.child.kill("SIGTERM");
  await server.child.exited;
}

/** Runs one server until the reminder is queued, which a slow one may not do in any of its short lives, and sent. */
async function drain(
  variables: Record<string, string>,
  database: ReturnType<typeof createClient>,
): Promise<void> {
  const server = spawnServer(variables);
  await server.url;
  await waitFor("a reminder, and an outbox in which nothing waits", async () => {
    const { rows } = await database.execute(
      "select sum(kind = 'reminder') as reminders, sum(status = 'queued') as waiting from notifications",
    );
    return Number(rows[0]?.reminders) > 0 && Number(rows[0]?.waiting) === 0;
  });
  server.child.kill("SIGTERM");
  await server.child.exited;
}
