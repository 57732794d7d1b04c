/**
 * Runs every check on a machine that has only Bun: `bun run test`, or some groups of them: `bun run test checks quick`.
 * Imports only Bun's own modules, because packages may not be installed yet.
 */
import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";
import { spawn, spawnSync, which } from "bun";
import { findChromium, HEADLESS_SHELL } from "./support/browser/find-chromium";

/** `engines` are Firefox and WebKit. */
const GROUPS = [
  "checks",
  "timed",
  "quick",
  "workerd",
  "waiting",
  "processes",
  "chromium",
  "engines",
] as const;
type Group = (typeof GROUPS)[number];

type Tally = { passed: number; failed: number };
type Result = { name: string; ok: boolean; output: string };
type Run = {
  name: string;
  command: string[];
  /** So many processes, among which the files are divided. */
  shards?: number;
  /** Databases and browser profiles wait for no disk: for tests that are not about what is on one. */
  inMemory?: boolean;
};

const ROOT = new URL("..", import.meta.url).pathname;
/** The PATH may lack the folder of daemons. */
const PROGRAM_FOLDERS = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;
/** The Debian package of each program that tests start, and their groups. */
const PROGRAMS: [program: string, name: string, groups: Group[]][] = [
  [HEADLESS_SHELL, HEADLESS_SHELL, ["chromium"]],
  ["clamd", "clamav-daemon", ["processes"]],
  ["apache2", "apache2", ["processes"]],
  ["nginx", "nginx-light", ["processes"]],
  ["rclone", "rclone", ["processes"]],
  ["7z", "p7zip-full", ["quick", "workerd"]],
  ["unzip", "unzip", ["quick", "workerd"]],
  ["firefox-esr", "firefox-esr", ["engines"]],
  ["WebKitWebDriver", "webkit2gtk-driver", ["engines"]],
  ["Xvfb", "xvfb", ["engines"]],
];
const bun = process.execPath;

const CHECKS: Record<string, string[]> = {
  "Type check": [bun, "run", "typecheck"],
  "Lint and format": [bun, "run", "check"],
  "Unused code": [bun, "run", "knip"],
};
/** Before several processes need it at once. */
const BUILD = { Build: [bun, "worker/cli/build.ts"] };
/** What each file took, in milliseconds: balances shards, and starts the slowest files first. */
const TIMINGS = "--timings=test/timings.json";
/** Those that bunfig.toml keeps out of a plain `bun test`. */
const slow = (ignored = "none/**") => [
  bun,
  "test",
  `--path-ignore-patterns=**/${ignored}`,
  "--timeout=300000",
];
/** Each process loads the server and Playwright once, which takes a second of CPU, instead of for each file. */
const inProcesses = (count: number) => [`--parallel=${count}`, "--no-isolate", TIMINGS];

const given = process.argv.slice(2);
const unknown = given.filter((name) => !GROUPS.some((group) => group === name));
if (unknown.length > 0) {
  print(`Unknown: ${unknown.join(", ")}. The groups of tests are ${GROUPS.join(", ")}.`);
  process.exit(1);
}
const isChosen = (group: Group) => given.length === 0 || given.includes(group);
/** The value if the group is chosen. */
const chosen = <T>(group: Group, ...values: T[]): T[] => (isChosen(group) ? values : []);

/** They measure how long others wait, which a machine that is busy with other tests would decide. */
const TIMED: Run = { name: "Timed tests", command: [...slow(), "test/timed/"], inMemory: true };
/** They wait for leases and for calls that time out, so they run beside all others. */
const WAITING: Run = {
  name: "Tests that wait",
  // Not with `--parallel`, which runs its concurrent tests one after the other.
  command: [...slow(), "test/faults/leases.test.ts", "test/faults/r2-outage.test.ts"],
};
const QUICK: Run = {
  name: "Unit, interface and runtime tests",
  command: [bun, "test", "--timeout=480000", TIMINGS],
  // Divided beforehand, because `--parallel` ends a shared workerd after each file.
  shards: 2,
  inMemory: true,
};
const WORKERD: Run = {
  name: "Tests in workerd",
  command: [bun, "run", "workerd", "--timings=test/timings-workerd.json", "test/api/", "test/contract/r2-"],
  shards: 2,
  inMemory: true,
};
const PROCESSES: Run = {
  name: "Tests of real processes",
  command: [...slow("{leases,r2-outage}.test.ts"), ...inProcesses(2), "test/system/", "test/faults/"],
};
/**
 * A test about data, isolation or security runs once: a loss that occurs one time in three is a failure. Browser tests
 * may have a second attempt, and the last lines name each test that needed it. Three at a time, since two of them leave a
 * quarter of two cores idle.
 */
const BROWSERS: Run = {
  name: "Browser tests",
  command: [
    ...slow(),
    ...inProcesses(3),
    "--retry=1",
    ...chosen("chromium", "test/e2e/"),
    ...chosen("engines", "test/engines/"),
  ],
  inMemory: true,
};
/**
 * After the timed ones, one after another; those of one step concurrently. A step begins when one process of the earlier
 * ones is left, which alone would leave half of two cores idle.
 */
const STEPS: Run[][] = [
  chosen("quick", QUICK),
  // Real processes wait a lot.
  [...chosen("workerd", WORKERD), ...chosen("processes", PROCESSES)],
  isChosen("chromium") || isChosen("engines") ? [BROWSERS] : [],
];
const MEMORY = "/dev/shm";
const REASON_LINES = 60;
const MEMORY_BYTES = 2 * 1024 ** 3;

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

const total: Tally = { passed: 0, failed: 0 };
const failures: string[] = [];
const failed: string[] = [];
const retried: string[] = [];
/** Whether a process's output is shown live. */
let isShown = false;

if (!(await run("Packages", [bun, "install", "--frozen-lockfile", "--no-progress"])).ok) process.exit(1);
requirePrograms();
const needsBuild = GROUPS.some((group) => group !== "quick" && group !== "timed" && isChosen(group));
const before = { ...(isChosen("checks") && CHECKS), ...(needsBuild && BUILD) };
const checks = Object.entries(before).map(([name, command]) => run(name, command));
for (const { name, ok } of await Promise.all(checks)) if (!ok) fail(name);
await Promise.all(chosen("timed", TIMED).flatMap((tests) => start(tests)));
const waiting = chosen("waiting", WAITING).flatMap((tests) => start(tests, { live: false }));
const running = new Set<Promise<void>>();
for (const step of STEPS) {
  while (running.size > 1) await Promise.race(running);
  for (const ended of step.flatMap((tests) => start(tests))) {
    running.add(ended);
    void ended.then(() => running.delete(ended));
  }
}
await Promise.all([...running, ...waiting]);

if (retried.length > 0) print(`\nPassed at the second attempt only:\n${retried.join("\n")}`);
if (failed.length > 0) print(`\nFailed tests:\n${failed.join("\n")}`);
if (failures.length > 0) print(`\nFailed: ${failures.join("; ")}`);
print(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** Adds what a run's output says to the totals. */
function count({ name, ok, output }: Result): void {
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

/** Starts the processes of the tests. @returns for each a promise that it has ended and what it says is counted */
function start({ name, command, shards = 1, inMemory }: Run, options: { live?: boolean } = {}) {
  const temporary = inMemory ? makeMemoryFolder() : undefined;
  const all = Array.from({ length: shards }, async (_, index) => {
    const shard = `${index + 1}/${shards}`;
    const [title, part] = shards === 1 ? [name, []] : [`${name} ${shard}`, [`--shard=${shard}`]];
    count(await run(title, [...command, ...part], { ...options, temporary }));
  });
  if (temporary) void Promise.all(all).then(() => rmSync(temporary, { recursive: true, force: true }));
  return all;
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
  { live: mayBeLive = true, temporary }: { live?: boolean; temporary?: string } = {},
): Promise<Result> {
  const live = mayBeLive && !isShown;
  if (live) isShown = true;
  if (live) print(`\n── ${name}`);
  const started = performance.now();
  const child = spawn(command, {
    cwd: ROOT,
    env: { ...process.env, ...(temporary && { TMPDIR: temporary }) },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [shown, reported] = await Promise.all([read(child.stdout, live), read(child.stderr, live)]);
  const ok = (await child.exited) === 0;
  if (live) isShown = false;
  else print(`\n── ${name}\n${shown}${reported}`);
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
 * Browser tests need Chromium, Firefox and WebKit, those of the virus scanner clamd, those of archives 7z and unzip,
 * those of WebDAV its servers;
 * Debian's packages are installed if permitted. A missing program never skips a test: the tests that need it fail.
 */
function requirePrograms(): void {
  const missing = PROGRAMS.filter(([, , groups]) => groups.some(isChosen))
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
  if (missing.includes(HEADLESS_SHELL) && !findChromium())
    callApt("install", "--yes", "--no-install-recommends", "chromium");
}

function callApt(...step: string[]): void {
  spawnSync(["apt-get", "--quiet", ...step], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
}
