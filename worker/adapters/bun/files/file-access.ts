import { constants } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { errorCode } from "./disk-errors";

/** The name of a user of this machine, or the id if it has none. */
export async function userName(uid: number): Promise<string> {
  const users = await readFile("/etc/passwd", "utf8").catch(() => "");
  const line = users.split("\n").find((text) => text.split(":")[2] === String(uid));
  return line?.split(":", 1)[0] ?? `user ${uid}`;
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
    const [owner, user] = await Promise.all([userName(found.uid), userName(uid)]);
    return `${problem}: it belongs to ${owner}, and this runs as ${user}, so \`chown -R ${user}: ${path}\``;
  }
}

/**
 * Lets only the user that runs this process read what it creates: files get 0600, folders 0700. This includes the
 * database files, which SQLite creates itself.
 */
export function createFilesPrivately(): void {
  process.umask(0o077);
}
