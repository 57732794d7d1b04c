/**
 * Runs every check on a machine that has only Bun: `bun run test`. Imports only Bun's own modules, because packages
 * may not be installed yet.
 */
import { spawn, spawnSync, which } from "bun";

type Tally = { passed: number; failed: number };

const ROOT = new URL("..", import.meta.url).pathname;
const BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/** The PATH may lack the folder of daemons. */
const PROGRAM_FOLDERS = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;
/** The Debian package of each program that tests start. */
const PACKAGES = {
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
  "Web app": [bun, "web/build.ts"],
};
/** Those that bunfig.toml keeps out of a plain `bun test`. */
const SLOW = [bun, "test", "--path-ignore-patterns=**/none/**", "--timeout=60000"];
/**
 * A test about data, isolation or security runs once: a loss that is seen one time in three is a failure. A browser
 * may try a test twice, and the last lines name each test that needed it.
 */
const RUNS: Record<string, string[]> = {
  "Unit, interface and runtime tests": [bun, "test", "--timeout=30000"],
  "Tests of real processes": [...SLOW, "test/system/", "test/faults/"],
  "Browser tests": [...SLOW, "--retry=1", "test/e2e/", "test/engines/"],
};

const total: Tally = { passed: 0, failed: 0 };
const failures: string[] = [];
const retried: string[] = [];

if (!(await run("Packages", [bun, "install", "--frozen-lockfile", "--no-progress"])).ok) process.exit(1);
await requirePrograms();
for (const [name, command] of Object.entries(CHECKS)) {
  if (!(await run(name, command)).ok) fail(name);
}
for (const [name, command] of Object.entries(RUNS)) {
  const { ok, output } = await run(name, command);
  const tally = readTally(output);
  total.passed += tally.passed;
  total.failed += tally.failed;
  retried.push(...readRetried(output));
  if (tally.passed + tally.failed === 0) fail(`${name}: no test was run`);
  else if (!ok && tally.failed === 0) fail(name);
}

if (retried.length > 0) say(`\nPassed at the second attempt only:\n${retried.join("\n")}`);
if (failures.length > 0) say(`\nFailed: ${failures.join("; ")}`);
say(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** A failing check counts as a failing test. */
function fail(name: string): void {
  failures.push(name);
  total.failed += 1;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Runs a command in the repository's root and forwards its output. */
async function run(name: string, command: string[]): Promise<{ ok: boolean; output: string }> {
  say(`\n── ${name}`);
  const started = performance.now();
  const child = spawn(command, { cwd: ROOT, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [shown, reported] = await Promise.all([show(child.stdout), show(child.stderr)]);
  const ok = (await child.exited) === 0;
  say(`── ${name}: ${ok ? "ok" : "failed"} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  return { ok, output: shown + reported };
}

async function show(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    process.stdout.write(chunk);
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/** The tests that did not pass at their first attempt, as the runner's lines name them. */
function readRetried(output: string): string[] {
  return [...output.matchAll(/^\(pass\) (.+) \(attempt \d+\)/gm)].map(([, name]) => `  ${name}`);
}

/** The last ` 12 pass` and ` 0 fail` of the runner's summary. */
function readTally(output: string): Tally {
  const last = (word: string) =>
    Number([...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0);
  return { passed: last("pass"), failed: last("fail") + last("errors?") };
}

/**
 * The browser tests need Chromium, Firefox and WebKit, those of the virus scanner a clamd, those of archives 7z and
 * unzip; Debian's are installed where this may be done. No absence skips a test: those that need the program fail.
 */
async function requirePrograms(): Promise<void> {
  process.env.CHROMIUM_PATH ||= BROWSERS.map((name) => which(name)).find((path) => path !== null);
  const missing = [
    ...(process.env.CHROMIUM_PATH ? [] : ["chromium"]),
    ...Object.entries(PACKAGES).flatMap(([program, name]) =>
      which(program, { PATH: PROGRAM_FOLDERS }) ? [] : [name],
    ),
  ];
  if (missing.length === 0) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !which("apt-get")) {
    say(`\nNot found, so that the tests which need it will fail: ${missing.join(", ")}`);
    return;
  }
  say(`\n── ${missing.join(", ")}, from this system's packages`);
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const step of [["update"], ["install", "--yes", "--no-install-recommends", ...missing]]) {
    spawnSync(["apt-get", "--quiet", ...step], {
      env: environment,
      stdin: "ignore",
      stdout: "inherit",
      stderr: "inherit",
    });
  }
}
