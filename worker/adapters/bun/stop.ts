import { readFileSync } from "node:fs";
import type { Server } from "bun";
import type { Logger } from "../../ports/logger";
import type { DrainableTasks } from "./background-tasks";

const DEADLINE_MS = 10_000;
/** The time limit of each later step. A write waits five seconds for a locked database. */
const CLOSE_MS = 6_000;
/** The longest that a stop takes after its delay: running requests, their connections, the database. */
export const STOP_SECONDS = (DEADLINE_MS + 2 * CLOSE_MS) / 1000;

/** Stops accepting requests, lets running requests and background work finish, and aborts whatever takes too long. */
export async function stopGracefully(
  server: Server<undefined>,
  background: DrainableTasks,
  log: Logger,
): Promise<void> {
  const started = performance.now();
  const counts = () => ({ requests: server.pendingRequests, tasks: background.count() });
  log.info("draining", counts());
  const drained = server.stop().then(() => background.drain());
  if (!(await endsWithin(DEADLINE_MS, drained))) log.warn("aborted", counts());
  await inTime("connections", server.stop(true), log);
  log.info("drained", { ms: Math.round(performance.now() - started) });
}

/**
 * Waits for a step of the shutdown up to its time limit. After that, the process exits without it and logs its name.
 */
export async function inTime(
  step: string,
  work: Promise<unknown>,
  log: Logger,
  ms = CLOSE_MS,
): Promise<void> {
  if (!(await endsWithin(ms, work))) log.warn("shutdown step timed out", { step, ms });
}

async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timeout = setTimeout(late.resolve, ms, false);
  try {
    return await Promise.race([work.then(() => true), late.promise]);
  } finally {
    clearTimeout(timeout);
  }
}

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
