import { type Client, createClient } from "../../support/api/client";
import { ENVELOPE, linkOf } from "../../support/api/envelopes";
import { multipart, trickle } from "../../support/api/multipart";
import { largePdfFile, sha256 } from "../../support/files/files";
import { spawnServer } from "../../support/processes/bun-process";
import { createRandom } from "../../support/random";
import { createActor, workUntilServerStops } from "../actors";
import { startMailSink } from "../mail-sink";
import { restart } from "../restart";
import type { Outcome, RowOptions } from "../row";
import { type Acknowledged, countOf, noAcknowledgements, problemsOfStore } from "../store-check";

const WORKERS = 2;
const LONGEST_LIFE_MS = 1500;

/** Two servers on one folder: one is killed repeatedly while the other receives slow uploads. */
export async function twoProcesses({ folder, seed, long, kills }: RowOptions): Promise<Outcome> {
  const random = createRandom(seed);
  const acknowledged = noAcknowledgements();
  const sink = await startMailSink();
  const variables = { DATA_DIR: folder, SMTP_URL: sink.url };
  const steady = spawnServer(variables);
  const steadyUrl = await steady.url;
  const owner = createClient({ fetch: (request) => fetch(request), origin: steadyUrl });
  await owner.post("/api/register", { email: "owner@example.com", password: "long enough" });
  const startActors = (url: string, name: string) =>
    Array.from({ length: WORKERS }, (_, index) =>
      workUntilServerStops(
        createActor(url, `${name}w${index}@example.com`, { acknowledged, sink }),
        createRandom(random.below(2 ** 31)),
      ),
    );
  const working = startActors(steadyUrl, "steady");
  const problems: string[] = [];
  const rounds = kills ?? (long ? 60 : 3);
  let uploads = 0;
  for (let round = 0; round < rounds && problems.length === 0; round++) {
    // Before the other server starts: its cleanup must leave this upload alone.
    const slow = slowUpload(owner, acknowledged, random.below(3) + 8);
    const other = spawnServer(variables);
    const actors = startActors(await other.url, `r${round}`);
    await Bun.sleep(random.below(LONGEST_LIFE_MS));
    other.child.kill("SIGKILL");
    await Promise.all([other.child.exited, ...actors]);
    problems.push(...(await slow));
    uploads += 1;
  }
  steady.child.kill("SIGTERM");
  await Promise.all([steady.child.exited, ...working]);
  const again = await restart(variables, acknowledged);
  const mails = await sink.mails();
  problems.push(...again.problems, ...(await problemsOfStore(folder, acknowledged, { mails })));
  await sink.close();
  return {
    measured: {
      kills: rounds,
      acknowledged: countOf(acknowledged),
      "slow uploads": uploads,
      mails: mails.length,
    },
    problems,
  };
}

/** Ten chunks with pauses in between. */
async function slowUpload(owner: Client, acknowledged: Acknowledged, chunks: number): Promise<string[]> {
  const made = await owner.post("/api/requests", ENVELOPE);
  if (made.status !== 201) return [`an envelope was answered ${made.status}`];
  const { id } = made.body;
  acknowledged.envelopes.add(id);
  const file = largePdfFile(200_000);
  const { bytes, type } = multipart([
    { name: "Contract", fileName: "contract.pdf", content: await file.bytes() },
  ]);
  const sent = await owner.send("POST", linkOf(made.body), slowly(bytes, chunks), { "content-type": type });
  if (sent.status !== 201) return [`a slow upload beside a killed server was answered ${sent.status}`];
  acknowledged.files.set(id, await sha256(file));
  return [];
}

function slowly(bytes: Uint8Array, chunks: number): ReadableStream<Uint8Array> {
  const pause = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      await Bun.sleep(150);
      controller.enqueue(chunk);
    },
  });
  return trickle(bytes, Math.ceil(bytes.length / chunks)).pipeThrough(pause);
}
