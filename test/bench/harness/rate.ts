import { generateLoad, type Load } from "./load";
import type { Server } from "./process";

/**
 * Responses per second of the server's own processor time: its capacity on one core, whatever else runs on this
 * machine.
 */
export async function rate(server: Server, load: Load): Promise<number> {
  const before = await server.cpu();
  const { count } = await generateLoad(server.url, load);
  return (count / ((await server.cpu()) - before)) * 1000;
}
