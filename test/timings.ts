/**
 * Writes `test/timings.json`, and `test/timings-workerd.json` for the tests in workerd, from the output of runs: `bun run
 * test | tee run.log; bun run timings run.log`. Files that no run names keep their time; files that are gone are removed.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { file, write } from "bun";

type Timings = { version: number; files: Record<string, number> };
type Run = { name: string; lines: string[] };

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
const runs = outputs.flatMap(readRuns);
await renew(
  PATHS.bun,
  runs.filter(({ name }) => !IN_WORKERD.test(name)),
);
await renew(
  PATHS.workerd,
  runs.filter(({ name }) => IN_WORKERD.test(name)),
);

/** What each part of a run has printed. That of one that ends is printed amid the output of the one that is shown live. */
function readRuns(output: string): Run[] {
  const all: Run[] = [];
  const open: Run[] = [];
  for (const line of output.split("\n")) {
    const [, name, result] = /^── (.+?)(: (?:ok|failed) \([\d.]+ s\))?$/.exec(line) ?? [];
    if (!name) open.at(-1)?.lines.push(line);
    else if (result) open.splice(open.findLastIndex((run) => run.name === name));
    else {
      const run = { name, lines: [] };
      open.push(run);
      all.push(run);
    }
  }
  return all;
}

async function renew(name: string, runs: Run[]): Promise<void> {
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
function readTimes({ lines }: Run): Record<string, number> {
  const times: Record<string, number> = {};
  let path = "";
  for (const line of lines) {
    if (SUMMARY.test(line)) break;
    path = FILE.exec(line)?.[1] ?? path;
    const [, taken] = TEST.exec(line) ?? [];
    if (taken && path) times[path] = (times[path] ?? (STARTS_MORE.test(path) ? START_MS : 0)) + Number(taken);
  }
  for (const [name, time] of Object.entries(times)) times[name] = Math.round(time);
  return times;
}
