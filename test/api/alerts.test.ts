import { expect, test } from "bun:test";
import { file } from "bun";
import { ALERT_RULES, type AlertCause } from "../../worker/contract/alerts";
import { beginAlert, endAlert, reportAlerts } from "../../worker/features/administration/alerts.service";
import { StoreUnavailableError } from "../../worker/ports/file-store";
import { DeliveryError } from "../../worker/ports/mailer";
import { type Api, describeApi } from "../support/api/client";
import { sendEnvelope } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { startOutbox } from "../support/api/outbox";

const ADMIN = "administrator@example.org";

async function administrator(api: Api) {
  const client = api.anonymous();
  await client.post("/api/register", { email: ADMIN, password: "a long password" });
  const [token] = await mailedTokens(api, "verify", ADMIN);
  await client.post("/api/user/verify", { token });
  return client;
}

async function runAt(api: Api, time: string): Promise<void> {
  await api.setClock(time);
  // The second run sends what the first one queued.
  await api.runJobs();
  await api.runJobs();
  await api.finishBackgroundWork();
}

const subjects = async (api: Api) =>
  (await api.mails())
    .map(({ to, subject }) => `${to}: ${subject}`)
    .filter((line) => /backup|mail server/i.test(line));

describeApi("alerts", { variables: { ADMIN_EMAILS: ADMIN } }, (api) => {
  test("administrators are told of a late backup once a day, and when it is over; their page shows it meanwhile", async () => {
    await api.setClock("2026-03-14T09:00:00.000Z");
    const admin = await administrator(api);
    await api.signUp();
    const alerts = async () => (await admin.get("/api/administration")).body.alerts;
    await api.execute("insert into job_runs (job, hour) values ('backup', '2026-03-13T03')");
    await runAt(api, "2026-03-14T10:00:00.000Z");
    expect(await alerts()).toEqual([]);
    for (const hour of ["16", "17", "23"]) await runAt(api, `2026-03-14T${hour}:00:00.000Z`);
    const late = `${ADMIN}: The last backup is more than 36 hours old`;
    expect(await subjects(api)).toEqual([late]);
    const told = (await api.mails()).find(({ subject }) => subject.startsWith("The last backup"));
    expect(told?.text).toContain("Noticed on 14 March 2026. ");
    expect(await alerts()).toEqual([{ cause: "backup_late", since: "2026-03-14T16:00:00.000Z" }]);
    await runAt(api, "2026-03-15T01:00:00.000Z");
    expect(await subjects(api)).toEqual([late, late]);
    await api.execute("update job_runs set hour = '2026-03-15T03' where job = 'backup'");
    await runAt(api, "2026-03-15T04:00:00.000Z");
    expect((await subjects(api)).slice(2)).toEqual([
      `${ADMIN}: Resolved: The last backup is more than 36 hours old`,
    ]);
    expect(await alerts()).toEqual([]);

    // One that comes and goes each hour.
    for (const [hour, made] of [
      ["05", "2026-03-13T03"],
      ["06", "2026-03-15T03"],
      ["07", "2026-03-13T03"],
      ["08", "2026-03-15T03"],
    ]) {
      await api.execute(`update job_runs set hour = '${made}' where job = 'backup'`);
      await runAt(api, `2026-03-15T${hour}:00:00.000Z`);
    }
    expect(await subjects(api)).toHaveLength(3);
  });

  test("while mail is down its alert is on the page, no mail is queued about it, and one says that it is over", async () => {
    await api.setClock("2026-04-14T09:10:00.000Z");
    const admin = api.anonymous();
    await admin.post("/api/login", { email: ADMIN, password: "a long password" });
    const owner = await api.signUp();
    await api.execute(`update users set is_verified = 1 where id = ${owner.id}`);
    await api.execute("update job_runs set hour = '2026-04-14T03' where job = 'backup'");
    await api.setMail("down");
    await sendEnvelope(owner);
    for (const hour of ["10", "11", "12"]) await runAt(api, `2026-04-14T${hour}:00:00.000Z`);
    expect((await admin.get("/api/administration")).body.alerts).toEqual([
      { cause: "mail_down", since: "2026-04-14T10:00:00.000Z" },
    ]);
    expect(
      await api.select("select id from notifications where kind = 'alert' and status = 'queued'"),
    ).toEqual([]);
    await api.setMail("works");
    await runAt(api, "2026-04-14T12:05:00.000Z");
    await runAt(api, "2026-04-14T13:00:00.000Z");
    expect((await subjects(api)).slice(3)).toEqual([`${ADMIN}: Resolved: The mail server cannot be reached`]);
  });
});

test("two servers tell an administrator once, and a mail that waits is replaced by that of the next day", async () => {
  const outbox = await startOutbox();
  await outbox.run("update users set is_administrator = 1, is_verified = 1");
  outbox.mailer.failWith = new DeliveryError("down", { permanent: false, outage: true });
  const servers = [await outbox.process(), await outbox.process()];
  const tell = (change: typeof beginAlert) =>
    Promise.all(servers.map((deps) => change(deps, "backup_failed")));
  const waiting = async () => (await outbox.rows()).map(({ kind, dedupe_key }) => [kind, dedupe_key]);
  await tell(beginAlert);
  expect(await waiting()).toEqual([["alert", "alert:backup_failed:2026-03-14:1"]]);
  outbox.clock.advance(24 * 3600);
  // A command said so, and no other has said that it is over.
  await Promise.all(servers.map(reportAlerts));
  expect(await waiting()).toEqual([["alert", "alert:backup_failed:2026-03-15:1"]]);
  await tell(endAlert);
  expect(await waiting()).toEqual([["alert_over", "alert_over:backup_failed:2026-03-15:1"]]);
  await outbox.stop();
});

test("a store, a scanner and a disk that fail are found, and one check that fails stops no other", async () => {
  const outbox = await startOutbox();
  await outbox.run(
    "update users set is_administrator = 1, is_verified = 1, storage_quota = 10, avatar_size = 10",
  );
  const deps = await outbox.process({
    scanner: { scan: async () => ({ kind: "unknown", reason: "connection refused", down: true }) },
    requireSpace: async () => {
      throw new StoreUnavailableError("EIO");
    },
  });
  deps.files.tryStoring = async () => {
    throw new StoreUnavailableError("connection refused");
  };
  await reportAlerts(deps);
  const found = await outbox.run("select job from job_runs order by job");
  expect(found.map(({ job }) => job)).toEqual([
    "alert:scanner_down",
    "alert:storage_full",
    "alert:store_down",
  ]);
  await outbox.stop();
});

test("a workspace that nears a limit of its own is found, and no other", async () => {
  const outbox = await startOutbox();
  await outbox.run("update users set is_administrator = 1, is_verified = 1");
  await outbox.run(
    "insert into workspaces (user_id, name, created_at, updated_at) select id, 'Main', '2026-03-14', '2026-03-14' from users",
  );
  const deps = await outbox.process();
  const found = async (quota: number) => {
    await outbox.run(`update workspaces set storage_quota = ${quota}, logo_size = 95`);
    await reportAlerts(deps);
    return (await outbox.run("select job from job_runs order by job")).map(({ job }) => job);
  };
  expect([await found(1_000_000), await found(100)]).toEqual([[], ["alert:storage_full"]]);
  await outbox.stop();
});

test("each alert of the metrics that an administrator is told of exists", async () => {
  const rules = await file(`${import.meta.dir}/../../worker/deploy/metrics/alerts.yml`).text();
  for (const [cause, rule] of Object.entries(ALERT_RULES) as [AlertCause, string | null][])
    if (rule !== null) expect([cause, rules]).toEqual([cause, expect.stringContaining(`alert: ${rule}\n`)]);
});
