import { tryWriting } from "../../../db/queries/health";
import type { Dependencies } from "../../dependencies";
import { StoreUnavailableError } from "../../ports/file-store";

/** Anybody may ask, and asking writes: within this time all get one answer. */
const CACHED_MS = 5000;
/** A database that is locked or does not answer is waited for no longer than a load balancer waits. */
const DEADLINE_MS = 3000;
/** No file has this name: what counts is that the store can say so. */
const NO_FILE = "ready-check";

type Check = { at: number; done: Promise<void> };
const checks = new WeakMap<Dependencies["files"], Check>();

/** Resolves where the database and the store both take bytes now, or did so a few seconds ago. */
export async function requireReady(deps: Dependencies): Promise<void> {
  const now = deps.clock.now().getTime();
  let check = checks.get(deps.files);
  if (!check || now < check.at || now - check.at >= CACHED_MS) {
    check = { at: now, done: checkStores(deps) };
    check.done.catch(() => {});
    checks.set(deps.files, check);
  }
  const late = Promise.withResolvers<never>();
  const refuse = () => late.reject(new StoreUnavailableError(`No answer in ${DEADLINE_MS} ms`));
  const timer = setTimeout(refuse, DEADLINE_MS);
  await Promise.race([check.done, late.promise]).finally(() => clearTimeout(timer));
}

async function checkStores({ db, files }: Dependencies): Promise<void> {
  await Promise.all([tryWriting(db), files.read(NO_FILE), tryStoring(files)]);
}

/** Takes back what it writes before anybody could read it. Finds a disk that is full or cannot be written to. */
async function tryStoring(files: Dependencies["files"]): Promise<void> {
  const writer = await files.create(NO_FILE);
  try {
    await writer.write(new Uint8Array(1));
  } finally {
    await writer.abort();
  }
}
