import { constants } from "node:fs";
import { copyFile, link, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { randomToken } from "../../../lib/tokens";
import { secretKeys } from "../../../lib/variable-kinds";
import { StartError } from "../start-error";
import { errorCode } from "./disk-errors";
import { moveDurably, syncPath, writeSynced } from "./durable-file";

/** The file of the secret keys, one a line: the first one seals, the others only open. */
export const keyFile = (folder: string) => join(folder, "secret.key");

/** Has the key of a rotation until all secrets are encrypted with it. */
const nextKeyFile = (folder: string) => `${keyFile(folder)}.next`;

/** The keys of the folder, none if it has no file. @throws StartError if the file cannot be used */
export const readKeyFile = (folder: string): Promise<string[]> => readKeys(keyFile(folder));

async function readKeys(path: string): Promise<string[]> {
  let text: string;
  try {
    // Opening a pipe waits for its writer.
    text = await readFile(path, { encoding: "utf8", flag: constants.O_RDONLY | constants.O_NONBLOCK });
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return [];
    throw new StartError(`${path} cannot be read (${errorCode(error)})`);
  }
  const keys = secretKeys.safeParse(text);
  if (!keys.success) throw new StartError(`${path} is damaged: restore it, or what it encrypted is lost`);
  return keys.data;
}

/** The keys of the folder, with a new one if it has none. Servers that start at once agree on one. */
export async function ensureKeyFile(folder: string): Promise<string[]> {
  const found = await readKeyFile(folder);
  return found.length > 0 ? found : readOrCreate(folder, keyFile(folder));
}

/** The key of a rotation that has begun, here or in another process; otherwise a new one begins. */
export async function readOrCreateNextKey(folder: string): Promise<string> {
  const [key] = await readOrCreate(folder, nextKeyFile(folder));
  if (key === undefined) throw new StartError("Another rotation has just finished");
  return key;
}

/** What `writeThen` leaves where its process is killed. */
const UNPLACED = /^secret\.key(\.next)?\.[\da-f-]{36}$/;
const UNPLACED_MS = 60 * 60_000;

/** Removes the key of the rotation, and those that killed processes left. */
export async function finishNextKey(folder: string): Promise<void> {
  await rm(nextKeyFile(folder), { force: true });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = UNPLACED.test(name) ? await stat(path).catch(() => null) : null;
    if (found && Date.now() - found.mtimeMs > UNPLACED_MS) await rm(path, { force: true });
  }
}

/** Replaces the keys of the folder. */
export async function writeKeyFile(folder: string, keys: readonly string[]): Promise<void> {
  await writeThen(keyFile(folder), keys, (written) => moveDurably(written, keyFile(folder)));
}

async function readOrCreate(folder: string, path: string): Promise<string[]> {
  await writeThen(path, [randomToken()], async (written) => {
    await placeNew(written, path);
    await syncPath(folder);
  });
  return readKeys(path);
}

/** Writes the keys to a file of an unused name, and removes it if `place` leaves it. */
async function writeThen(
  path: string,
  keys: readonly string[],
  place: (written: string) => Promise<void>,
): Promise<void> {
  const written = `${path}.${crypto.randomUUID()}`;
  try {
    await writeSynced(written, new TextEncoder().encode(keys.map((key) => `${key}\n`).join("")));
    await place(written);
  } finally {
    await rm(written, { force: true });
  }
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
