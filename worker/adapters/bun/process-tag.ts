import { hostname } from "node:os";

const SEPARATOR = "~";

/** A file name that tells which process it belongs to. */
export function taggedName(rest: string): string {
  return [hostname(), process.pid, rest].join(SEPARATOR);
}

/** Whose file it is: a process that is gone, one that lives, or one of another machine, which cannot be told. */
export function readTag(name: string): { owner: "gone" | "living" | "elsewhere"; rest: string } {
  const [host, pid, rest = ""] = name.split(SEPARATOR);
  if (host !== hostname()) return { owner: "elsewhere", rest };
  return { owner: isOtherProcess(Number(pid)) ? "living" : "gone", rest };
}

/** Asked at the start, when nothing is this process's own: its id comes from an earlier life. */
function isOtherProcess(pid: number): boolean {
  if (pid === process.pid || !Number.isSafeInteger(pid)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process may not be signalled, and lives.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
