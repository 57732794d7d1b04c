import { randomUUID } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { build, file, write } from "bun";
import { buildWeb, hashSources } from "../../web/build";
import { definedRevision } from "../adapters/bun/revision";

const ROOT = join(import.meta.dir, "../..");
const DIST = join(ROOT, "worker/dist");
const STAMP = join(DIST, "build.json");
/** The files that the bundle depends on. */
const SOURCES = [
  "worker/!(dist)/**/*.{ts,json}",
  "worker/*.ts",
  "db/**/*.ts",
  "locales/*/*.json",
  "package.json",
  "bun.lock",
];

const OLD_MS = 7 * 24 * 60 * 60_000;

/** What `bun start` runs. */
export const SERVER = "worker/dist/bun.js";

/** Builds the web app and the server, unless their sources are unchanged since the last build. */
export async function buildAll(): Promise<void> {
  await Promise.all([buildWeb(), buildServer()]);
}

/** Bundles the server: from its hundreds of source files it starts half as fast again and needs 10 MB more. */
async function buildServer(): Promise<void> {
  const revision = definedRevision();
  const stamp = `${await hashSources(SOURCES)} ${revision.BUILT_REVISION}`;
  const last = await file(STAMP)
    .json()
    .catch(() => null);
  if (last?.stamp === stamp) return;
  const { outputs } = await build({
    entrypoints: [join(ROOT, "worker/bun.ts")],
    target: "bun",
    splitting: true,
    define: {
      ...revision,
      BUILT_WEB_APP: '"../../web/dist"',
      BUILT_MIGRATIONS: '"../../db/migrations"',
    },
    // It finds its native library at run time.
    external: ["libsql"],
  });
  for (const output of outputs.toReversed()) await replace(join(DIST, output.path), output);
  await replace(STAMP, JSON.stringify({ stamp }));
  await removeOldParts(new Set(outputs.map(({ path }) => basename(path))));
}

/** A running server may still load parts of the bundle that it was started from, whose names differ. */
async function removeOldParts(current: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(DIST)) {
    const path = join(DIST, name);
    if (current.has(name) || path === STAMP || Date.now() - file(path).lastModified < OLD_MS) continue;
    await rm(path, { force: true });
  }
}

/** Other processes may build or start at the same time. */
async function replace(path: string, content: Blob | string): Promise<void> {
  const written = `${path}.${randomUUID()}`;
  await write(written, content);
  await rename(written, path);
}

if (import.meta.main) {
  const started = performance.now();
  await buildAll();
  process.stdout.write(`Built in ${Math.round(performance.now() - started)} ms\n`);
}
