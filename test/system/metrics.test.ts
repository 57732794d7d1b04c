import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { file } from "bun";
import { version } from "../../package.json";
import { createCounters } from "../../worker/adapters/bun/metrics/counters";
import { createClient } from "../support/api/client";
import { ENVELOPE, form, linkOf } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { spawnServer } from "../support/processes/bun-process";
import { runOperatorCommand } from "../support/processes/operator-command";
import { makeFolder } from "../support/temporary-folder";
import { waitFor } from "../support/wait";

// Each test starts its own server, on a machine of unknown speed.
setDefaultTimeout(300_000);

const TOKEN = "a-token-of-enough-characters";
const DEPLOY = new URL("../../worker/deploy/metrics/", import.meta.url).pathname;

const folder = makeFolder();

const scrape = (url: string, token = TOKEN) =>
  fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });

/** The value of a sample by its name and labels as they are written. */
const sampleOf = (text: string, sample: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${sample} `))
      ?.slice(sample.length),
  );

const RAN_JOBS = 'doculopes_job_runs_total{name="drainOutbox",result="success"}';
const untilJobsRan = (url: string) =>
  waitFor("the first jobs", async () => sampleOf(await (await scrape(url)).text(), RAN_JOBS) > 0);

/** The values of a label, over all samples. */
const labels = (text: string, name: string) =>
  new Set([...text.matchAll(new RegExp(`${name}="([^"]*)"`, "g"))].map(([, value]) => value));

test("metrics count requests by route and status, the outbox, files, jobs and the process", async () => {
  const server = spawnServer({ DATA_DIR: join(folder, "counts"), METRICS_TOKEN: TOKEN });
  const url = await server.url;
  const client = createClient({ fetch: (request) => fetch(request), origin: url });
  await client.post("/api/register", { email: "metrics@example.com", password: "long enough" });
  const envelope = (await client.post("/api/requests", ENVELOPE)).body;
  const contract = pdfFile("contract.pdf", "x".repeat(5000));
  await client.send("POST", linkOf(envelope), form({ Contract: contract }));
  for (const guess of ["one", "two", "three"]) await client.get(`/api/submissions/${guess}`);
  await client.get("/api/nowhere/at-all");

  await untilJobsRan(url);

  const response = await scrape(url);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const text = await response.text();
  const request = 'method="GET",route="/api/submissions/:token"';
  expect(sampleOf(text, `doculopes_http_requests_total{${request},status="404"}`)).toBe(3);
  expect(sampleOf(text, `doculopes_http_request_duration_seconds_bucket{${request},le="+Inf"}`)).toBe(3);
  expect(sampleOf(text, `doculopes_http_request_duration_seconds_count{${request}}`)).toBe(3);
  expect(sampleOf(text, "doculopes_stored_files")).toBe(1);
  expect(sampleOf(text, "doculopes_stored_bytes")).toBe(contract.size);
  expect(sampleOf(text, "doculopes_database_up")).toBe(1);
  expect(sampleOf(text, `doculopes_build_info{version="${version}"}`)).toBe(1);
  expect(sampleOf(text, RAN_JOBS)).toBeGreaterThan(0);
  const lastSuccess = sampleOf(text, 'doculopes_job_last_success_timestamp_seconds{name="drainOutbox"}');
  expect(Math.abs(Date.now() / 1000 - lastSuccess)).toBeLessThan(60);
  for (const name of [
    "doculopes_outbox_oldest_age_seconds",
    'doculopes_outbox_messages{status="failed"}',
    "doculopes_quarantined_files",
    'doculopes_messages_today{channel="email"}',
    'doculopes_messages_today_limit{channel="sms"}',
    "doculopes_uploads_running",
    'doculopes_event_loop_lag_seconds{stat="max"}',
    "doculopes_disk_free_bytes",
    "process_resident_memory_bytes",
  ])
    expect([name, sampleOf(text, name)]).toEqual([name, expect.any(Number)]);
  expect(text).not.toContain("NaN");
  for (const secret of ["guess", envelope.submissionToken, "nowhere", "metrics@example.com"])
    expect(text).not.toContain(secret);
  server.child.kill("SIGTERM");
  expect(await server.child.exited).toBe(0);
});

test("metrics, stats and doctor have the hour of the last backup, unless files are missing in it", async () => {
  const DATA_DIR = join(folder, "backups");
  const variables = { DATA_DIR, METRICS_TOKEN: TOKEN };
  const startOfHour = Math.floor(Date.now() / 3_600_000) * 3600;
  const recorded = async () => {
    const server = spawnServer(variables);
    const url = await server.url;
    const text = await (await scrape(url)).text();
    server.child.kill("SIGTERM");
    await server.child.exited;
    const { output: stats } = await runOperatorCommand(["stats", "--json"], variables);
    const { output: doctor } = await runOperatorCommand(["doctor"], { ...variables, PORT: "0" });
    return {
      metric: sampleOf(text, "doculopes_last_backup_timestamp_seconds"),
      stats: Date.parse(JSON.parse(stats).lastBackup) / 1000,
      doctor: /^(.*) Backup: (.*)$/m.exec(doctor)?.slice(1, 3).join(": "),
    };
  };
  const none = { metric: Number.NaN, stats: Number.NaN, doctor: "warning : no complete backup is recorded" };
  const server = spawnServer(variables);
  const owner = createClient({ fetch: (request) => fetch(request), origin: await server.url });
  await owner.post("/api/register", { email: "backup@example.com", password: "long enough" });
  const envelope = (await owner.post("/api/requests", ENVELOPE)).body;
  await owner.send("POST", linkOf(envelope), form({ Contract: pdfFile("contract.pdf") }));
  server.child.kill("SIGTERM");
  await server.child.exited;
  expect(await recorded()).toEqual(none);

  const uploads = join(DATA_DIR, "uploads");
  await rename(uploads, `${uploads}-moved`);
  expect((await runOperatorCommand(["backup", join(folder, "incomplete")], variables)).code).toBe(2);
  await rename(`${uploads}-moved`, uploads);
  expect(await recorded()).toEqual(none);

  for (const [args, before] of [
    [["--unrecorded", join(folder, "complete")], none],
    [["--record", join(folder, "incomplete")], none],
    [["--record", join(folder, "complete")], null],
  ] as const) {
    const isIncomplete = args[1].endsWith("incomplete");
    expect((await runOperatorCommand(["backup", ...args], variables)).code).toBe(isIncomplete ? 2 : 0);
    if (before) expect(await recorded()).toEqual(before);
  }
  const { metric, stats, doctor } = await recorded();
  expect(metric - startOfHour).toBeOneOf([0, 3600]);
  expect(stats).toBe(metric);
  const hour = new Date(metric * 1000).toISOString().slice(0, 13).replace("T", " ");
  expect(doctor).toBe(`ok      : the last complete one was made in the hour of ${hour}:00 UTC`);

  const db = new Database(join(DATA_DIR, "doculopes.db"));
  db.run("update job_runs set hour = '2026-03-14T09' where job = 'backup'");
  db.close();
  expect((await recorded()).doctor).toStartWith(
    "warning : the last complete one was made in the hour of 2026-03-14 09",
  );

  const BACKUPS = join(folder, "not-mounted");
  expect((await runOperatorCommand(["doctor"], { ...variables, PORT: "0", BACKUPS })).output).toContain(
    `warning  Backup: BACKUPS is ${JSON.stringify(BACKUPS)}, but there is no such folder`,
  );
});

test("without the token the response is 401, and without METRICS_TOKEN it is 404", async () => {
  const server = spawnServer({ DATA_DIR: join(folder, "token"), METRICS_TOKEN: TOKEN });
  const url = await server.url;
  for (const rejected of [
    scrape(url, ""),
    scrape(url, `${TOKEN}x`),
    fetch(`${url}/metrics?token=${TOKEN}`),
  ]) {
    const response = await rejected;
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(await response.text()).not.toContain("doculopes_");
  }
  expect((await fetch(`${url}/metrics`, { method: "POST" })).status).not.toBe(200);
  server.child.kill("SIGTERM");
  const without = spawnServer({ DATA_DIR: join(folder, "off") });
  expect((await scrape(await without.url)).status).toBe(404);
  without.child.kill("SIGTERM");
  const short = spawnServer({ DATA_DIR: join(folder, "short"), METRICS_TOKEN: "short" });
  expect(await short.child.exited).toBe(78);
  expect(await short.problems).toBe("METRICS_TOKEN must be a text of at least 16 characters\n");
});

test("no client can add label values without bound", () => {
  const counters = createCounters();
  for (let count = 0; count < 1000; count += 1)
    counters.countRequest(`METHOD${count}`, "/api/*", 404, count / 10);
  const text = counters.exposition();
  expect(labels(text, "method")).toEqual(new Set(["other"]));
  expect(sampleOf(text, 'doculopes_http_requests_total{method="other",route="/api/*",status="404"}')).toBe(
    1000,
  );
  expect(
    sampleOf(text, 'doculopes_http_request_duration_seconds_bucket{method="other",route="/api/*",le="60"}'),
  ).toBe(601);
});

test("the buckets of a histogram add up", () => {
  const counters = createCounters();
  for (const seconds of [0.001, 0.005, 0.0051, 3, 100])
    counters.countRequest("GET", "/api/user", 200, seconds);
  const text = counters.exposition();
  const bucket = (bound: string) =>
    sampleOf(
      text,
      `doculopes_http_request_duration_seconds_bucket{method="GET",route="/api/user",le="${bound}"}`,
    );
  expect(["0.005", "0.01", "2.5", "5", "60", "+Inf"].map(bucket)).toEqual([2, 3, 3, 4, 4, 5]);
});

test("the dashboard and the alerts use metrics that exist, and no panels overlap", async () => {
  const DATA_DIR = join(folder, "names");
  const server = spawnServer({ DATA_DIR, METRICS_TOKEN: TOKEN });
  const url = await server.url;
  await fetch(`${url}/api/live`);
  expect((await runOperatorCommand(["backup", join(folder, "names-backups/1")], { DATA_DIR })).code).toBe(0);
  await untilJobsRan(url);
  const text = await (await scrape(url)).text();
  server.child.kill("SIGTERM");
  const known = new Set([...text.matchAll(/^([a-z]\w*)/gm)].map(([, name]) => name));
  const dashboard = await file(`${DEPLOY}grafana-dashboard.json`).json();
  const sources = (await file(`${DEPLOY}alerts.yml`).text()) + JSON.stringify(dashboard);
  const names = new Set([...sources.matchAll(/\b(?:doculopes|process)_\w+/g)].map(([name]) => name));
  expect([...names].filter((name) => !known.has(name))).toEqual([]);
  expect(dashboard).toMatchObject({
    title: "Doculopes",
    uid: "doculopes",
    schemaVersion: expect.any(Number),
  });
  type Panel = { id: number; type: string; title: string; gridPos: Record<"x" | "y" | "w" | "h", number> };
  const panels: Panel[] = dashboard.panels;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  for (const panel of dashboard.panels)
    expect(panel).toMatchObject({
      type: expect.stringMatching(/^(?:stat|timeseries)$/),
      title: expect.stringMatching(/\S/),
      datasource: { type: "prometheus", uid: expect.stringContaining("datasource") },
      targets: expect.arrayContaining([expect.objectContaining({ refId: "A", expr: expect.any(String) })]),
    });
});
