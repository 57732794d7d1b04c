import { monitorEventLoopDelay } from "node:perf_hooks";
import { sleep } from "bun";
import { createCounters } from "../../../worker/adapters/bun/metrics/counters";
import { createJsonLogger } from "../../../worker/adapters/shared/loggers";
import { createApp } from "../../../worker/app";
import type { Dependencies } from "../../../worker/dependencies";
import { createClient } from "../../support/api/client";
import { sendEnvelope } from "../../support/api/envelopes";
import { startBunRuntime } from "../../support/runtime/bun-runtime";
import { cpuOf, pairedRatio } from "../harness/paired-ratio";
import type { Row } from "../harness/row";

const REQUESTS = 100;
const PAIRS = 300;
/** One count is far below the noise, so each request is counted this often. */
const COUNTS = 20;
const IDLE_MS = 2000;

/**
 * What counting costs the recipient's request. Two processes differ by more than that, so one process answers blocks of
 * requests with and without it in turn, and its processor time is compared.
 */
export const metrics: Row = async () => {
  const { deps: given, stop, origin, fetch } = await startBunRuntime();
  const owner = createClient({ origin, fetch });
  await owner.post("/api/register", { email: "owner@example.com", password: "long enough" });
  const documents = [{ name: "Passport" }, { name: "Proof of address" }];
  const { submissionToken } = await sendEnvelope(owner, { documents });
  const url = `${origin}/api/submissions/${submissionToken}`;
  // A log whose lines are discarded.
  const deps: Dependencies = { ...given, log: createJsonLogger(given.clock, () => {}) };
  const app = createApp(deps);
  const counters = createCounters();
  const twentyfold: Dependencies["metrics"] = {
    ...counters,
    countRequest(...request) {
      for (let count = 0; count < COUNTS; count += 1) counters.countRequest(...request);
    },
  };
  const read = async (counting: Dependencies["metrics"]) => {
    deps.metrics = counting;
    for (let count = 0; count < REQUESTS; count += 1) {
      const response = await app.fetch(new Request(url), { clientAddress: "203.0.113.7" });
      await response.text();
    }
  };
  const compared = await pairedRatio(
    PAIRS,
    () => read(undefined),
    () => read(twentyfold),
  );
  await stop();
  const microseconds = (compared.milliseconds * 1000) / REQUESTS;
  const idle = await cpuOf(() => sleep(IDLE_MS));
  const lag = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();
  const watched = await cpuOf(() => sleep(IDLE_MS));
  lag.disable();
  const ofOne = (ratio: number) => 1 + (ratio - 1) / COUNTS;
  const [low, high] = [compared.low, compared.high].map((ratio) => ofOne(ratio).toFixed(4));
  return [
    {
      what: `GET /api/submissions/{token}, counted (ratio ${low} to ${high}, 95 %)`,
      unit: "µs of CPU",
      value: microseconds * ofOne(compared.ratio),
      baseline: { name: "not counted", value: microseconds },
      goal: { of: "ratio", atMost: 1.01 },
    },
    {
      what: "Watching the event loop, share of one core",
      unit: "%",
      value: (Math.max(0, watched - idle) / IDLE_MS) * 100,
      goal: { of: "value", atMost: 1 },
    },
  ];
};
