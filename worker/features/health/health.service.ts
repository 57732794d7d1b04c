import { tryWriting } from "../../../db/queries/operation";
import type { Dependencies } from "../../dependencies";
import { withDeadline } from "../../lib/retry";
import { StoreUnavailableError } from "../../ports/file-store";

/** The endpoint is public and a check writes, so one result is reused for this long. */
const CACHED_MS = 5000;
/** How long to wait for a locked or unresponsive database: as long as a load balancer waits. */
const DEADLINE_MS = 3000;
/** No file has this key. The check only needs a response from the store. */
const NO_FILE = "ready-check";

/**
 * Resolves if this server is not stopping, and the database and the store accept writes now, or did a few seconds ago.
 */
export async function requireReady(deps: Dependencies): Promise<void> {
  if (deps.stopping?.aborted) throw new StoreUnavailableError("The server is about to stop");
  const now = deps.clock.now().getTime();
  let check = deps.memory.readiness;
  if (!check || now < check.at || now - check.at >= CACHED_MS) {
    check = { at: now, done: checkStores(deps) };
    check.done.catch(() => {});
    deps.memory.readiness = check;
  }
  await withDeadline(
    check.done,
    DEADLINE_MS,
    () => new StoreUnavailableError(`No answer in ${DEADLINE_MS} ms`),
  );
}

async function checkStores({ db, files }: Dependencies): Promise<void> {
  await Promise.all([tryWriting(db), files.read(NO_FILE), files.tryStoring()]);
}
