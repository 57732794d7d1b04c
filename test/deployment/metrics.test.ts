import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { file, type Subprocess, sleep, spawn, write } from "bun";
import { spawnServer } from "../support/processes/bun-process";
import { runOperatorCommand } from "../support/processes/operator-command";
import { makeFolder } from "../support/temporary-folder";
import { freePort } from "./free-port";
import { DEPLOY, run } from "./run";

const ROOT = join(import.meta.dir, "../..");
const METRICS = `${DEPLOY}metrics/`;
const TOKEN = "a-token-of-enough-characters";

type Target = { expr: string };
type Panel = { type: "stat" | "timeseries"; title: string; targets: Target[]; options: object };
type Dashboard = { panels: Panel[] };

const folder = makeFolder();
let server: ReturnType<typeof spawnServer>;
let url: string;
let dashboard: Dashboard;
let alerts: string;

beforeAll(async () => {
  server = spawnServer({ DATA_DIR: join(folder, "data"), METRICS_TOKEN: TOKEN });
  url = await server.url;
  await fetch(`${url}/api/submissions/none`);
  const made = await runOperatorCommand(["backup", join(folder, "backup")], {
    DATA_DIR: join(folder, "data"),
  });
  expect(made.code).toBe(0);
  dashboard = await file(`${METRICS}grafana-dashboard.json`).json();
  alerts = await file(`${METRICS}alerts.yml`).text();
});
afterAll(async () => {
  server.child.kill("SIGTERM");
  await server.child.exited;
});

/** An expression as Grafana sends it: with values for its variables. */
const filledIn = (expr: string) => expr.replaceAll("$instance", ".*").replaceAll("$__rate_interval", "10s");

/** The configuration as it is, with the token, the address and the interval of this test. */
async function configure(interval: string): Promise<string> {
  await cp(`${METRICS}alerts.yml`, join(folder, "doculopes-alerts.yml"));
  await write(join(folder, "token"), TOKEN);
  const text = (await file(`${METRICS}prometheus.yml`).text())
    .replace("/etc/prometheus/doculopes-token", join(folder, "token"))
    .replace("127.0.0.1:3000", new URL(url).host);
  const path = join(folder, "prometheus.yml");
  await write(path, `global:\n  scrape_interval: ${interval}\n${text}`);
  return path;
}

test("promtool accepts the metrics, the alerts and the scrape configuration", async () => {
  const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const input = await metrics.text();
  expect(await run(["promtool", "check", "metrics"], { input })).toEqual({ code: 0, output: "" });
  const checked = await run(["promtool", "check", "config", await configure("15s")]);
  expect([checked.code, checked.output]).toEqual([0, expect.stringContaining("SUCCESS: 11 rules found")]);
});

test("Prometheus scrapes the server and has a value for each panel and each alert", async () => {
  const port = await freePort();
  const prometheus: Subprocess = spawn(
    [
      "prometheus",
      `--config.file=${await configure("1s")}`,
      `--storage.tsdb.path=${join(folder, "tsdb")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: ["ignore", "ignore", file(join(folder, "prometheus.log"))] },
  );
  try {
    const queryValue = async (query: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({ query })}`);
      const { status, data, error } = await response.json();
      if (status !== "success") throw new Error(`${query}: ${error}`);
      return data.result.length as number;
    };
    // A rate needs two scrapes.
    const scraped = () => queryValue("count_over_time(up[1m]) >= 3").catch(() => 0);
    for (let tries = 0; tries < 300 && (await scraped()) === 0; tries += 1) await sleep(100);
    const exprs = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => filledIn(expr)));
    expect(exprs.length).toBeGreaterThanOrEqual(dashboard.panels.length);
    // An alert has no value unless it fires, but its metrics have one.
    const selectors = alerts.match(/(?:doculopes|process)_\w+(?:\{[^}]*\})?/g) ?? [];
    expect(selectors.length).toBeGreaterThanOrEqual(5);
    const queries = [...exprs, ...selectors.map((text) => text.replace("5..", "..."))];
    const empty: string[] = [];
    for (const query of queries) if ((await queryValue(query)) === 0) empty.push(query);
    expect(empty).toEqual([]);
  } finally {
    prometheus.kill();
    await prometheus.exited;
  }
});

/** Series for 40 hours, a sample a minute, in promtool's notation, and the alerts that fire at the end. */
const SITUATIONS: [situation: string, series: Record<string, string>, alerts: string[]][] = [
  ["all is well", {}, []],
  [
    "the server is dead",
    { 'up{job="doculopes"}': "0x2400", doculopes_database_up: "stale" },
    ["DoculopesDown"],
  ],
  ["the database is down", { doculopes_database_up: "0x2400" }, ["DoculopesDatabaseDown"]],
  ["a message waits", { doculopes_outbox_oldest_age_seconds: "0+60x2400" }, ["DoculopesMailDelayed"]],
  [
    "mail has just failed",
    { 'doculopes_outbox_messages{status="failed"}': "3x2390 5x10" },
    ["DoculopesMailFailed"],
  ],
  ["mail failed long ago", { 'doculopes_outbox_messages{status="failed"}': "3x2000 5x400" }, []],
  [
    "half of the text messages of a day are sent",
    { 'doculopes_messages_today{channel="sms"}': "0x2390 500x10" },
    ["DoculopesSendingLimit"],
  ],
  ["files wait for the scanner", { doculopes_quarantined_files: "2x2400" }, ["DoculopesQuarantine"]],
  ["the scanner rejects a file", { doculopes_unscannable_files: "0x2399 1" }, ["DoculopesUnscannable"]],
  ["a file has waited for ten minutes", { doculopes_quarantined_files: "0x2390 1x10" }, []],
  ["no backup for 40 hours", { doculopes_last_backup_timestamp_seconds: "0x2400" }, ["DoculopesBackupLate"]],
  ["no backup ever", { doculopes_last_backup_timestamp_seconds: "stale" }, ["DoculopesBackupMissing"]],
  ["the disk is nearly full", { doculopes_disk_free_bytes: "5x2400" }, ["DoculopesDiskLow"]],
  [
    "the jobs have stopped",
    { 'doculopes_job_last_success_timestamp_seconds{name="drainOutbox"}': "0x2400" },
    ["DoculopesJobsStopped"],
  ],
  ["errors", { 'doculopes_http_requests_total{status="500"}': "0+60x2400" }, ["DoculopesErrors"]],
];
const HEALTHY = {
  'up{job="doculopes"}': "1x2400",
  doculopes_database_up: "1x2400",
  doculopes_outbox_oldest_age_seconds: "0x2400",
  'doculopes_outbox_messages{status="failed"}': "3x2400",
  'doculopes_messages_today{channel="sms"}': "499x2400",
  'doculopes_messages_today_limit{channel="sms"}': "1000x2400",
  doculopes_quarantined_files: "0x2400",
  doculopes_unscannable_files: "0x2400",
  doculopes_last_backup_timestamp_seconds: "0+60x2400",
  doculopes_disk_free_bytes: "50x2400",
  doculopes_disk_size_bytes: "100x2400",
  'doculopes_job_last_success_timestamp_seconds{name="drainOutbox"}': "0+60x2400",
  'doculopes_http_requests_total{status="500"}': "0x2400",
};

test("each alert fires when it should, and at no other time", async () => {
  const names = [...alerts.matchAll(/alert: (\w+)/g)].map(([, name = ""]) => name);
  const instance = "127.0.0.1:3000";
  const labeled = (series: string) =>
    series.includes("{")
      ? series.replace("{", `{instance="${instance}",`)
      : `${series}{instance="${instance}"}`;
  await cp(`${METRICS}alerts.yml`, join(folder, "doculopes-alerts.yml"));
  const firing = async (series: Record<string, string>) => {
    const path = join(folder, "rules-test.json");
    const test = {
      interval: "1m",
      input_series: Object.entries({ ...HEALTHY, ...series }).map(([name, values]) => ({
        series: labeled(name),
        values,
      })),
      // Prometheus records each alert that fires as a series.
      promql_expr_test: [{ expr: 'count by (alertname) (ALERTS{alertstate="firing"})', eval_time: "40h" }],
    };
    await write(path, JSON.stringify({ rule_files: ["doculopes-alerts.yml"], tests: [test] }));
    const { output } = await run(["promtool", "test", "rules", path]);
    return names.filter((name) => output.includes(`alertname="${name}"`));
  };
  const found: unknown[] = [];
  for (const [situation, series] of SITUATIONS) found.push([situation, await firing(series)]);
  expect(found).toEqual(SITUATIONS.map(([situation, , expected]) => [situation, expected]));
  expect([...new Set(SITUATIONS.flatMap(([, , expected]) => expected))].sort()).toEqual(names.sort());
});

test("the dashboard matches the types of Grafana's schema, without unknown properties", async () => {
  const target = join(ROOT, "node_modules/.cache/deployment");
  await mkdir(target, { recursive: true });
  const panels = dashboard.panels.map(
    ({ type, options }) => `{ type: ${JSON.stringify(type)}, options: ${JSON.stringify(options)} }`,
  );
  const program = `
import type { Dashboard, GraphFieldConfig } from "@grafana/schema";
import type { Options as StatOptions } from "@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen";
import type { Options as TimeSeriesOptions } from "@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen";
/** As in JSON, where the members of an enumeration are their values. */
type Plain<T> = T extends string ? \`\${T}\` : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type Some<T> = { [K in keyof T]?: Plain<T[K]> };
const dashboard: Plain<Dashboard> = ${JSON.stringify(dashboard)};
const panels: ({ type: "stat"; options: Some<StatOptions> } | { type: "timeseries"; options: Some<TimeSeriesOptions> })[] = [${panels.join(",\n")}];
const customs: Some<GraphFieldConfig>[] = ${JSON.stringify(customsOf(dashboard))};
`;
  const path = join(target, "dashboard.ts");
  await write(path, program);
  const flags = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--types", ""];
  const check = ["bunx", "tsc", ...flags, "--module", "preserve", "--target", "esnext", path];
  expect(await run(check, { cwd: ROOT })).toEqual({ code: 0, output: "" });
});

/** The settings of a panel that determine how its series are drawn. */
const customsOf = ({ panels }: Dashboard) =>
  panels.flatMap((panel) => {
    const { defaults } = (panel as unknown as { fieldConfig: { defaults: { custom?: object } } }).fieldConfig;
    return defaults.custom ? [defaults.custom] : [];
  });
