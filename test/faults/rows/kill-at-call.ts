import type { Subprocess } from "bun";
import { spawnServer } from "../../support/processes/bun-process";
import { createRandom } from "../../support/random";
import { type Actor, createActor } from "../actors";
import { type MailSink, startMailSink } from "../mail-sink";
import { restart } from "../restart";
import type { Outcome, RowOptions } from "../row";
import { type Acknowledged, countOf, noAcknowledgements, problemsOfStore } from "../store-check";
import { injectFault } from "../strace";

/** The system calls that change stored data or send a response. */
const CALLS = [
  "openat",
  "write,pwrite64,writev",
  "fsync,fdatasync",
  "rename",
  "unlink",
  "ftruncate",
] as const;
const MOST_OF_ONE = 12;
const SHORT_CASES = 4;

type Case = { act: keyof typeof ACTS; calls: string; index: number };

/** The preparation before calls are counted, and the work while they are counted. */
const ACTS = {
  "sign-up": async () => (actor: Actor) => actor.signUp(),
  creation: async (actor: Actor) => {
    await actor.signUp();
    return () => actor.create();
  },
  submission: async (actor: Actor) => {
    await actor.signUp();
    const envelope = await actor.create();
    return () => actor.submit(envelope, 300_000);
  },
  deletion: async (actor: Actor) => {
    await actor.signUp();
    const envelope = await actor.create();
    await actor.submit(envelope, 50_000);
    return () => actor.remove(envelope.id);
  },
  picture: async (actor: Actor) => {
    await actor.signUp();
    await actor.changeAvatar(1);
    return () => actor.changeAvatar(2);
  },
  reset: async (actor: Actor) => {
    await actor.signUp();
    await actor.forget();
    return () => actor.reset();
  },
};

/** Kills the server at the first, second, … of each writing system call, for each kind of work. */
export async function killAtCall({ folder, seed, long }: RowOptions): Promise<Outcome> {
  const acknowledged = noAcknowledgements();
  const sink = await startMailSink();
  const problems: string[] = [];
  const tally = { cases: 0, killed: 0 };
  const run = async (one: Case) => {
    tally.cases += 1;
    const killed = await killOnce({ DATA_DIR: folder, SMTP_URL: sink.url }, one, tally.cases, {
      acknowledged,
      sink,
    });
    if (killed) tally.killed += 1;
    const again = await restart({ DATA_DIR: folder, SMTP_URL: sink.url }, acknowledged);
    const found = await problemsOfStore(folder, acknowledged, { mails: await sink.mails() });
    problems.push(...[...again.problems, ...found].map((text) => `${JSON.stringify(one)}: ${text}`));
    return killed;
  };
  if (long) await allCases(run, problems);
  else for (const one of sampleCases(seed)) if (problems.length === 0) await run(one);
  await sink.close();
  return { measured: { ...tally, acknowledged: countOf(acknowledged) }, problems };
}

/** Continues with a system call until the work finishes before reaching that many calls. */
async function allCases(run: (one: Case) => Promise<boolean>, problems: string[]): Promise<void> {
  for (const act of Object.keys(ACTS) as Case["act"][])
    for (const calls of CALLS)
      for (let index = 1; index <= MOST_OF_ONE && problems.length === 0; index++)
        if (!(await run({ act, calls, index }))) break;
}

function sampleCases(seed: number): Case[] {
  const random = createRandom(seed);
  const acts = Object.keys(ACTS) as Case["act"][];
  return Array.from({ length: SHORT_CASES }, (_, index) => ({
    act: acts[index % acts.length] ?? "creation",
    calls: random.pick(CALLS),
    index: 1 + random.below(2),
  }));
}

/** @returns whether the call was reached and the server was killed at it */
async function killOnce(
  variables: Record<string, string>,
  { act, calls, index }: Case,
  number: number,
  known: { acknowledged: Acknowledged; sink: MailSink },
): Promise<boolean> {
  const server = spawnServer(variables);
  const actor = createActor(await server.url, `case${number}@example.com`, known);
  const work = await ACTS[act](actor);
  const detach = await injectFault(server.child.pid, calls, `signal=SIGKILL:when=${index}`);
  const done = await work(actor).then(
    () => true,
    () => false,
  );
  if (done) server.child.kill("SIGTERM");
  await server.child.exited;
  await detach();
  return killedBySignal(server.child);
}

const killedBySignal = (child: Subprocess) => child.signalCode === "SIGKILL";
