import { join, posix } from "node:path";
import { file, Glob } from "bun";

/**
 * The files that a page loads before its first view: those that its HTML references, the given `chunks`, and everything
 * that they import. Paths are relative to `dist`.
 */
export async function loadedBy(
  dist: string,
  page: string,
  chunks: readonly string[] = [],
): Promise<string[]> {
  const files = new Set<string>([page]);
  const waiting = [...localPaths(await file(join(dist, page)).text()), ...chunks];
  for (let path = waiting.shift(); path; path = waiting.shift()) {
    if (files.has(path)) continue;
    files.add(path);
    if (!path.endsWith(".js")) continue;
    const code = await file(join(dist, path)).text();
    for (const [, target] of code.matchAll(/(?:\bfrom|\bimport)\s*"([^"]+\.js)"/g))
      waiting.push(posix.join("assets", posix.basename(target ?? "")));
  }
  return [...files];
}

/** The scripts and style sheets that the HTML references, without icons. */
const localPaths = (html: string) =>
  [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css|woff2?))"/g)].map(([, path]) => path ?? "");

type Weight = { bytes: number; gzip: number; brotli: number };

/**
 * A table of sizes, uncompressed and compressed: each page with everything that it loads first, then each file, largest
 * first.
 */
export async function sizeTable(dist: string): Promise<string> {
  const paths = await Array.fromAsync(new Glob("**/*").scan({ cwd: dist }));
  const files = paths.filter((path) => !/\.(?:br|gz|bcmap)$/.test(path));
  const weights = new Map<string, Weight>();
  for (const path of files) weights.set(path, await weigh(dist, path));
  const columns = (values: readonly (number | string)[]) =>
    values.map((value) => value.toLocaleString("en").padStart(10)).join("");
  const line = (what: string, { bytes, gzip, brotli }: Weight) =>
    `${columns([bytes, gzip, brotli])}  ${what}`;
  const lines = [`${columns(["bytes", "gzip", "brotli"])}\n`];
  for (const page of files.filter((path) => path.endsWith(".html")).sort()) {
    const loaded = await loadedBy(dist, page);
    const all = loaded.flatMap((path) => weights.get(path) ?? []);
    lines.push(line(`${page} and what it loads first`, sum(all)));
    for (const path of loaded) lines.push(line(`  ${path}`, weights.get(path) ?? sum([])));
    lines.push("");
  }
  const sorted = [...weights].sort(([, one], [, other]) => other.bytes - one.bytes);
  return [...lines, ...sorted.map(([path, weight]) => line(path, weight))].join("\n");
}

/** A file that is not worth compressing has the same size in each column. */
async function weigh(dist: string, path: string): Promise<Weight> {
  const bytes = file(join(dist, path)).size;
  const compressed = async (suffix: string) => {
    const found = file(join(dist, path + suffix));
    return (await found.exists()) ? found.size : bytes;
  };
  return { bytes, gzip: await compressed(".gz"), brotli: await compressed(".br") };
}

function sum(weights: readonly Weight[]): Weight {
  const total = { bytes: 0, gzip: 0, brotli: 0 };
  for (const { bytes, gzip, brotli } of weights) {
    total.bytes += bytes;
    total.gzip += gzip;
    total.brotli += brotli;
  }
  return total;
}
