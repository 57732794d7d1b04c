import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type BuildMetafile, build, write } from "bun";
import { definedRevision } from "../../adapters/bun/revision";
import { ROOT } from "./stage-assets";

/** wrangler.toml names this folder. */
const PARTS = "parts";

/** What the Worker imports only when it needs it is read only then. */
type WorkerModule = { name: string; text: string; readAtStart: boolean };

/** Writes what wrangler deploys to the folder: `cloudflare.js`, the modules that it imports, and their source maps. */
export async function bundleWorker(folder: string): Promise<WorkerModule[]> {
  const { modules, maps } = await bundleForWorkerd("worker/cloudflare.ts", { minify: true });
  // Their names have hashes, and wrangler deploys all that it finds.
  await rm(join(folder, PARTS), { recursive: true, force: true });
  for (const { name, text } of [...modules, ...maps]) await write(join(folder, name), text);
  return modules;
}

/**
 * Bundles an entry for workerd, with the bundler of the tests in workerd and of deployments.
 * @returns the modules, the entry first, and their source maps
 */
export async function bundleForWorkerd(entry: string, { minify }: { minify: boolean }) {
  const { outputs, metafile } = await build({
    entrypoints: [join(ROOT, entry)],
    splitting: true,
    minify,
    naming: { chunk: `${PARTS}/[hash].[ext]` },
    sourcemap: "linked",
    metafile: true,
    target: "browser",
    conditions: ["workerd", "worker", "browser"],
    define: { ...definedRevision(), "process.env.NODE_ENV": '"production"' },
    external: ["cloudflare:*", "node:*"],
  });
  const entryPath = outputs.find(({ kind }) => kind === "entry-point")?.path ?? "";
  const atStart = readAtStart(metafile?.outputs ?? {}, entryPath);
  const modules: WorkerModule[] = [];
  const maps: { name: string; text: string }[] = [];
  for (const output of outputs) {
    const { path, kind } = output;
    const file = { name: path.replace("./", ""), text: await output.text() };
    if (kind === "sourcemap") maps.push(file);
    // Miniflare takes the first module for the entry.
    else modules[kind === "entry-point" ? "unshift" : "push"]({ ...file, readAtStart: atStart.has(path) });
  }
  return { modules, maps };
}

/** The outputs that are read before the first request: the entry, and what it imports other than by `import()`. */
function readAtStart(
  outputs: BuildMetafile["outputs"],
  path: string,
  found = new Set<string>(),
): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const { path: imported, kind } of outputs[path]?.imports ?? [])
    if (kind === "import-statement" && imported in outputs) readAtStart(outputs, imported, found);
  return found;
}
