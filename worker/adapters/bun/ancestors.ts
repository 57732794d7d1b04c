import { readFileSync } from "node:fs";

const INTERVAL_MS = 500;

/**
 * Calls `ended` once the parent of this process's parent has exited. `npx -y bun start` runs Bun in a shell that exits
 * on a signal without forwarding it, so the server would keep running and nothing could stop it. Linux only.
 */
export function watchGrandparent(ended: () => void): void {
  const first = parentOf(process.ppid);
  if (first === null) return;
  const timer = setInterval(() => {
    if (parentOf(process.ppid) === first) return;
    clearInterval(timer);
    ended();
  }, INTERVAL_MS);
}

/** The fourth field; the second one is a name in parentheses, which may contain anything. */
function parentOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? null;
  } catch {
    return null;
  }
}
