import type { Server } from "bun";
import type { Logger } from "../../ports/logger";
import type { DrainableTasks } from "./background-tasks";

const DEADLINE_MS = 10_000;

/** Stops accepting requests, lets running requests and background work finish, and aborts whatever takes too long. */
export async function stopGracefully(
  server: Server<undefined>,
  background: DrainableTasks,
  log: Logger,
): Promise<void> {
  const started = performance.now();
  const timer = Promise.withResolvers<"late">();
  const timeout = setTimeout(timer.resolve, DEADLINE_MS, "late");
  const counts = () => ({ requests: server.pendingRequests, tasks: background.count() });
  log.info("draining", counts());
  const drained = server.stop().then(() => background.drain());
  if ((await Promise.race([drained, timer.promise])) === "late") log.warn("aborted", counts());
  clearTimeout(timeout);
  await server.stop(true);
  log.info("drained", { ms: Math.round(performance.now() - started) });
}
