/**
 * Writes `test/timings.json`, and `test/timings-workerd.json` for the tests in workerd, from the output of runs: `bun run
 * test | tee run.log; bun run timings run.log`. Files that no run names keep their time; files that are gone are removed.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { file, write } from "bun";

type Timings = { version: number; files: Record<string, number> };

const ROOT = join(import.meta.dir, "..");
/** A file takes another time in each runtime. */
const PATHS = { bun: "timings.json", workerd: "timings-workerd.json" };
const IN_WORKERD = /^Tests in workerd/;
/** The runner repeats a file's name whenever it continues with the file. */
const FILE = /^(test\/\S+\.test\.tsx?):$/;
/** What follows it repeats the failed tests. */
const SUMMARY = /^(?:\d+ tests? failed|Failed tests):$/;
const TEST = /^\((?:pass|fail)\) .* \[([\d.]+)ms\]$/;
/** A browser or a server is started for each file, which no test's time contains. */
const START_MS = 2000;
const STARTS_MORE = /^test\/(?:e2e|engines|system|faults)\//;

const outputs = await Promise.all(process.argv.slice(2).map((path) => file(path).text()));
const runs = outputs.flatMap((output) => output.split(/^── /m));
await renew(
  PATHS.bun,
  runs.filter((run) => !IN_WORKERD.test(run)),
);
await renew(
  PATHS.workerd,
  runs.filter((run) => IN_WORKERD.test(run)),
);

async function renew(name: string, runs: string[]): Promise<void> {
  const path = join(import.meta.dir, name);
  const { version, files: before }: Timings = await file(path).json();
  const files = Object.fromEntries(
    Object.entries(Object.assign({}, before, ...runs.map(readTimes)))
      .filter(([path]) => existsSync(join(ROOT, path)))
      .sort(([a, one], [b, other]) => Number(other) - Number(one) || a.localeCompare(b)),
  );
  await write(path, `${JSON.stringify({ version, files }, null, 2)}\n`);
}

/** The milliseconds of each file that the run names. */
function readTimes(run: string): Record<string, number> {
  const times: Record<string, number> = {};
  let path = "";
  for (const line of run.split("\n")) {
    if (SUMMARY.test(line)) break;
    path = FILE.exec(line)?.[1] ?? path;
    const [, taken] = TEST.exec(line) ?? [];
    if (taken && path) times[path] = (times[path] ?? (STARTS_MORE.test(path) ? START_MS : 0)) + Number(taken);
  }
  for (const [name, time] of Object.entries(times)) times[name] = Math.round(time);
  return times;
}
