import { addEnvelopes, sendEnvelope, signUp } from "../harness/account";
import { generateLoad } from "../harness/load";
import { startApp, withFolder } from "../harness/process";
import { type Finding, quantile, type Row } from "../harness/row";

/** Envelopes in the whole database; the last one is the reference. */
const SIZES = [1000, 100_000, 1_000_000];
const OWN = 1000;
const TIMES = 40;

type Times = Record<string, number[]>;

/**
 * The duration of each call with more and more envelopes, most of them of other accounts. Filling a million takes a
 * minute; `BENCH_ENVELOPES=100000` stops earlier.
 */
export const growth: Row = () =>
  withFolder(async (folder) => {
    const most = Number(process.env.BENCH_ENVELOPES ?? SIZES.at(-1));
    const app = await startApp(folder);
    const owner = await signUp(app.url, "owner@example.com");
    const other = await signUp(app.url, "other@example.com");
    const measured: { size: number; times: Times }[] = [];
    let size = OWN;
    await addEnvelopes(folder, owner, OWN / 2);
    await addEnvelopes(folder, other, OWN / 2);
    for (const wanted of SIZES.filter((one) => one <= most)) {
      await addEnvelopes(folder, other, wanted - size);
      size = wanted;
      const token = await sendEnvelope(owner, ["Passport"]);
      const reads = {
        "GET /api/submissions/{token}": { path: `/api/submissions/${token}` },
        "GET /api/requests?limit=50": { path: "/api/requests?limit=50", cookie: owner.cookie },
        "the same, of a workspace, after a cursor": {
          path: `/api/requests?limit=50&workspaceId=${owner.workspaceId}&cursor=400`,
          cookie: owner.cookie,
        },
        "the same, for who owns nearly all of them": {
          path: "/api/requests?limit=50",
          cookie: other.cookie,
        },
      };
      const times: Times = {};
      for (const [what, read] of Object.entries(reads)) {
        const load = { ...read, connections: 1, milliseconds: 250 };
        await generateLoad(app.url, load);
        times[what] = (await generateLoad(app.url, load)).latencies;
      }
      times["POST /api/requests"] = [];
      for (let time = 0; time < TIMES; time += 1) {
        const started = performance.now();
        await sendEnvelope(owner, ["Passport"]);
        times["POST /api/requests"].push(performance.now() - started);
      }
      measured.push({ size, times });
    }
    await app.stop();
    return Object.keys(measured[0]?.times ?? {}).flatMap((what) => findingsOf(what, measured));
  });

/** Each size relative to the smallest: p50 has a goal, p99 is informative. */
function findingsOf(what: string, measured: { size: number; times: Times }[]): Finding[] {
  const [first, ...more] = measured.map(({ size, times }) => ({ size, latencies: times[what] ?? [] }));
  if (!first) return [];
  return more.flatMap(({ size, latencies }) =>
    ([0.5, 0.99] as const).map((part) => ({
      what: `${what}: p${part * 100}, ${size.toLocaleString("en")} envelopes`,
      unit: "ms",
      value: quantile(latencies, part),
      baseline: {
        name: `with ${first.size.toLocaleString("en")}`,
        value: quantile(first.latencies, part),
      },
      goal: part === 0.5 ? { of: "ratio" as const, atMost: 1.5 } : undefined,
    })),
  );
}
