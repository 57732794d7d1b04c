import { expect, test } from "bun:test";
import { runScheduledJobs } from "../../worker/jobs";
import type { FileStore } from "../../worker/ports/file-store";
import { type Api, createClient, describeApi } from "../support/api/client";
import { sendEnvelope } from "../support/api/envelopes";
import { addWebhook } from "../support/api/webhooks";
import { createMemoryClock } from "../support/memory/memory-clock";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { waitFor } from "../support/wait";

async function isAnnounced(api: Api, { id }: { id: number }): Promise<boolean> {
  const rows = await api.select(
    `select 1 from notifications where kind = 'expiring' and envelope_id = ${id} limit 1`,
  );
  return rows.length > 0;
}

describeApi("hourly jobs", (api) => {
  test("run once an hour, in the first run of the hour", async () => {
    await api.runJobs("2026-03-14T09:30:00.000Z");
    const owner = await api.signUp();
    const first = await sendEnvelope(owner, { expirationDate: "2026-03-31" });
    await api.runJobs("2026-03-30T11:59:00.000Z");
    expect(await isAnnounced(api, first)).toBe(true);

    await api.setClock("2026-03-29T11:59:00.000Z");
    const second = await sendEnvelope(owner, { expirationDate: "2026-03-31" });
    await api.runJobs("2026-03-30T11:59:59.000Z");
    expect(await isAnnounced(api, second)).toBe(false);
    await api.runJobs("2026-03-30T12:17:00.000Z");
    expect(await isAnnounced(api, second)).toBe(true);
  });

  test("continue after the clock is set back", async () => {
    await api.runJobs("2027-01-01T00:30:00.000Z");
    await api.setClock("2026-06-01T08:00:00.000Z");
    const envelope = await sendEnvelope(await api.signUp(), { expirationDate: "2026-06-05" });
    await api.runJobs("2026-06-04T08:45:00.000Z");
    expect(await isAnnounced(api, envelope)).toBe(true);
  });

  test("send what was put off, or begun, while the clock was a year ahead", async () => {
    await api.setClock("2027-06-01T08:00:00.000Z");
    const owner = await api.signUp();
    await api.setMail("down");
    const envelopes = [await sendEnvelope(owner), await sendEnvelope(owner)];
    await api.finishBackgroundWork();
    const [, begun] = envelopes;
    await api.execute("update notifications set failure = 'postponed' where status = 'queued'");
    await api.execute(
      `update notifications set claimed_by = 'a dead process', claimed_until = '2027-06-01T08:02:00.000Z' where envelope_id = ${begun?.id}`,
    );
    await api.setMail("works");
    await api.runJobs("2026-06-10T08:00:00.000Z", "2026-06-10T08:01:00.000Z");
    const rows = await api.select(
      `select distinct status from notifications where envelope_id in (${envelopes.map(({ id }) => id)})`,
    );
    expect(rows).toEqual([{ status: "sent" }]);
  });

  test("take over what was due before the clock was a year ahead, and begun by a process that ended then", async () => {
    await api.setClock("2026-07-01T08:00:00.000Z");
    const owner = await api.signUp();
    await addWebhook(owner);
    await api.setMail("down");
    const { id } = await sendEnvelope(owner);
    await api.finishBackgroundWork();
    await api.setMail("works");
    const begun = "claimed_by = 'a dead process', claimed_until = '2027-07-01T08:02:00.000Z'";
    await api.execute(`update notifications set ${begun} where envelope_id = ${id}`);
    await api.execute(
      `insert into webhook_deliveries (webhook_id, user_id, message_id, event, at, status, next_attempt_at, created_at, claimed_by, claimed_until)
       select id, user_id, 'begun', 'request.deleted', created_at, 'pending', created_at, created_at, 'a dead process', '2027-07-01T08:02:00.000Z' from webhooks where user_id = ${owner.id}`,
    );
    await api.execute(
      `insert into destinations (workspace_id, kind, name, delivered_when, folder_rule, include_answers, state, created_at, updated_at)
       values (${owner.workspaceId}, 'webdav', 'Nextcloud', 'submitted', '{year}', 0, 'paused', '2026', '2026')`,
    );
    await api.execute(
      `insert into file_deliveries (destination_id, envelope_id, page, submitted_at, state_at, next_attempt_at, created_at, claimed_by, claimed_until)
       select max(id), ${id}, 'manifest.csv', '2026', '2026', '2026', '2026', 'a dead process', '2027-07-01T08:02:00.000Z' from destinations`,
    );
    await api.runJobs("2026-07-02T08:00:00.000Z", "2026-07-02T08:01:00.000Z");
    for (const table of ["notifications", "webhook_deliveries", "file_deliveries"])
      expect([
        table,
        await api.select(`select id from ${table} where claimed_by = 'a dead process'`),
      ]).toEqual([table, []]);
  });
});

test("a failed job is retried a minute later, without repeating the others", async () => {
  const runtime = await startBunRuntime();
  const clock = createMemoryClock("2026-03-14T09:26:53.000Z");
  await createClient(runtime).post("/api/register", { email: "ada@example.com", password: "long enough" });
  let runs = 0;
  const files: FileStore = {
    ...runtime.deps.files,
    list(prefix) {
      runs += 1;
      if (runs === 1) throw new Error("The store is unavailable");
      return runtime.deps.files.list(prefix);
    },
  };
  for (let minute = 27; minute < 60; minute += 1) {
    await runScheduledJobs({ ...runtime.deps, files, clock });
    clock.set(`2026-03-14T09:${minute}:00.000Z`);
  }
  expect(runs).toBe(2);
  clock.set("2026-03-14T10:05:00.000Z");
  await runScheduledJobs({ ...runtime.deps, files, clock });
  expect(runs).toBe(3);
  await runtime.stop();
});

test("a list of files that does not end stops no other hourly job", async () => {
  const runtime = await startBunRuntime();
  const clock = createMemoryClock("2026-03-14T09:26:53.000Z");
  await createClient(runtime).post("/api/register", { email: "ada@example.com", password: "long enough" });
  await runScheduledJobs({ ...runtime.deps, clock });
  const jobsOf = async (hour: string) =>
    (await runtime.select(`select job from job_runs where hour = '${hour}' order by job`)).map(
      ({ job }) => job,
    );
  const all = await jobsOf("2026-03-14T09");
  expect(all).toContain("cleanStore");
  const endless: FileStore["list"] = async function* () {
    yield await new Promise<string[]>(() => {});
  };
  clock.set("2026-03-14T10:05:00.000Z");
  void runScheduledJobs({ ...runtime.deps, files: { ...runtime.deps.files, list: endless }, clock });
  await waitFor("the other jobs", async () => (await jobsOf("2026-03-14T10")).length === all.length - 1);
  expect(await jobsOf("2026-03-14T10")).toEqual(all.filter((name) => name !== "cleanStore"));
  await runtime.stop();
});
