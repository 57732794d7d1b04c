import { lstat, readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathOfFile } from "../../../db/libsql";
import { findUser } from "../../adapters/bun/files/file-access";
import { databaseUrl, ownPaths } from "../../adapters/bun/resources";
import type { Variables } from "../../config";
import { type Finding, findingsOf } from "./finding";

const { warning, failure } = findingsOf("Permissions");

const OTHERS = 0o077;
/** The number of paths to list; the advice fixes all of them. */
const NAMED = 5;

/**
 * Looks for files and folders that other users of this machine can access, and for those that do not belong to the
 * folder's owner, whom the server runs as. A private folder protects its contents.
 */
export async function checkPermissions(variables: Variables): Promise<Finding[]> {
  const dataFolder = resolve(variables.DATA_DIR);
  const database = pathOfFile(databaseUrl(variables));
  const folders = new Set([dataFolder, ...(database === null ? [] : [dirname(resolve(database))])]);
  const findings = await Promise.all(
    [...folders].map(async (folder) => [
      ...(await checkAccess(folder)),
      ...(await checkOwners(folder, ownPaths(variables))),
    ]),
  );
  return findings.flat();
}

async function checkAccess(folder: string): Promise<Finding[]> {
  const open: string[] = [];
  for await (const { path, mode } of walk(folder, ({ mode }) => (mode & OTHERS) !== 0))
    open.push(`${path} (${(mode & 0o777).toString(8).padStart(4, "0")})`);
  if (open.length === 0) return [];
  return warning(
    `other users of this machine can access ${listed(open)}`,
    `\`chmod -R go= ${folder}\`, if nothing else uses the folder`,
  );
}

/** Of what the server creates in the folder: the operator may keep something else there. */
async function checkOwners(folder: string, paths: string[]): Promise<Finding[]> {
  const owner = await lstat(folder).catch(() => null);
  if (!owner) return [];
  const others: string[] = [];
  for (const own of paths.filter((path) => dirname(path) === folder))
    for await (const { path, uid } of walk(own, () => true))
      if (uid !== owner.uid) others.push(`${path} (${(await findUser(uid)).name})`);
  if (others.length === 0) return [];
  const { name, owner: whom, runAs } = await findUser(owner.uid);
  return failure(
    `${folder} belongs to ${name}, but not all in it: ${listed(others)}. A server that runs as ${name} may not be able to use it`,
    `\`chown -R ${whom} ${folder}\`, and run commands as ${name}: \`${runAs} doculopes …\``,
  );
}

function listed(paths: string[]): string {
  const others = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : "";
  return `${paths.slice(0, NAMED).join(", ")}${others}`;
}

type Entry = { path: string; mode: number; uid: number; isFolder: boolean };

/** The path and everything below it, without the folders that do not match and what is in them. */
async function* walk(path: string, matches: (entry: Entry) => boolean): AsyncGenerator<Entry> {
  const found = await lstat(path).catch(() => null);
  if (!found || found.isSymbolicLink()) return;
  const entry = { path, mode: found.mode, uid: found.uid, isFolder: found.isDirectory() };
  if (!matches(entry)) return;
  yield entry;
  if (!entry.isFolder) return;
  for (const name of await readdir(path).catch(() => [])) yield* walk(join(path, name), matches);
}
