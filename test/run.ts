/**
 * Runs every check on a machine that has only Bun: `bun run test`, and the quick tests alone: `bun run quick`. Imports
 * only Bun's own modules, because packages may not be installed yet.
 */
import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";
import { spawn, spawnSync, which } from "bun";
import { findChromium, HEADLESS_SHELL } from "./support/browser/find-chromium";

type Tally = { passed: number; failed: number };
type Result = { name: string; ok: boolean; output: string };
type Options = { live?: boolean; temporary?: string };

const ROOT = new URL("..", import.meta.url).pathname;
/** The PATH may lack the folder of daemons. */
const PROGRAM_FOLDERS = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;
/** The Debian package of each program that tests start. */
const PACKAGES = {
  [HEADLESS_SHELL]: HEADLESS_SHELL,
  clamd: "clamav-daemon",
  "7z": "p7zip-full",
  unzip: "unzip",
  "firefox-esr": "firefox-esr",
  WebKitWebDriver: "webkit2gtk-driver",
  Xvfb: "xvfb",
};
const bun = process.execPath;

const CHECKS: Record<string, string[]> = {
  "Type check": [bun, "run", "typecheck"],
  "Lint and format": [bun, "run", "check"],
  "Unused code": [bun, "run", "knip"],
  Build: [bun, "worker/cli/build.ts"],
};
const QUICK = "Unit, interface and runtime tests";
const WORKERD = "Tests in workerd";
const BROWSER = "Browser tests";
/** They wait for leases and for calls that time out, so they run beside the others. */
const WAITING = "Tests that wait";
/** What each file took, in milliseconds: balances shards, and starts the slowest files first. */
const TIMINGS = "--timings=test/timings.json";
const WORKERD_TIMINGS = "--timings=test/timings-workerd.json";
/** These are divided among two processes beforehand, because `--parallel` ends a shared workerd after each file. */
const SHARDS: Record<string, number> = { [QUICK]: 2, [WORKERD]: 2 };
/** Those that bunfig.toml keeps out of a plain `bun test`. */
const slow = (ignored = "none/**") => [
  bun,
  "test",
  `--path-ignore-patterns=**/${ignored}`,
  "--timeout=120000",
];
/**
 * Three at a time, since two of them leave a quarter of two cores idle. Each process loads the server and Playwright once,
 * which takes a second of CPU, instead of for each file.
 */
const SHARED = ["--parallel=3", "--no-isolate", TIMINGS];
/**
 * A test about data, isolation or security runs once: a loss that occurs one time in three is a failure. Browser tests
 * may have a second attempt, and the last lines name each test that needed it.
 */
const RUNS: Record<string, string[]> = {
  [QUICK]: [bun, "test", "--timeout=30000", TIMINGS],
  [WORKERD]: [bun, "run", "workerd", WORKERD_TIMINGS, "test/api/", "test/contract/r2-"],
  // Not with `--parallel`, which runs its concurrent tests one after the other.
  [WAITING]: [...slow(), "test/faults/leases.test.ts", "test/faults/r2-outage.test.ts"],
  "Tests of real processes": [
    ...slow("{leases,r2-outage}.test.ts"),
    ...SHARED,
    "test/system/",
    "test/faults/",
  ],
  [BROWSER]: [...slow(), ...SHARED, "--retry=1", "test/e2e/", "test/engines/"],
};
/** Databases and browser profiles of these wait for no disk. The other tests are about what is on one. */
const IN_MEMORY = [QUICK, WORKERD, BROWSER];
const MEMORY = "/dev/shm";
const REASON_LINES = 60;
const MEMORY_BYTES = 2 * 1024 ** 3;

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

const total: Tally = { passed: 0, failed: 0 };
const failures: string[] = [];
const failed: string[] = [];
const retried: string[] = [];
const quickOnly = process.argv.includes("quick");

if (!(await run("Packages", [bun, "install", "--frozen-lockfile", "--no-progress"])).ok) process.exit(1);
if (!quickOnly) {
  await requirePrograms();
  const checks = Object.entries(CHECKS).map(([name, command], index) =>
    run(name, command, { live: index === 0 }),
  );
  for (const { name, ok } of await Promise.all(checks)) if (!ok) fail(name);
}
const { [WAITING]: waiting = [], ...inOrder } = RUNS;
const beside = quickOnly ? undefined : run(WAITING, waiting, { live: false });
for (const [name, command] of Object.entries(inOrder)) {
  if (quickOnly && name !== QUICK) continue;
  for (const result of await runShards(name, command, SHARDS[name] ?? 1)) count(name, result);
}
if (beside) count(WAITING, await beside);

if (retried.length > 0) print(`\nPassed at the second attempt only:\n${retried.join("\n")}`);
if (failed.length > 0) print(`\nFailed tests:\n${failed.join("\n")}`);
if (failures.length > 0) print(`\nFailed: ${failures.join("; ")}`);
print(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** Adds what a run's output says to the totals. */
function count(name: string, { ok, output }: Result): void {
  const tally = readTally(output);
  total.passed += tally.passed;
  total.failed += tally.failed;
  failed.push(...readFailed(output));
  retried.push(...readRetried(output));
  if (tally.passed + tally.failed === 0) fail(`${name}: no test was run`);
  else if (!ok && tally.failed === 0) fail(name);
}

/** A failing check counts as a failing test. */
function fail(name: string): void {
  failures.push(name);
  total.failed += 1;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Runs the test command in this many concurrent processes, each with its share of the test files. */
async function runShards(name: string, command: string[], count: number): Promise<Result[]> {
  const temporary = IN_MEMORY.includes(name) ? makeMemoryFolder() : undefined;
  const shards = Array.from({ length: count }, (_, index) => `${index + 1}/${count}`);
  const results = await Promise.all(
    shards.map((shard, index) =>
      count === 1
        ? run(name, command, { temporary })
        : run(`${name} ${shard}`, [...command, `--shard=${shard}`], { live: index === 0, temporary }),
    ),
  );
  if (temporary) rmSync(temporary, { recursive: true, force: true });
  return results;
}

/** A folder in memory if there is enough, which is removed at the end, also of a run that is stopped. */
function makeMemoryFolder(): string | undefined {
  if (!existsSync(MEMORY)) return;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (Math.min(bavail * bsize, freemem()) < MEMORY_BYTES) return;
  const folder = mkdtempSync(join(MEMORY, "doculopes-tests-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a command in the repository's root and forwards its output, at its end if another one's is shown live. */
async function run(
  name: string,
  command: string[],
  { live = true, temporary }: Options = {},
): Promise<Result> {
  if (live) print(`\n── ${name}`);
  const started = performance.now();
  const env = { ...process.env, ...(temporary && { TMPDIR: temporary }) };
  const child = spawn(command, { cwd: ROOT, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [shown, reported] = await Promise.all([read(child.stdout, live), read(child.stderr, live)]);
  const ok = (await child.exited) === 0;
  if (!live) print(`\n── ${name}\n${shown}${reported}`);
  print(`── ${name}: ${ok ? "ok" : "failed"} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  return { name, ok, output: shown + reported };
}

async function read(stream: ReadableStream<Uint8Array>, live: boolean): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    if (live) process.stdout.write(chunk);
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/** The tests that did not pass at their first attempt, parsed from the runner's lines. */
function readRetried(output: string): string[] {
  return [...output.matchAll(/^\(pass\) (.+) \(attempt \d+\)/gm)].map(([, name]) => `  ${name}`);
}

/** Each failed test with the lines that say why, above it or, for a timeout, below it. */
function readFailed(output: string): string[] {
  const failed: string[] = [];
  let reason: string[] = [];
  for (const line of output.split("\n")) {
    // The runner's summary repeats the names.
    if (/^\d+ tests failed:$/.test(line)) break;
    if (line.startsWith("  ^ ")) failed.push(line);
    if (line.startsWith("(fail) ")) failed.push(...reason.slice(-REASON_LINES), line);
    if (/^\((pass|fail)\) /.test(line)) reason = [];
    else reason.push(line);
  }
  return failed;
}

/** The last ` 12 pass` and ` 0 fail` of the runner's summary. */
function readTally(output: string): Tally {
  const last = (word: string) =>
    Number([...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0);
  return { passed: last("pass"), failed: last("fail") + last("errors?") };
}

/**
 * Browser tests need Chromium, Firefox and WebKit, those of the virus scanner clamd, those of archives 7z and unzip;
 * Debian's packages are installed if permitted. A missing program never skips a test: the tests that need it fail.
 */
async function requirePrograms(): Promise<void> {
  const missing = Object.entries(PACKAGES)
    .filter(([program]) => !which(program, { PATH: PROGRAM_FOLDERS }))
    .map(([, name]) => name)
    .filter((name) => name !== HEADLESS_SHELL || !process.env.CHROMIUM_PATH);
  if (missing.length === 0) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !which("apt-get")) {
    const needed = missing.filter((name) => name !== HEADLESS_SHELL || !findChromium());
    if (needed.length > 0)
      print(`\nNot found, so that the tests which need it will fail: ${needed.join(", ")}`);
    return;
  }
  print(`\n── ${missing.join(", ")}, from this system's packages`);
  callApt("update");
  // One by one, because apt installs nothing if it does not know one of them.
  for (const name of missing) callApt("install", "--yes", "--no-install-recommends", name);
  if (!findChromium()) callApt("install", "--yes", "--no-install-recommends", "chromium");
}

function callApt(...step: string[]): void {
  spawnSync(["apt-get", "--quiet", ...step], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
}
