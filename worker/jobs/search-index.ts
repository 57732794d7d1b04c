import { fillListColumns } from "../../db/queries/list-columns";
import { INDEXED_AT_ONCE, indexStaleEnvelopes, mergeSearchIndex } from "../../db/queries/search";
import type { Dependencies } from "../dependencies";
import { sleep } from "../lib/retry";
import { type PartsDependencies, workInParts } from "./in-parts";

const WORKER_BATCHES = 15;
/** Rows of a table whose list columns one statement fills. */
const FILLED_AT_ONCE = 200;
/** Each call costs a Worker milliseconds, and others of its process are served meanwhile. */
const WORKER_BATCH = 20_000;
/** Of a server's time, indexing takes a fifth: it pauses for this many times as long as a batch took. */
const PAUSES = 4;

/** Indexes the envelopes that no search has indexed, and fills what lists read of older rows: after an upgrade, of all. */
export async function startIndexing({
  db,
  requireSpace,
  ...deps
}: Pick<Dependencies, "db" | "requireSpace"> & PartsDependencies): Promise<void> {
  const characters = deps.stopping ? INDEXED_AT_ONCE : WORKER_BATCH;
  await workInParts(deps, {
    name: "search index",
    part: async () => {
      await requireSpace?.(0);
      const hasMore = await fillListColumns(db, FILLED_AT_ONCE);
      return (await indexStaleEnvelopes(db, characters)) > 0 || hasMore;
    },
    pauses: PAUSES,
    workerParts: WORKER_BATCHES,
  });
}

/** Of 4 KiB. */
const PAGES_PER_MERGE = 64;
const MAX_MERGES = 30;
const MERGE_HOUR = 3;
const MERGE_PAUSE_MS = 20;

/** Erases what was deleted from the index, once a day: all of it is written again. */
export async function eraseFromSearchIndex({ db, clock, background, stopping }: Dependencies): Promise<void> {
  if (clock.now().getUTCHours() !== MERGE_HOUR) return;
  let merges = 0;
  const merge = () => mergeSearchIndex(db, PAGES_PER_MERGE, merges++ > 0);
  while (merges < MAX_MERGES) if (!(await merge())) return;
  if (!stopping) return;
  background.run("search index", async () => {
    while (!stopping.aborted && (await merge())) await sleep(MERGE_PAUSE_MS, stopping);
  });
}
