import { spawnSync } from "bun";
import { createClient } from "../../support/api/client";
import { spawnIsolatedServer } from "../../support/processes/bun-process";
import { runOperatorCommand } from "../../support/processes/operator-command";
import { startClamdServer } from "../../support/servers/clamd-server";
import { beginUploads, uploadSlowly, WHILE_RUNNING_MS, waitUntilClean } from "../interrupted";
import type { Outcome, RowOptions } from "../row";
import { noAcknowledgements, problemsOfStore } from "../store-check";

/** Longer than the other server waits for a lease's renewal. */
const SLOW_MS = 32_000;
const UPLOADS = 3;
const NAMES = [
  ["twin", "twin"],
  ["one", "other"],
] as const;

/** Whether this process may create namespaces with their own host name and process ids, as containers do. */
export const canIsolate = (): boolean =>
  spawnSync(["unshare", "--uts", "--pid", "--fork", "--mount-proc", "hostname", "probe"]).success;

/**
 * Two servers with separate process ids work on one folder, with the same host name and with different ones. Each
 * leaves the other's uploads and a backup alone, and removes leftovers after the other is killed.
 */
export async function twoHosts({ folder, long }: RowOptions): Promise<Outcome> {
  const acknowledged = noAcknowledgements();
  const scanner = await startClamdServer();
  const variables = { DATA_DIR: folder, CLAMAV_URL: scanner.url };
  const problems: string[] = [];
  let slowest = 0;
  for (const [name, otherName] of long ? NAMES : NAMES.slice(0, 1)) {
    const server = spawnIsolatedServer(name, variables);
    const client = createClient({ fetch: (request) => fetch(request), origin: await server.url });
    await client.post("/api/register", { email: `${name}@example.com`, password: "long enough" });
    const slow = uploadSlowly(client, acknowledged, SLOW_MS);
    const other = spawnIsolatedServer(otherName, variables);
    await other.url;
    const backup = await runOperatorCommand(["backup", `${folder}-backups/${name}`], { DATA_DIR: folder });
    if (backup.code !== 0) problems.push(`the backup failed: ${backup.problems}`);
    problems.push(...(await slow));

    const waiting = scanner.pause();
    await beginUploads({ client, folder, acknowledged }, UPLOADS);
    server.child.kill("SIGKILL");
    await server.child.exited;
    waiting.resume();
    const { seconds, problems: left } = await waitUntilClean(folder, WHILE_RUNNING_MS);
    slowest = Math.max(slowest, seconds);
    other.child.kill("SIGKILL");
    await other.child.exited;
    problems.push(...left, ...(await problemsOfStore(folder, acknowledged)));
  }
  await scanner.stop();
  spawnSync(["rm", "-rf", ...NAMES.map(([name]) => `${folder}-backup-${name}`)]);
  return { measured: { "slow uploads": acknowledged.files.size, "slowest clean, s": slowest }, problems };
}
