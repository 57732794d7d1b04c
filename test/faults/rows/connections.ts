import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Socket, spawn, spawnSync } from "bun";
import { type Client, createClient } from "../../support/api/client";
import { ENVELOPE, linkOf } from "../../support/api/envelopes";
import { concatBytes, multipart } from "../../support/api/multipart";
import { largePdfFile } from "../../support/files/files";
import { spawnServer } from "../../support/processes/bun-process";
import { idleUsage, usage } from "../resource-usage";
import { type Outcome, percentile, type RowOptions } from "../row";
import { noAcknowledgements, problemsOfStore } from "../store-check";

/** In addition to the usual duration; the short run, beside other tests, only detects a standstill. */
const slowestMs = (long: boolean) => (long ? 250 : 3000);
/** A machine that allows fewer descriptors per process gets as many as it allows. */
const SPARE = 500;
const HALF = "GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Cut: ";
const CHUNKS = 10;
/** Between the beginnings of two slow uploads. */
const APART_MS = 10;
const PROBE = join(import.meta.dir, "../probe.ts");

type Link = { id: number; submissionToken: string };

/**
 * Thousands of connections that send nothing, half a request, or a slow upload that breaks off, while other clients
 * continue.
 */
export async function connections({ folder, long }: RowOptions): Promise<Outcome> {
  const allowed = Number(spawnSync(["sh", "-c", "ulimit -n"]).stdout.toString()) - SPARE;
  const idle = Math.min(long ? 10_000 : 400, allowed);
  const slow = Math.min(long ? 1000 : 40, allowed);
  const server = spawnServer({ DATA_DIR: folder });
  const url = new URL(await server.url);
  const client = createClient({ fetch: (request) => fetch(request), origin: url.origin });
  await client.post("/api/register", { email: "busy@example.com", password: "long enough" });
  const links: Link[] = [];
  for (let index = 0; index < slow; index++) links.push((await client.post("/api/requests", ENVELOPE)).body);
  const acknowledged = noAcknowledgements();
  for (const { id } of links) acknowledged.envelopes.add(id);
  await uploadAll(url, links.splice(0, 5), 0);
  const before = await usage(server.child.pid);

  const alone = await measured(client, url, () => Bun.sleep(2000));
  const quiet = await measured(client, url, () => openAndHold(url, idle));
  const slowly = await measured(client, url, () => uploadAll(url, links, Math.floor(slow / 2)));
  const { status } = await client.get("/api/health");
  const after = await idleUsage(server.child.pid, before);
  const problems = [
    ...[quiet.p99, slowly.p99]
      .filter((p99) => p99 > slowestMs(long) + alone.p99)
      .map((p99) => `p99 of others ${p99} ms`),
    ...(status === 200 ? [] : [`answered ${status} afterwards`]),
    ...(after.descriptors > before.descriptors + 8 ? [`${after.descriptors} descriptors are open`] : []),
    ...(slowly.result === slow - Math.floor(slow / 2) - 5
      ? []
      : [`${slowly.result} slow uploads were taken`]),
    ...(await readdir(join(folder, "tmp"))).map((name) => `left in tmp: ${name}`),
  ];
  server.child.kill("SIGTERM");
  await server.child.exited;
  return {
    measured: {
      "p99 of others alone, ms": alone.p99,
      "idle and half-sent": idle,
      "p99 of others beside them, ms": quiet.p99,
      "slow uploads": slow,
      "of them broken off": Math.floor(slow / 2),
      "p99 of others during them, ms": slowly.p99,
      "descriptors before and after": `${before.descriptors}, ${after.descriptors}`,
      "memory before and after, MB": `${before.megabytes}, ${after.megabytes}`,
    },
    problems: [...problems, ...(await problemsOfStore(folder, acknowledged))],
  };
}

/** The duration of a list request during the work, measured by a separate process. */
async function measured<T>(
  client: Client,
  url: URL,
  work: () => Promise<T>,
): Promise<{ p99: number; result: T }> {
  const probe = spawn([process.execPath, PROBE, url.origin, client.cookie], {
    stdin: "pipe",
    stdout: "pipe",
  });
  const result = await work();
  probe.stdin.end();
  const taken: number[] = JSON.parse(await new Response(probe.stdout).text());
  return { p99: percentile(taken, 0.99), result };
}

function connect(url: URL, handlers: { data?: (text: string) => void; gone?: () => void }): Promise<Socket> {
  return Bun.connect({
    hostname: url.hostname,
    port: Number(url.port),
    socket: {
      data: (_, bytes) => handlers.data?.(bytes.toString()),
      close: () => handlers.gone?.(),
      error: () => handlers.gone?.(),
    },
  });
}

/** Half of them send nothing, the others an unfinished request. */
async function openAndHold(url: URL, count: number): Promise<void> {
  const open: Socket[] = [];
  for (let index = 0; index < count; index++) {
    const socket = await connect(url, {});
    if (index % 2) socket.write(HALF);
    open.push(socket);
  }
  await Bun.sleep(3000);
  for (const socket of open) socket.terminate();
}

/**
 * Sends all concurrently, in chunks; the first `broken` break off in the middle. @returns the number of accepted ones
 */
async function uploadAll(url: URL, links: Link[], broken: number): Promise<number> {
  const { bytes, type } = multipart([
    { name: "Contract", fileName: "contract.pdf", content: await largePdfFile(80_000).bytes() },
  ]);
  const responses = links.map(async (link, index) => {
    await Bun.sleep(index * APART_MS);
    return uploadSlowly(url, link, { bytes, type, breaksOff: index < broken });
  });
  return (await Promise.all(responses)).filter((status) => status === 201).length;
}

async function uploadSlowly(
  url: URL,
  link: Link,
  { bytes, type, breaksOff }: { bytes: Uint8Array; type: string; breaksOff: boolean },
): Promise<number> {
  const response = Promise.withResolvers<number>();
  const socket = await connect(url, {
    data: (text) => response.resolve(Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1])),
    gone: () => response.resolve(0),
  });
  const head = `POST ${linkOf(link)} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`;
  socket.write(concatBytes([new TextEncoder().encode(head)]));
  const size = Math.ceil(bytes.length / CHUNKS);
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    if (breaksOff && chunk === CHUNKS / 2) {
      socket.terminate();
      return 0;
    }
    socket.write(bytes.subarray(chunk * size, (chunk + 1) * size));
    await Bun.sleep(300);
  }
  const status = await response.promise;
  socket.terminate();
  return status;
}
