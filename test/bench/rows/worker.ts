import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { ROOT } from "../../rules/sources";
import { workerModules } from "../../support/runtime/workerd";
import { readCpu } from "../harness/process";
import { median, type Row } from "../harness/row";

const ROUNDS = 5;
const BARE = {
  type: "ESModule" as const,
  path: "worker.mjs",
  contents: `export default { fetch: () => new Response("ok") };`,
};
type Modules = (typeof BARE)[];

/**
 * The deployed Worker's script without what it loads on demand, and what the Worker adds to the start of the local runtime: workerd's processor time up to a
 * response that needs no database, above that of an empty Worker.
 */
export const worker: Row = async () => {
  const modules = await workerModules("worker/cloudflare.ts", { minify: true });
  const script = modules.filter(({ readAtStart }) => readAtStart).map(({ contents }) => contents);
  const bare: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const times = [await startUp([BARE]), await startUp(modules)] as const;
    // The first start reads workerd itself from disk.
    if (round === 0) continue;
    bare.push(times[0]);
    whole.push(times[1]);
  }
  return [
    {
      what: "Worker's script, gzip",
      unit: "KB",
      value: gzipSync(script.join("")).length / 1024,
      goal: { of: "value", atMost: 256 },
    },
    {
      what: "Worker's start-up in workerd, over that of an empty one",
      unit: "CPU ms",
      value: median(whole.map((taken, round) => taken - (bare[round] ?? Number.NaN))),
      goal: { of: "value", atMost: 80 },
    },
    {
      what: "The same, from the start of workerd to the first answer",
      unit: "CPU ms",
      value: median(whole),
      baseline: { name: "an empty Worker", value: median(bare) },
    },
  ];
};

/** @returns workerd's processor time in ms */
async function startUp(modules: Modules): Promise<number> {
  const before = new Set(await children());
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules,
      modulesRoot: ROOT,
      compatibilityDate: "2026-11-01",
      compatibilityFlags: ["nodejs_compat"],
      d1Databases: { DB: "db" },
      r2Buckets: { FILES: "files" },
      handleStructuredLogs() {},
      cf: false,
      log: new Log(LogLevel.ERROR),
    }),
  );
  try {
    const { origin } = await miniflare.ready;
    await (await fetch(`${origin}/api/nothing`)).text();
    const [workerd] = (await children()).filter((pid) => !before.has(pid));
    if (workerd === undefined) throw new Error("workerd did not start as a child of this process");
    return await readCpu(workerd);
  } finally {
    await miniflare.dispose();
  }
}

async function children(): Promise<number[]> {
  const text = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}
