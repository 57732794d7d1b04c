import { createClient } from "../support/api/client";
import { spawnServer } from "../support/processes/bun-process";
import type { Acknowledged } from "./store-check";

export type Restarted = {
  readyMs: number;
  /** Creations that were repeated because they had no response. */
  repeated: number;
  problems: string[];
};

/**
 * Readiness is checked once in five seconds, with a time limit of three: an overloaded machine needs several checks.
 */
const TIMEOUT_MS = 60_000;

/** Starts once more until ready and done with leftovers, tries one password, repeats creations, and stops. */
export async function restart(
  variables: Record<string, string>,
  acknowledged: Acknowledged,
): Promise<Restarted> {
  const server = spawnServer(variables);
  const url = await server.url;
  const listening = performance.now();
  const isReady = async () => (await fetch(`${url}/api/ready`)).status === 200;
  let ready = await isReady();
  while (!ready && performance.now() - listening < TIMEOUT_MS) {
    await Bun.sleep(50);
    ready = await isReady();
  }
  const readyMs = performance.now() - listening;
  const problems = ready ? [] : [`not ready ${TIMEOUT_MS / 1000} s after a restart`];
  const [email, password] = [...acknowledged.passwords].at(-1) ?? [];
  if (email && password) {
    const client = createClient({ fetch: (request) => fetch(request), origin: url });
    const { status } = await client.post("/api/login", { email, password });
    if (status !== 200) problems.push(`the password of ${email} is rejected: ${status}`);
  }
  for (const [key, call] of acknowledged.unanswered)
    problems.push(...(await repeat(url, key, call, acknowledged)));
  const repeated = acknowledged.unanswered.size;
  acknowledged.unanswered.clear();
  // A graceful stop waits for the jobs of the start.
  server.child.kill("SIGTERM");
  await server.child.exited;
  return { readyMs, repeated, problems };
}

/** Repeats a creation. Whether it was committed before the kill or not, it must not be run twice. */
async function repeat(
  url: string,
  key: string,
  { cookie, body }: { cookie: string; body: { subject: string } },
  { envelopes }: Acknowledged,
): Promise<string[]> {
  const client = Object.assign(createClient({ fetch: (request) => fetch(request), origin: url }), { cookie });
  const again = await client.send("POST", "/api/requests", body, { "idempotency-key": key });
  const { body: all } = await client.get("/api/requests");
  const stored = all.filter(({ subject }: { subject: string }) => subject === body.subject);
  if (again.status === 201) envelopes.add(again.body.id);
  // Interrupted before its commit: the key is released after two minutes.
  const expected = again.body.code === "idempotency_running" ? 0 : 1;
  return stored.length === expected
    ? []
    : [`a repeated creation: ${again.status}, ${stored.length} envelopes`];
}
