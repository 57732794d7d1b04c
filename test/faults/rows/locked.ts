import { Database } from "bun:sqlite";
import { join } from "node:path";
import { type Client, createClient } from "../../support/api/client";
import { ENVELOPE } from "../../support/api/envelopes";
import { spawnServer } from "../../support/processes/bun-process";
import { type Outcome, percentile, type RowOptions, repeatTimed } from "../row";
import { noAcknowledgements, problemsOfStore } from "../store-check";

/** Above the time without a lock. The short run, next to other tests, only detects a standstill. */
const slowestReadMs = (long: boolean) => (long ? 250 : 3000);
const SLOWEST_WRITE_MS = 9000;

/** Another process locks the database: for 10 seconds, ten times; in the short run for 6 seconds, once. */
export async function locked({ folder, long }: RowOptions): Promise<Outcome> {
  const server = spawnServer({ DATA_DIR: folder });
  const client = createClient({ fetch: (request) => fetch(request), origin: await server.url });
  await client.post("/api/register", { email: "locked@example.com", password: "long enough" });
  const acknowledged = noAcknowledgements();
  const seen = { reads: [] as number[], rejected: [] as number[], problems: [] as string[] };
  const readAlone = repeatTimed(() => client.get("/api/requests"));
  await Bun.sleep(2000);
  const alone = percentile(await readAlone(), 0.99);
  let afterwards = 0;
  for (let round = 0; round < (long ? 10 : 1); round++) {
    await holdLock(join(folder, "doculopes.db"), long ? 10_000 : 6000, client, acknowledged, seen);
    const first = await client.post("/api/requests", ENVELOPE);
    if (first.status === 201) {
      afterwards += 1;
      acknowledged.envelopes.add(first.body.id);
    } else seen.problems.push(`the first write after the release was answered ${first.status}`);
  }
  server.child.kill("SIGTERM");
  await server.child.exited;
  const p99 = percentile(seen.reads, 0.99);
  if (p99 > slowestReadMs(long) + alone) seen.problems.push(`p99 of reads ${p99} ms`);
  return {
    measured: {
      "p99 of reads without, ms": alone,
      reads: seen.reads.length,
      "p99 of reads, ms": p99,
      "writes rejected": seen.rejected.length,
      "rejected after at most, ms": Math.round(Math.max(0, ...seen.rejected)),
      "first writes after the release that were taken": afterwards,
      acknowledged: acknowledged.envelopes.size,
    },
    problems: [...seen.problems, ...(await problemsOfStore(folder, acknowledged))],
  };
}

type Seen = { reads: number[]; rejected: number[]; problems: string[] };

/** Holds the write lock while reading continuously and starting a write every half second. */
async function holdLock(
  path: string,
  milliseconds: number,
  client: Client,
  acknowledged: ReturnType<typeof noAcknowledgements>,
  seen: Seen,
): Promise<void> {
  const other = new Database(path);
  other.run("pragma busy_timeout = 5000");
  other.run("begin immediate");
  const readers = Array.from({ length: 4 }, () => repeatTimed(() => client.get("/api/requests")));
  const writes: Promise<void>[] = [];
  // On a busy machine it takes longer until the first write has waited in vain.
  const rejectedBefore = seen.rejected.length;
  const isHeld = (end: number) => performance.now() < end || seen.rejected.length === rejectedBefore;
  for (const end = performance.now() + milliseconds; isHeld(end); await Bun.sleep(500))
    writes.push(write(client, acknowledged, seen));
  other.run("rollback");
  other.close();
  await Promise.all(writes);
  for (const stop of readers) seen.reads.push(...(await stop()));
}

async function write(
  client: Client,
  acknowledged: ReturnType<typeof noAcknowledgements>,
  seen: Seen,
): Promise<void> {
  const started = performance.now();
  const response = await client.post("/api/requests", ENVELOPE);
  const taken = performance.now() - started;
  if (response.status === 201) acknowledged.envelopes.add(response.body.id);
  else seen.rejected.push(taken);
  const clean = response.status === 201 || (response.status === 503 && response.headers.has("retry-after"));
  if (!clean || taken > SLOWEST_WRITE_MS)
    seen.problems.push(`a write was answered ${response.status} after ${Math.round(taken)} ms`);
}
