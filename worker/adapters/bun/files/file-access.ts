import { constants } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { errorCode } from "./disk-errors";

/** A user of this machine, also one without a name, as chown and a command line call it. */
export async function findUser(uid: number): Promise<{ name: string; owner: string; runAs: string }> {
  const users = await readFile("/etc/passwd", "utf8").catch(() => "");
  const line = users.split("\n").find((text) => text.split(":")[2] === String(uid));
  const name = line?.split(":", 1)[0];
  return name
    ? { name, owner: `${name}:`, runAs: `runuser -u ${name} --` }
    : { name: `user ${uid}`, owner: String(uid), runAs: `setpriv --reuid=${uid} --clear-groups` };
}

/** What keeps this process from writing to an existing file or folder, as the end of a sentence; null if nothing does. */
export async function whyNotWritable(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (!found) return null;
  try {
    await access(path, constants.W_OK | (found.isDirectory() ? constants.X_OK : 0));
    return null;
  } catch (error) {
    const problem = `cannot be written to (${errorCode(error)})`;
    const uid = process.getuid?.() ?? found.uid;
    if (uid === found.uid) return problem;
    const [owner, user] = await Promise.all([findUser(found.uid), findUser(uid)]);
    return `${problem}: it belongs to ${owner.name}, and this runs as ${user.name}, so \`chown -R ${user.owner} ${path}\``;
  }
}

/**
 * Lets only the user that runs this process read what it creates: files get 0600, folders 0700. This includes the
 * database files, which SQLite creates itself.
 */
export function createFilesPrivately(): void {
  process.umask(0o077);
}
