import type { Server } from "bun";
import type { DrainableTasks } from "./background-tasks";

const DEADLINE_MS = 10_000;

/** Takes no new request, lets those that run and the work behind them end, and cuts what takes too long. */
export async function stopGracefully(server: Server<undefined>, background: DrainableTasks): Promise<void> {
  const timer = Promise.withResolvers<void>();
  const timeout = setTimeout(timer.resolve, DEADLINE_MS);
  await Promise.race([server.stop().then(() => background.drain()), timer.promise]);
  clearTimeout(timeout);
  await server.stop(true);
}
