import type { Server } from "bun";
import type { DrainableTasks } from "./background-tasks";

const DEADLINE_MS = 10_000;

/** Stops accepting requests, lets running requests and background work finish, and aborts whatever takes too long. */
export async function stopGracefully(server: Server<undefined>, background: DrainableTasks): Promise<void> {
  const timer = Promise.withResolvers<void>();
  const timeout = setTimeout(timer.resolve, DEADLINE_MS);
  await Promise.race([server.stop().then(() => background.drain()), timer.promise]);
  clearTimeout(timeout);
  await server.stop(true);
}
