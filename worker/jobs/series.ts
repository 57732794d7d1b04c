import { listDueSeries } from "../../db/queries/series";
import type { Dependencies } from "../dependencies";
import { causes } from "../errors";
import type { DueSeries } from "../features/series/run-series";
import { workInParts } from "./in-parts";

/** Series that are queued before others have their turn. */
const PAGE = 1;
/** Of a Worker's run, for what follows. */
const LEAVES_CALLS = 800;
const WORKER_PARTS = 50;

/** Queues what is due of all series as bulk sends. */
export async function queueDueSeries(deps: Dependencies): Promise<void> {
  const { db, clock, runLimits, log } = deps;
  let after: DueSeries | undefined;
  await workInParts(deps, {
    name: "series",
    part: async () => {
      if (runLimits && runLimits.callsLeft() <= LEAVES_CALLS) return false;
      const page = await listDueSeries(db, clock.now().toISOString(), { after, limit: PAGE });
      if (page.length === 0) return false;
      // Most runs need it not.
      const { workOff } = await import("../features/series/run-series");
      // At once: what is written in one turn of the event loop shares an fsync. One that fails must not stop the others.
      await Promise.all(
        page.map((series) =>
          workOff(deps, series).catch((error: unknown) =>
            log.error("series failed", { seriesId: series.id, error: causes(error) }),
          ),
        ),
      );
      after = page.at(-1);
      return page.length === PAGE;
    },
    pauses: 2,
    workerParts: WORKER_PARTS,
  });
}
