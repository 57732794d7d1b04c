import { spawnServer } from "../../support/bun-process";
import { createRandom } from "../../support/random";
import { createActor, workUntilServerStops } from "../actors";
import { waitUntilClean } from "../interrupted";
import { startMailSink } from "../mail-sink";
import { restart } from "../restart";
import type { Outcome, RowOptions } from "../row";
import { countOf, noAcknowledgements, problemsOfStore } from "../store-check";

const WORKERS = 4;
const TIMEOUT_MS = 10_000;
const KILL_WITHIN_MS = 900;
/** Acknowledged before a kill, so that there is work to interrupt on a slow machine as well. */
const LEAST_WORK = 3;

/** Kills a working server at random moments and checks the store after each restart. */
export async function kills(options: RowOptions): Promise<Outcome> {
  const random = createRandom(options.seed);
  const acknowledged = noAcknowledgements();
  const sink = await startMailSink();
  const variables = { DATA_DIR: options.folder, SMTP_URL: sink.url };
  const rounds = options.kills ?? (options.long ? 200 : 4);
  const problems: string[] = [];
  let killed = 0;
  let slowestReady = 0;
  let repeated = 0;
  while (killed < rounds && problems.length === 0) {
    const server = spawnServer(variables);
    const url = await server.url;
    const actors = Array.from({ length: WORKERS }, (_, index) =>
      workUntilServerStops(
        createActor(url, `r${killed}w${index}@example.com`, { acknowledged, sink }),
        createRandom(random.below(2 ** 31)),
      ),
    );
    // Sometimes during the sign-ups, otherwise once there is work to interrupt.
    const before = countOf(acknowledged);
    if (!random.chance(0.1)) await until(() => countOf(acknowledged) >= before + LEAST_WORK);
    await Bun.sleep(random.below(KILL_WITHIN_MS));
    server.child.kill("SIGKILL");
    await Promise.all([server.child.exited, ...actors]);
    killed += 1;
    const again = await restart(variables, acknowledged);
    slowestReady = Math.max(slowestReady, again.readyMs);
    repeated += again.repeated;
    problems.push(
      ...again.problems,
      ...(await problemsOfStore(options.folder, acknowledged, { mails: await sink.mails() })),
    );
  }
  const last = spawnServer(variables);
  await last.url;
  const clean = await waitUntilClean(options.folder);
  last.child.kill("SIGTERM");
  await last.child.exited;
  problems.push(...clean.problems);
  const mails = (await sink.mails()).length;
  await sink.close();
  return {
    measured: {
      kills: killed,
      acknowledged: countOf(acknowledged),
      "repeated creations": repeated,
      mails,
      "slowest ready, ms": Math.round(slowestReady),
      "clean after, s": clean.seconds,
    },
    problems,
  };
}

async function until(reached: () => boolean): Promise<void> {
  for (const end = Date.now() + TIMEOUT_MS; !reached() && Date.now() < end; ) await Bun.sleep(5);
}
