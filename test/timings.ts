/**
 * Writes `test/timings.json` from the output of runs: `bun run test | tee run.log; bun run timings run.log`. Files that
 * no run names keep their time; files that are gone are removed.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { file, write } from "bun";

type Timings = { version: number; files: Record<string, number> };

const ROOT = join(import.meta.dir, "..");
const PATH = join(import.meta.dir, "timings.json");
/** The runner repeats a file's name whenever it continues with the file. */
const FILE = /^(test\/\S+\.test\.tsx?):$/;
/** What follows it repeats the failed tests. */
const SUMMARY = /^(?:\d+ tests? failed|Failed tests):$/;
const TEST = /^\((?:pass|fail)\) .* \[([\d.]+)ms\]$/;
/** A browser or a server is started for each file, which no test's time contains. */
const START_MS = 2000;
const STARTS_MORE = /^test\/(?:e2e|engines|system|faults)\//;

const { version, files: before }: Timings = await file(PATH).json();
const measured = await Promise.all(
  process.argv.slice(2).map(async (path) => readTimes(await file(path).text())),
);
const files = Object.fromEntries(
  Object.entries(Object.assign({}, before, ...measured))
    .filter(([path]) => existsSync(join(ROOT, path)))
    .sort(([a, one], [b, other]) => Number(other) - Number(one) || a.localeCompare(b)),
);
await write(PATH, `${JSON.stringify({ version, files }, null, 2)}\n`);

/** The milliseconds of each file. A file that runs on both runtimes has the longer time. */
function readTimes(output: string): Record<string, number> {
  const longest: Record<string, number> = {};
  for (const run of output.split(/^── /m)) {
    const times: Record<string, number> = {};
    let path = "";
    for (const line of run.split("\n")) {
      if (SUMMARY.test(line)) break;
      path = FILE.exec(line)?.[1] ?? path;
      const [, taken] = TEST.exec(line) ?? [];
      if (taken && path)
        times[path] = (times[path] ?? (STARTS_MORE.test(path) ? START_MS : 0)) + Number(taken);
    }
    for (const [name, time] of Object.entries(times))
      longest[name] = Math.round(Math.max(longest[name] ?? 0, time));
  }
  return longest;
}
