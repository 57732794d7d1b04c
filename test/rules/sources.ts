import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { file, Glob } from "bun";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export type Import = {
  /** A path from the root without its extension, or a package's name as written. */
  target: string;
  typeOnly: boolean;
};

export type Source = {
  /** From the root, with forward slashes. */
  path: string;
  /** As written. */
  text: string;
  /** Without comments. */
  code: string;
  imports: Import[];
};

const IMPORT =
  /(?:^|[;}\s])(?:import|export)\s+(type\s)?(?:[\w*{},\s$]+?\sfrom\s*)?["']([^"']+)["']|\bimport\s*\(\s*["']([^"']+)["']/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|[\s;{}])\/\/.*$/gm;

/** Every source file of the server, the browser, the database and the tests. */
export async function readSources(): Promise<Source[]> {
  const paths = await Array.fromAsync(new Glob("{worker,web,db,test}/**/*.{ts,tsx}").scan({ cwd: ROOT }));
  const own = paths.map((path) => path.replaceAll("\\", "/")).filter((path) => !/^web\/dist/.test(path));
  return Promise.all(own.sort().map(readSource));
}

async function readSource(path: string): Promise<Source> {
  const text = await file(join(ROOT, path)).text();
  const code = text.replace(COMMENT, "");
  const imports = [...code.matchAll(IMPORT)].map(([, type, named, loaded]) => ({
    target: resolveTarget(path, named ?? loaded ?? ""),
    typeOnly: Boolean(type),
  }));
  return { path, text, code, imports };
}

function resolveTarget(from: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  return normalize(join(dirname(from), specifier)).replace(/\.tsx?$/, "");
}

/** `path -> target` for every import that breaks the rule. */
export function violationsOf(
  sources: Source[],
  isBreach: (source: Source, target: Import) => boolean,
): string[] {
  return sources.flatMap((source) =>
    source.imports
      .filter((target) => isBreach(source, target))
      .map(({ target }) => `${source.path} -> ${target}`),
  );
}
