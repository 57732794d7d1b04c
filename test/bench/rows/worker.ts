import { gzipSync } from "node:zlib";
import { startProductionWorker } from "../../support/production-worker";
import { bundle } from "../../support/workerd";
import type { Row } from "../harness/row";

/** The Worker's script as it is deployed, and the local runtime's time from nothing to its first answer. */
export const worker: Row = async () => {
  const script = await bundle("worker/cloudflare.ts");
  const started = performance.now();
  const running = await startProductionWorker({});
  await fetch(`${running.url}/api/health`);
  const took = performance.now() - started;
  await running.stop();
  return [
    {
      what: "Worker's script, gzip",
      unit: "KB",
      value: gzipSync(script).length / 1024,
      goal: { of: "value", atMost: 1000 },
    },
    { what: "workerd, D1 migrated, first answer (bundling included)", unit: "ms", value: took },
  ];
};
