import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

const DAY_MS = 24 * 60 * 60 * 1000;
const SEPARATOR = "~";

/** A name that tells which process is writing the file. */
export function temporaryName(): string {
  return [hostname(), process.pid, crypto.randomUUID()].join(SEPARATOR);
}

/**
 * Removes temporary files whose process is gone. Another server that lives on the same folder keeps its
 * own; what a machine of another name left goes after a day.
 */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const [host, pid] = name.split(SEPARATOR);
    const stale = host === hostname() ? !isOtherProcess(Number(pid)) : await isOld(path);
    if (stale) await rm(path, { force: true });
  }
}

/** At the start nothing of this process is being written: its own id comes from an earlier life. */
function isOtherProcess(pid: number): boolean {
  if (pid === process.pid || !Number.isSafeInteger(pid)) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function isOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > DAY_MS;
}
