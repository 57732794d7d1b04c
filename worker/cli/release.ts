import { createHash } from "node:crypto";
import { basename, join, resolve } from "node:path";
import { file, spawn, write } from "bun";
import { StartError } from "../adapters/bun/start-error";
import { readArguments } from "./administration/arguments";
import { exitWith, print } from "./messages";

const CHECKSUMS = "SHA256SUMS";

export type PreparedRelease = {
  version: string;
  tag: string;
  commit: string;
  /** The version's section of CHANGELOG.md. */
  notes: string;
  /** The paths of what is published, with the checksums of the others at the end. */
  artifacts: string[];
};

/**
 * Checks that the repository's current commit can be released as the version of its package.json, and writes what is
 * published into the folder.
 * @throws StartError that says what is missing
 */
export async function prepareRelease(
  root: string,
  folder: string,
  compile: (path: string) => Promise<void>,
): Promise<PreparedRelease> {
  const git = (...args: string[]) => run(["git", ...args], root);
  const { version } = await file(join(root, "package.json")).json();
  const tag = `v${version}`;
  const notes = notesOf(version, await file(join(root, "CHANGELOG.md")).text());
  if (await git("status", "--porcelain")) throw new StartError("There are changes that are not committed");
  if (await git("tag", "--list", tag)) throw new StartError(`The tag ${tag} exists already`);

  const name = `doculopes-${version}`;
  const sources = join(folder, `${name}.tar.gz`);
  const executable = join(folder, `${name}-${process.platform}-${process.arch}`);
  await write(sources, "");
  await git("archive", `--prefix=${name}/`, `--output=${sources}`, "HEAD");
  await compile(executable);
  const sums = [];
  for (const path of [sources, executable]) sums.push(`${await sha256(path)}  ${basename(path)}\n`);
  const checksums = join(folder, CHECKSUMS);
  await write(checksums, sums.join(""));
  const commit = await git("rev-parse", "HEAD");
  return { version, tag, commit, notes, artifacts: [sources, executable, checksums] };
}

/** What CHANGELOG.md says of the version, whose section must be the first and have a date. */
function notesOf(version: string, changelog: string): string {
  const [, section = ""] = changelog.split(/^## /m);
  const [heading = "", ...notes] = section.split("\n");
  const [, named, date] = /^\[(.+)\] - (\d{4}-\d\d-\d\d)$/.exec(heading) ?? [];
  if (named === version && date) return notes.join("\n").trim();
  throw new StartError(
    `CHANGELOG.md begins with "${heading}", but package.json has ${version}: "[${version}] - <date>" is needed`,
  );
}

async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of file(path).stream()) hash.update(chunk);
  return hash.digest("hex");
}

/** @throws StartError with what the command says if it fails */
async function run(command: string[], cwd: string): Promise<string> {
  const child = spawn(command, { cwd, stdout: "pipe", stderr: "pipe" });
  const [output, problems] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new StartError(`${command.join(" ")}: ${problems.trim()}`);
  return output.trim();
}

/** `bun run release`: publishes the current commit as its version; `--dry-run` only writes what would be published. */
async function main(args: string[]): Promise<void> {
  const root = process.cwd();
  const options = { "dry-run": { type: "boolean", default: false } } as const;
  const usage = "bun run release [--dry-run] <folder>";
  const { values, positionals } = readArguments(args, { usage, options, names: ["<folder>"] });
  const compile = async (path: string) => {
    await run([process.execPath, join(import.meta.dir, "compile.ts"), path], root);
  };
  const folder = resolve(positionals[0] ?? "");
  const { version, tag, commit, notes, artifacts } = await prepareRelease(root, folder, compile);
  await print(`${tag} of ${commit}\n\n${notes}\n`);
  await print((await file(join(folder, CHECKSUMS)).text()).trim());
  if (values["dry-run"]) return print("Nothing was published.");
  // Creates the tag with the release, so that neither exists without the other.
  const texts = ["--target", commit, "--title", `Doculopes ${version}`, "--notes", notes];
  await print(await run(["gh", "release", "create", tag, ...texts, ...artifacts], root));
}

if (import.meta.main) await main(process.argv.slice(2)).catch(exitWith);
