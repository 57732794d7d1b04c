import { spawnServer } from "../../support/processes/bun-process";
import { createRandom, type Random } from "../../support/random";
import { answerUntilServerStops, createActor, shareUntilServerStops, workUntilServerStops } from "../actors";
import { waitUntilClean } from "../interrupted";
import { type MailSink, startMailSink } from "../mail-sink";
import { restart } from "../restart";
import type { Outcome, RowOptions } from "../row";
import { type Acknowledged, countOf, noAcknowledgements, problemsOfStore } from "../store-check";

const TIMEOUT_MS = 20_000;
const KILL_WITHIN_MS = 900;

type StartActor = (
  url: string,
  name: string,
  known: { acknowledged: Acknowledged; sink: MailSink },
  random: Random,
) => Promise<void>;

type Work = {
  kills: number;
  /** How many actors work at the same time. */
  workers: number;
  /** How much is acknowledged before a kill, so that there is work to interrupt on a slow machine as well. */
  leastWork: (random: Random) => number;
  start: StartActor;
};

/** Kills a working server at random moments and checks the store after each restart. */
export const kills = (options: RowOptions): Promise<Outcome> =>
  killWorking(options, {
    kills: options.long ? 200 : 4,
    workers: 4,
    leastWork: () => 3,
    start: (url, name, known, random) =>
      workUntilServerStops(createActor(url, `${name}@example.com`, known), random),
  });

/** The same while people are invited, join, leave, are removed, and delete their accounts. */
export const memberKills = (options: RowOptions): Promise<Outcome> =>
  killWorking(options, {
    kills: options.long ? 50 : 3,
    workers: 2,
    // After the sign-ups: during the invitation, the joining, the work, or the end of the membership.
    leastWork: (random) => 3 + random.below(12),
    start: (url, name, known, random) => shareUntilServerStops(url, name, { known, random }),
  });

/** The same while recipients keep answers and submit them. */
export const answerKills = (options: RowOptions): Promise<Outcome> =>
  killWorking(options, {
    kills: options.long ? 50 : 3,
    workers: 4,
    leastWork: (random) => 3 + random.below(20),
    start: (url, name, known, random) =>
      answerUntilServerStops(createActor(url, `${name}@example.com`, known), { ...known, random }),
  });

async function killWorking(
  options: RowOptions,
  { kills: planned, workers, leastWork, start }: Work,
): Promise<Outcome> {
  const random = createRandom(options.seed);
  const acknowledged = noAcknowledgements();
  const sink = await startMailSink();
  const variables = { DATA_DIR: options.folder, SMTP_URL: sink.url };
  const rounds = options.kills ?? planned;
  const problems: string[] = [];
  let killed = 0;
  let slowestReady = 0;
  let repeated = 0;
  while (killed < rounds && problems.length === 0) {
    const server = spawnServer(variables);
    const url = await server.url;
    const actors = Array.from({ length: workers }, (_, index) =>
      start(url, `r${killed}w${index}`, { acknowledged, sink }, createRandom(random.below(2 ** 31))),
    );
    // Sometimes during the sign-ups, otherwise once there is work to interrupt.
    const before = countOf(acknowledged);
    const least = leastWork(random);
    if (!random.chance(0.1)) await until(() => countOf(acknowledged) >= before + least);
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
      "calls with answers": [...acknowledged.answers.values()].reduce((sum, { calls }) => sum + calls, 0),
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
