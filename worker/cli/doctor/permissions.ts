import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathOfFile } from "../../../db/libsql";
import { databaseUrl } from "../../adapters/bun/resources";
import type { Variables } from "../../config";
import { type Finding, findingsOf } from "./finding";

const { warning } = findingsOf("Permissions");

const OTHERS = 0o077;
/** The number of paths to list; the advice fixes all of them. */
const NAMED = 5;

/** Looks for files and folders that other users of this machine can access. A private folder protects its contents. */
export async function checkPermissions(variables: Variables): Promise<Finding[]> {
  const dataFolder = resolve(variables.DATA_DIR);
  const database = pathOfFile(databaseUrl(variables));
  const folders = new Set([dataFolder, ...(database === null ? [] : [dirname(resolve(database))])]);
  const findings = await Promise.all([...folders].map(checkFolder));
  return findings.flat();
}

async function checkFolder(folder: string): Promise<Finding[]> {
  const open = await openPaths(folder);
  if (open.length === 0) return [];
  const named = open.slice(0, NAMED).map(({ path, mode }) => `${path} (${mode})`);
  const others = open.length > NAMED ? ` and ${open.length - NAMED} more` : "";
  return [
    warning(
      `other users of this machine can access ${named.join(", ")}${others}`,
      `\`chmod -R go= ${folder}\`, if nothing else uses the folder`,
    ),
  ];
}

type Open = { path: string; mode: string };

/**
 * The paths that others can access: the path itself and, if it is a folder that others may enter, everything below it.
 */
async function openPaths(path: string): Promise<Open[]> {
  const found = await stat(path).catch(() => null);
  if (!found || (found.mode & OTHERS) === 0) return [];
  const self = { path, mode: (found.mode & 0o777).toString(8).padStart(4, "0") };
  if (!found.isDirectory()) return [self];
  const below: Open[] = [];
  for (const name of await readdir(path).catch(() => [])) below.push(...(await openPaths(join(path, name))));
  return [self, ...below];
}
