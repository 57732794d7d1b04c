import { createClient } from "../support/api";
import { spawnServer } from "../support/bun-process";
import type { Acknowledged } from "./store-check";

/** A server has to be ready again in so long; a busy machine is given more. */
export type Restarted = { readyMs: number; problems: string[] };

/** Starts once more until ready and done with leftovers, tries one password, and stops. */
export async function restart(
  variables: Record<string, string>,
  acknowledged: Acknowledged,
): Promise<Restarted> {
  const server = spawnServer(variables);
  const url = await server.url;
  const listening = performance.now();
  const ready = await fetch(`${url}/api/ready`);
  const readyMs = performance.now() - listening;
  const problems = ready.status === 200 ? [] : [`not ready after a restart: ${ready.status}`];
  const [email, password] = [...acknowledged.passwords].at(-1) ?? [];
  if (email && password) {
    const client = createClient({ fetch: (request) => fetch(request), origin: url });
    const { status } = await client.post("/api/login", { email, password });
    if (status !== 200) problems.push(`the password of ${email} is refused: ${status}`);
  }
  // A graceful stop waits for the jobs of the start.
  server.child.kill("SIGTERM");
  await server.child.exited;
  return { readyMs, problems };
}
