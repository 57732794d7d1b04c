import { indexStaleEnvelopes, mergeSearchIndex } from "../../db/queries/search";
import type { Dependencies } from "../dependencies";
import { sleep } from "../lib/retry";

const BATCH = 100;
/** A Worker may make 50 calls an invocation. */
const MAX_BATCHES = 15;
/** A server continues after each pause, with the next run of the schedule if it takes longer. */
const RUN_MS = 50_000;
const PAUSE_MS = 20;

/** Indexes the envelopes that no search has indexed, after an upgrade or an import all of them. */
export async function startIndexing({ db, background, stopping }: Dependencies): Promise<void> {
  let batches = 0;
  const index = async () => (await indexStaleEnvelopes(db, BATCH)) === BATCH;
  while (batches < MAX_BATCHES && (await index())) batches += 1;
  if (batches < MAX_BATCHES || !stopping) return;
  background.run("search index", async () => {
    const endsAt = Date.now() + RUN_MS;
    while (Date.now() < endsAt && !stopping.aborted && (await index())) await sleep(PAUSE_MS, stopping);
  });
}

/** Of 4 KiB. */
const PAGES_PER_MERGE = 64;
const MAX_MERGES = 30;
const MERGE_HOUR = 3;

/** Erases what was deleted from the index, once a day: all of it is written again. */
export async function eraseFromSearchIndex({ db, clock, background, stopping }: Dependencies): Promise<void> {
  if (clock.now().getUTCHours() !== MERGE_HOUR) return;
  let merges = 0;
  const merge = () => mergeSearchIndex(db, PAGES_PER_MERGE, merges++ > 0);
  while (merges < MAX_MERGES) if (!(await merge())) return;
  if (!stopping) return;
  background.run("search index", async () => {
    while (!stopping.aborted && (await merge())) await sleep(PAUSE_MS, stopping);
  });
}
