import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { file, type Subprocess, sleep, spawn } from "bun";
import { SERVER } from "../../../worker/cli/build";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const START_MS = 20_000;

export type Server = {
  url: string;
  /** Resident memory in MB: the current value, and the peak since `forgetPeak`. */
  memory(): Promise<{ now: number; peak: number }>;
  forgetPeak(): Promise<void>;
  /** Processor time used so far, in ms. */
  cpu(): Promise<number>;
  stop(): Promise<void>;
  /** Ends the process at once, and starts another one at the same port. */
  killAndRestart(): Promise<void>;
};

const running = new Set<Subprocess>();

/** A temporary folder for `use`. Stops every server that is still running afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "doculopes-bench-"));
  try {
    return await use(folder);
  } finally {
    for (const child of running) child.kill("SIGKILL");
    running.clear();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Runs a script in a separate process until it prints where it "runs at". Its output goes to a file: reading a pipe
 * would cost this process time.
 */
async function startServer(
  script: string,
  folder: string,
  variables: Record<string, string> = {},
  root = ROOT,
): Promise<Server> {
  const flags = process.env.BENCH_PROFILE
    ? ["--cpu-prof", `--cpu-prof-dir=${process.env.BENCH_PROFILE}`]
    : [];
  const start = async (port: string) => {
    const output = join(folder, `${crypto.randomUUID()}.log`);
    const child = spawn([process.execPath, ...flags, script], {
      cwd: root,
      env: { ...process.env, RATE_LIMITS: "off", DATA_DIR: folder, ...variables, PORT: port },
      stdin: "ignore",
      stdout: file(output),
      stderr: "inherit",
    });
    running.add(child);
    return { child, url: await waitForUrl(output, child) };
  };
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await child.exited;
    running.delete(child);
  };
  let { child, url } = await start("0");
  return {
    url,
    memory: () => readMemory(child.pid),
    // Linux: "5" resets the peak to the current value.
    forgetPeak: async () => void (await Bun.write(`/proc/${child.pid}/clear_refs`, "5").catch(() => {})),
    cpu: () => readCpu(child.pid),
    stop: () => end("SIGTERM"),
    async killAndRestart() {
      await end("SIGKILL");
      ({ child, url } = await start(new URL(url).port));
    },
  };
}

/** The app as `bun start` starts it. */
export const startApp = (folder: string, variables: Record<string, string> = {}) =>
  startServer(SERVER, folder, variables);

/** The app of this or another work tree: the released version runs from its sources. */
export const startAppOf = (root: string, folder: string) =>
  startServer(root === ROOT ? SERVER : "worker/bun.ts", folder, {}, root);

/** One of the bare servers in test/bench/baselines. */
export const startBaseline = (name: string, folder: string, variables: Record<string, string> = {}) =>
  startServer(`test/bench/baselines/${name}.ts`, folder, variables);

async function waitForUrl(output: string, child: { exitCode: number | null }): Promise<string> {
  const end = performance.now() + START_MS;
  while (performance.now() < end && child.exitCode === null) {
    const url = /runs at (\S+)/.exec(await readFile(output, "utf8").catch(() => ""))?.[1];
    if (url) return url;
    await sleep(5);
  }
  throw new Error(`The server did not start:\n${await readFile(output, "utf8")}`);
}

async function readMemory(pid: number) {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  return { now: megabytes("VmRSS"), peak: megabytes("VmHWM") };
}

/** Processor time that a process has used so far, in ms. */
export async function readCpu(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The peak memory of a server during the work, in MB above its memory before. */
export async function memoryOver(server: Server, work: () => Promise<unknown>): Promise<number> {
  await server.forgetPeak();
  const before = (await server.memory()).now;
  await work();
  return (await server.memory()).peak - before;
}
