import { listUnfinishedBulkSends } from "../../db/queries/bulk-sends";
import type { Dependencies } from "../dependencies";
import { causes } from "../errors";
import { budgetOf, runBulkSend } from "../features/envelopes/run-bulk-send";
import { workInParts } from "./in-parts";

/** Bulk sends of one part. */
const PAGE = 10;
const WORKER_PARTS = 3;

/** Continues bulk sends that were interrupted, are too long for one run, or that series have queued. */
export async function continueBulkSends(deps: Dependencies): Promise<void> {
  const budget = budgetOf(deps);
  let after = 0;
  await workInParts(deps, {
    name: "bulk sends",
    part: async () => {
      const ids = await listUnfinishedBulkSends(deps.db, after, PAGE);
      for (const id of ids) {
        if (budget.batches <= 0) return false;
        // Some that fail must not stop the others.
        await runBulkSend(deps, id, budget).catch((error: unknown) =>
          deps.log.error("bulk send failed", { bulkId: id, error: causes(error) }),
        );
      }
      after = ids.at(-1) ?? after;
      return ids.length === PAGE;
    },
    // Each pauses by itself.
    pauses: 0,
    workerParts: WORKER_PARTS,
  });
}
