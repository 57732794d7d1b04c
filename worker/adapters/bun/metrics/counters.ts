import type { Metrics } from "../../../ports/metrics";

/** Upper bounds in seconds. The last ones are for uploads. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

type Requests = {
  method: string;
  route: string;
  statuses: Map<number, number>;
  /** The number of requests per bucket, not cumulative. */
  buckets: number[];
  seconds: number;
};
type Runs = { succeeded: number; failed: number; seconds: number; lastSuccess?: Date };

/** Counts in memory since the start and renders the counts in Prometheus' text format. */
export function createCounters(): Metrics & { exposition(): string } {
  const requests = new Map<string, Requests>();
  const jobs = new Map<string, Runs>();
  return {
    countRequest(givenMethod, route, status, seconds) {
      const method = METHODS.has(givenMethod) ? givenMethod : "other";
      const key = `${method} ${route}`;
      let found = requests.get(key);
      if (!found) {
        found = { method, route, statuses: new Map(), buckets: BUCKETS.map(() => 0), seconds: 0 };
        requests.set(key, found);
      }
      found.statuses.set(status, (found.statuses.get(status) ?? 0) + 1);
      found.seconds += seconds;
      const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
      if (bucket >= 0) found.buckets[bucket] = (found.buckets[bucket] ?? 0) + 1;
    },
    countJob(job, succeeded, seconds, endedAt) {
      const runs = jobs.get(job) ?? { succeeded: 0, failed: 0, seconds: 0 };
      runs[succeeded ? "succeeded" : "failed"] += 1;
      runs.seconds += seconds;
      if (succeeded) runs.lastSuccess = endedAt;
      jobs.set(job, runs);
    },
    exposition: () => requestFamilies([...requests.values()]) + jobFamilies(jobs),
  };
}

function requestFamilies(requests: Requests[]): string {
  const counts = requests.flatMap(({ method, route, statuses }) =>
    [...statuses].map(([status, count]): Sample => [{ method, route, status: String(status) }, count]),
  );
  return (
    family("doculopes_http_requests_total", "counter", "Requests to the API by route pattern.", counts) +
    family(
      "doculopes_http_request_duration_seconds",
      "histogram",
      "Time from a request's headers to those of its response.",
      requests.flatMap(histogram),
    )
  );
}

function histogram({ method, route, statuses, buckets, seconds }: Requests): Sample[] {
  let sum = 0;
  const samples = BUCKETS.map((bound, index): Sample => {
    sum += buckets[index] ?? 0;
    return [{ method, route, le: String(bound) }, sum, "_bucket"];
  });
  const count = [...statuses.values()].reduce((total, each) => total + each, 0);
  return [
    ...samples,
    [{ method, route, le: "+Inf" }, count, "_bucket"],
    [{ method, route }, seconds, "_sum"],
    [{ method, route }, count, "_count"],
  ];
}

/** The label is not `job`, which Prometheus uses for what it scrapes. */
function jobFamilies(jobs: Map<string, Runs>): string {
  const runs = [...jobs];
  return (
    family(
      "doculopes_job_runs_total",
      "counter",
      "Runs of scheduled jobs in this process.",
      runs.flatMap(([name, { succeeded, failed }]): Sample[] => [
        [{ name, result: "success" }, succeeded],
        [{ name, result: "failure" }, failed],
      ]),
    ) +
    family(
      "doculopes_job_seconds_total",
      "counter",
      "Time that scheduled jobs took.",
      runs.map(([name, { seconds }]): Sample => [{ name }, seconds]),
    ) +
    family(
      "doculopes_job_last_success_timestamp_seconds",
      "gauge",
      "When a scheduled job last succeeded in this process.",
      runs.flatMap(([name, { lastSuccess }]): Sample[] =>
        lastSuccess ? [[{ name }, lastSuccess.getTime() / 1000]] : [],
      ),
    )
  );
}

/** A sample: its labels and its value. */
export type Sample = readonly [labels: Record<string, string>, value: number, suffix?: string];

/** A metric in Prometheus' text format, with its HELP and TYPE lines. */
export function family(
  name: string,
  type: "counter" | "gauge" | "histogram",
  help: string,
  samples: Iterable<Sample>,
): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
  for (const [labels, value, suffix = ""] of samples)
    lines.push(`${name}${suffix}${inBraces(labels)} ${value}`);
  return lines.length === 2 ? "" : `${lines.join("\n")}\n`;
}

function inBraces(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escaped = (value: string) =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
