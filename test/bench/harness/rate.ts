import { generateLoad, type Load } from "./load";
import type { Server } from "./process";

/**
 * Answers for each second of the server's own processor time: what it could do on a core of its own, whatever
 * else this machine is doing.
 */
export async function rate(server: Server, load: Load): Promise<number> {
  const before = await server.cpu();
  const { count } = await generateLoad(server.url, load);
  return (count / ((await server.cpu()) - before)) * 1000;
}
