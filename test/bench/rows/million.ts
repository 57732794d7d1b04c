import { join } from "node:path";
import { startSmtpServer } from "../../support/servers/smtp-server";
import { withFolder } from "../harness/process";
import { type Finding, quantile, type Row } from "../harness/row";
import { type Population, populate } from "../million/build";
import {
  addOverdueFiles,
  backUp,
  beside,
  type Chore,
  deleteLargestAccount,
  makeRemindersDue,
  REMINDED,
  restore,
  waitForRetention,
} from "../million/chores";
import { type Instance, startEmbedded, startShared } from "../million/instance";
import { findLost, type Mix, runMix, runMixWithKills } from "../million/mix";

const numberFrom = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
const ENVELOPES = numberFrom("BENCH_ENVELOPES", 1_000_000);
const MINUTES = numberFrom("BENCH_MINUTES", 10);
const REMINDERS = numberFrom("BENCH_REMINDERS", 100_000);
const FILES = numberFrom("BENCH_FILES", 50_000);
const KILLS = numberFrom("BENCH_KILLS", 200);

type Sink = { url: string; recipients: Map<string, number>; close(): Promise<void> };

const SET_UPS = { embedded: startEmbedded, shared: startShared };
const CHOSEN = (process.env.BENCH_SET_UPS ?? Object.keys(SET_UPS).join()).split(",");

/**
 * A million envelopes in 1,000 workspaces, on one server with the embedded file and on two with sqld and S3: a hundred
 * people at once, and the work that comes once a day. Takes over an hour; `BENCH_SET_UPS` (`embedded`, `shared`),
 * `BENCH_ENVELOPES`, `BENCH_MINUTES`, `BENCH_PAUSE_MS`, `BENCH_KILLS`, `BENCH_REMINDERS` and `BENCH_FILES`
 * shorten it.
 */
export const million: Row = async () => {
  const findings: Finding[] = [];
  for (const [name, start] of Object.entries(SET_UPS))
    if (CHOSEN.includes(name)) findings.push(...(await withFolder((folder) => measure(folder, start))));
  return findings;
};

async function measure(
  folder: string,
  start: (folder: string, settings: { mail: string }) => Promise<Instance>,
): Promise<Finding[]> {
  const sink = await startSink();
  const instance = await start(folder, { mail: sink.url });
  const say = (text: string) =>
    process.stderr.write(`${new Date().toISOString()} ${instance.name}: ${text}\n`);
  const finding = (what: string, unit: string, value: number, goal?: Finding["goal"]): Finding => ({
    what: `${instance.name}: ${what}`,
    unit,
    value,
    ...(goal && { goal }),
  });
  try {
    say("filling");
    const population = await populate(instance, ENVELOPES);
    const memoryBefore = await memoryOf(instance);
    say("a hundred people");
    const mix = await runMix(instance.url, population, Bun.sleep(MINUTES * 60_000));
    const memoryAfter = await memoryOf(instance);
    const lost = await findLost(mix);
    for (const problem of [...lost, ...mix.problems].slice(0, 10)) say(problem);
    say(`${KILLS} kills`);
    const killed = await runMixWithKills(instance, population, KILLS);
    const lostByKills = await findLost(killed);
    for (const problem of lostByKills.slice(0, 10)) say(problem);
    const findings = [
      ...latenciesOf(mix, finding),
      finding("requests without a good response", "", mix.problems.length, { of: "value", atMost: 0 }),
      finding(`lost of ${mix.acknowledged.size}`, "", lost.length, { of: "value", atMost: 0 }),
      finding(`lost of ${killed.acknowledged.size} during ${KILLS} kills`, "", lostByKills.length, {
        of: "value",
        atMost: 0,
      }),
      finding("requests cut off or rejected meanwhile", "", killed.problems.length),
      finding("memory before", "MB", memoryBefore),
      finding("memory after", "MB", memoryAfter),
    ];
    sayAll(findings);
    const chore = async (name: string, work: () => Promise<void>) => {
      say(name);
      const done = await beside(population, work);
      const found = findingsOf(name, done, finding);
      sayAll(found);
      findings.push(...found);
    };
    await runChores(folder, { instance, population, sink, chore, findings, finding });
    return findings;
  } finally {
    await instance.stop();
    await sink.close();
  }
}

/** A later failure loses nothing of what was measured. */
const sayAll = (findings: readonly Finding[]) => {
  for (const { what, value, unit } of findings)
    process.stderr.write(`${what}: ${value.toPrecision(3)} ${unit}\n`);
};

type Making = (what: string, unit: string, value: number, goal?: Finding["goal"]) => Finding;
type Given = {
  instance: Instance;
  population: Population;
  sink: Sink;
  chore(name: string, work: () => Promise<void>): Promise<void>;
  findings: Finding[];
  finding: Making;
};

async function runChores(folder: string, { instance, sink, chore, findings, finding }: Given) {
  sink.recipients.clear();
  const due = await makeRemindersDue(instance, REMINDERS);
  await chore(`${due} reminders due in one hour`, async () => {
    while (countReminded(sink) < due) await Bun.sleep(500);
  });
  // Their requestors may still be told of what was submitted before.
  const reminded = [...sink.recipients].filter(([address]) => address.startsWith(REMINDED));
  const twice = reminded.filter(([, count]) => count > 1).length;
  findings.push(finding("recipients reminded twice", "", twice, { of: "value", atMost: 0 }));
  await addOverdueFiles(instance, FILES);
  await chore(`deleting ${FILES} files after their retention`, () => waitForRetention(instance));
  await chore(`deleting an account with ${FILES * 3} envelopes`, () => deleteLargestAccount(instance));
  await chore("a backup of the whole", () => backUp(instance, join(folder, "backup")));
  await chore("its restoration", () => restore(instance, folder, join(folder, "backup")));
}

function latenciesOf({ latencies }: Mix, finding: Making): Finding[] {
  return Object.entries(latencies).flatMap(([what, times]) => [
    finding(`${what}, p50 of ${times.length}`, "ms", quantile(times, 0.5)),
    finding(
      `${what}, p99`,
      "ms",
      quantile(times, 0.99),
      what === "list" ? { of: "value", atMost: 100 } : undefined,
    ),
  ]);
}

const findingsOf = (name: string, { milliseconds, othersP99 }: Chore, finding: Making): Finding[] => [
  finding(name, "s", milliseconds / 1000),
  finding(`${name}: others' p99`, "ms", othersP99, { of: "value", atMost: 100 }),
];

const memoryOf = async ({ servers }: Instance) =>
  (await Promise.all(servers.map((server) => server.memory()))).reduce((sum, { now }) => sum + now, 0);

const countReminded = ({ recipients }: Sink) =>
  [...recipients.keys()].filter((address) => address.startsWith(REMINDED)).length;

/** A mail server that only counts: parsing a hundred thousand mails would take as long as sending them. */
async function startSink(): Promise<Sink> {
  const recipients = new Map<string, number>();
  const { url, close } = await startSmtpServer({
    onData(stream, session, callback) {
      stream.resume();
      stream.on("end", () => {
        for (const { address } of session.envelope.rcptTo)
          recipients.set(address, (recipients.get(address) ?? 0) + 1);
        callback();
      });
    },
  });
  return { url: `${url}?ignoreTLS=true`, recipients, close };
}
