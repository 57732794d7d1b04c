import { createClient } from "../../support/api/client";
import { spawnServer } from "../../support/processes/bun-process";
import { startClamdServer } from "../../support/servers/clamd-server";
import { beginUploads, waitUntilClean } from "../interrupted";
import type { Outcome, RowOptions } from "../row";
import { noAcknowledgements, problemsOfStore } from "../store-check";
import { injectFault } from "../strace";

const UPLOADS = 4;

/** A server is killed during uploads, the next one while it removes the leftovers; a third one finishes. */
export async function killDuringSweep({ folder, long }: RowOptions): Promise<Outcome> {
  const acknowledged = noAcknowledgements();
  const scanner = await startClamdServer();
  const variables = { DATA_DIR: folder, CLAMAV_URL: scanner.url };
  const problems: string[] = [];
  let killed = 0;
  let slowest = 0;
  for (let round = 1; round <= (long ? UPLOADS : 1) && problems.length === 0; round += 1) {
    const waiting = scanner.pause();
    const first = spawnServer(variables);
    const client = createClient({ fetch: (request) => fetch(request), origin: await first.url });
    await client.post("/api/register", { email: `r${round}@example.com`, password: "long enough" });
    await beginUploads({ client, folder, acknowledged }, UPLOADS);
    first.child.kill("SIGKILL");
    await first.child.exited;
    waiting.resume();

    const second = spawnServer(variables);
    await second.url;
    const detach = await injectFault(second.child.pid, "unlink,unlinkat", `signal=SIGKILL:when=${round}`);
    await second.child.exited;
    await detach();
    if (second.child.signalCode === "SIGKILL") killed += 1;
    else problems.push("the second server was not killed");

    const third = spawnServer(variables);
    await third.url;
    const { seconds, problems: left } = await waitUntilClean(folder);
    slowest = Math.max(slowest, seconds);
    third.child.kill("SIGTERM");
    await third.child.exited;
    problems.push(...left, ...(await problemsOfStore(folder, acknowledged)));
  }
  await scanner.stop();
  return { measured: { "killed while removing": killed, "slowest clean, s": slowest }, problems };
}
