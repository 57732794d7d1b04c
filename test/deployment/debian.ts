import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { file } from "bun";
import { run } from "./run";

const CACHE = new URL("../../node_modules/.cache/deployment/", import.meta.url).pathname;

/** Runs a program that must succeed. @returns its output */
export async function must(command: string[], cwd?: string): Promise<string> {
  const { code, output } = await run(command, { cwd });
  if (code !== 0) throw new Error(`${command.join(" ")}\n${output}`);
  return output.trim();
}

/** An archive of a fresh Debian 13 with these packages, reused by later runs. */
export async function debianArchive(name: string, packages: string[]): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  const archive = join(CACHE, `${name}.tar`);
  if (await file(archive).exists()) return archive;
  const include = `--include=${packages.join(",")}`;
  await must(["mmdebstrap", "--variant=minbase", include, "trixie", `${archive}.part`, "--format=tar"]);
  await must(["mv", `${archive}.part`, archive]);
  return archive;
}
