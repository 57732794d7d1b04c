import { constants } from "node:fs";
import { copyFile, link, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { randomToken } from "../../../lib/tokens";
import { secretKeys } from "../../../lib/variable-kinds";
import { StartError } from "../start-error";
import { errorCode } from "./disk-errors";
import { syncPath } from "./durable-file";

/** The file of the secret keys, one a line: the first one seals, the others only open. */
export const keyFile = (folder: string) => join(folder, "secret.key");

/** The keys of the folder, none if it has no file. @throws StartError if the file cannot be used */
export async function readKeyFile(folder: string): Promise<string[]> {
  const path = keyFile(folder);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw new StartError(`${path} cannot be read (${errorCode(error)})`);
  }
  const keys = secretKeys.safeParse(text);
  if (!keys.success) throw new StartError(`${path} is damaged: restore it, or what it encrypted is lost`);
  return keys.data;
}

/** The keys of the folder, with a new one if it has none. Servers that start at once agree on one. */
export async function ensureKeyFile(folder: string): Promise<string[]> {
  const found = await readKeyFile(folder);
  if (found.length > 0) return found;
  const path = keyFile(folder);
  const written = `${path}.${process.pid}-${crypto.randomUUID()}`;
  try {
    await writeKeys(written, [randomToken()]);
    await placeNew(written, path);
    await syncPath(folder);
  } finally {
    await rm(written, { force: true });
  }
  return readKeyFile(folder);
}

/** Gives the file its name, unless another process was first. */
async function placeNew(written: string, path: string): Promise<void> {
  try {
    await link(written, path);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return;
    // A file system without links.
    await copyFile(written, path, constants.COPYFILE_EXCL).catch((reason: unknown) => {
      if (errorCode(reason) !== "EEXIST") throw reason;
    });
  }
}

async function writeKeys(path: string, keys: readonly string[]): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(keys.map((key) => `${key}\n`).join(""));
    await handle.sync();
  } finally {
    await handle.close();
  }
}
