import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { file, Glob } from "bun";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export type Source = {
  /** From the root, with forward slashes. */
  path: string;
  /** As written. */
  text: string;
  /** Without comments. */
  code: string;
};

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|[\s;{}])\/\/.*$/gm;

/** What the build and other tests write, which may be gone when it is read. */
const WRITTEN = /^web\/dist|\.tmp\.ts$/;

/** Every source file of server, browser, database and tests. */
export async function readSources(): Promise<Source[]> {
  const paths = await Array.fromAsync(new Glob("{worker,web,db,test}/**/*.{ts,tsx}").scan({ cwd: ROOT }));
  const own = paths.map((path) => path.replaceAll("\\", "/")).filter((path) => !WRITTEN.test(path));
  return Promise.all(own.sort().map(readSource));
}

async function readSource(path: string): Promise<Source> {
  const text = await file(join(ROOT, path)).text();
  const code = text.replace(COMMENT, "");
  return { path, text, code };
}
