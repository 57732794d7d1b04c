import { withFolder } from "../harness/process";
import { type Finding, quantile, type Row } from "../harness/row";
import { populate } from "../million/build";
import { type Instance, startEmbedded, startShared } from "../million/instance";
import { findLost, type Mix, runMix, runMixWithKills } from "../million/mix";
import { startSink } from "../million/sink";

const numberFrom = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
const ENVELOPES = numberFrom("BENCH_ENVELOPES", 1_000_000);
const MINUTES = numberFrom("BENCH_MINUTES", 10);
const KILLS = numberFrom("BENCH_KILLS", 200);

const SET_UPS = { embedded: startEmbedded, shared: startShared };
const CHOSEN = (process.env.BENCH_SET_UPS ?? Object.keys(SET_UPS).join()).split(",");

/**
 * A million envelopes in 1,000 workspaces, on one server with the embedded file and on two with sqld and S3: a hundred
 * people at once, and then kills. Takes over an hour; `BENCH_SET_UPS` (`embedded`, `shared`), `BENCH_ENVELOPES`,
 * `BENCH_MINUTES`, `BENCH_PAUSE_MS` and `BENCH_KILLS` shorten it.
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
    return [
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
  } finally {
    await instance.stop();
    await sink.close();
  }
}

type Making = (what: string, unit: string, value: number, goal?: Finding["goal"]) => Finding;

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

const memoryOf = async ({ servers }: Instance) =>
  (await Promise.all(servers.map((server) => server.memory()))).reduce((sum, { now }) => sum + now, 0);
