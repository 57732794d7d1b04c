import { join } from "node:path";
import { spawn } from "bun";
import { sql } from "drizzle-orm";
import { DEMO_USER } from "../../../worker/cli/seed/demo-data";
import { ROOT } from "../harness/process";
import { quantile } from "../harness/row";
import type { Population } from "./build";
import type { Instance } from "./instance";

const MORNING_HOUR = 9;
const ZONES = 20;
/** What is left when the hour is over waits for the next morning, so a later start waits for the next hour. */
const LATEST_MINUTE = 20;
/** A list once in this time, while a chore runs. */
const EACH_MS = 50;

/** What a chore took, and how long other people's lists took meanwhile, in milliseconds. */
export type Chore = { milliseconds: number; othersP99: number };

/** Does the work while somebody else reads lists. */
export async function beside({ accounts }: Population, work: () => Promise<void>): Promise<Chore> {
  const reader = accounts.at(-1);
  if (!reader) throw new Error("There is nobody to read lists");
  const latencies: number[] = [];
  let done = false;
  const reading = (async () => {
    while (!done) {
      const sent = performance.now();
      const response = await reader.send("GET", `/api/requests?workspaceId=${reader.workspaceId}&limit=50`);
      await response.text();
      if (!response.ok) throw new Error(`A list meanwhile: ${response.status}`);
      latencies.push(performance.now() - sent);
      await Bun.sleep(EACH_MS);
    }
  })();
  const started = performance.now();
  try {
    await work();
  } finally {
    done = true;
    await reading;
  }
  return { milliseconds: performance.now() - started, othersP99: quantile(latencies, 0.99) };
}

/** Names of zones in which it is between nine and ten in the morning: reminders are sent then. */
const morningZones = (now: Date): string[] =>
  Intl.supportedValuesOf("timeZone")
    .filter(
      (timeZone) =>
        Number(now.toLocaleString("en", { timeZone, hour: "numeric", hourCycle: "h23" })) === MORNING_HOUR,
    )
    .slice(0, ZONES);

/** How the addresses of recipients begin that are reminded. */
export const REMINDED = "reminded";

/** Makes this many daily reminders due at once. @returns how many there are */
export async function makeRemindersDue(instance: Instance, count: number): Promise<number> {
  while (new Date().getMinutes() > LATEST_MINUTE) await Bun.sleep(10_000);
  const now = new Date();
  const zones = morningZones(now);
  return instance.withDatabase(async (db) => {
    for (const [index, zone] of zones.entries())
      await db.run(sql`update users set time_zone = ${zone} where id % ${zones.length} = ${index}`);
    const due = await db.all(sql`
      update envelopes set customer_email = ${REMINDED} || id || '@example.com', reminder_frequency = 'daily', next_reminder_at = ${now.toISOString()},
        sent_at = strftime('%Y-%m-%dT%H:%M:%fZ', ${now.toISOString()}, '-3 days')
      where id in (select id from envelopes where status = 'pending' and end_of_last_day is null limit ${count})
      returning id`);
    return due.length;
  });
}

/** Adds an account with completed envelopes and this many files, all stored, whose retention is over. */
export async function addOverdueFiles(instance: Instance, files: number): Promise<void> {
  // One envelope of six is completed, with two files.
  await runScript(instance, "worker/cli/seed/index.ts", ["--envelopes", String(files * 3)]);
  const ago = (days: number) => sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`-${days} days`})`;
  await instance.withDatabase(async (db) => {
    const owned = sql`(select w.id from workspaces w join users u on u.id = w.user_id where u.email = ${DEMO_USER.email})`;
    await db.run(sql`update workspaces set retention_days = 30 where id in ${owned}`);
    await db.run(sql`update envelopes set completed_at = ${ago(60)}, deletion_announced_at = ${ago(20)},
      deletion_noticed_at = ${ago(20)} where status = 'completed' and workspace_id in ${owned}`);
    await db.run(sql`delete from job_runs where job = 'deleteRetainedFiles'`);
  });
}

/** Waits until the files are deleted from the store, too. */
export async function waitForRetention(instance: Instance): Promise<void> {
  const isLeft = () =>
    instance.withDatabase(async (db) => {
      const [row] = await db.all<{ left: number }>(sql`
        select (select count(*) from envelopes join workspaces on workspaces.id = workspace_id
          where status = 'completed' and files_deleted_at is null and retention_days is not null)
          + (select count(*) from file_deletions) as left`);
      return (row?.left ?? 0) > 0;
    });
  while (await isLeft()) await Bun.sleep(1000);
}

/** Signs in to the account with the most envelopes, deletes it, and waits until all its rows are deleted. */
export async function deleteLargestAccount({ url, withDatabase }: Instance): Promise<void> {
  const body = JSON.stringify({ email: DEMO_USER.email, password: DEMO_USER.password });
  const headers = { "Content-Type": "application/json" };
  const signedIn = await fetch(`${url}/api/login`, { method: "POST", headers, body });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
  const response = await fetch(`${url}/api/user/account`, { method: "DELETE", headers: { cookie } });
  if (response.status !== 204) throw new Error(`The account was not deleted: ${await response.text()}`);
  const isLeft = () =>
    withDatabase(
      async (db) => (await db.all(sql`select 1 from users where deleted_at is not null`)).length > 0,
    );
  while (await isLeft()) await Bun.sleep(500);
}

export const backUp = (instance: Instance, target: string) =>
  runScript(instance, "worker/cli/doculopes.ts", ["backup", target]);

/** Restores a backup into an empty data folder. */
export const restore = (instance: Instance, folder: string, backup: string) =>
  runScript({ ...instance, variables: { DATA_DIR: join(folder, "restored") } }, "worker/cli/doculopes.ts", [
    "restore",
    backup,
  ]);

async function runScript({ variables }: Instance, script: string, given: string[]): Promise<void> {
  const child = spawn([process.execPath, script, ...given], {
    cwd: ROOT,
    env: { ...process.env, ...variables },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const problems = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${script} ${given.join(" ")} failed:\n${problems}`);
}
