import { Hono } from "hono";
import { ping, tryWriting } from "../../../db/queries/instance";
import type { AppEnv } from "../../app-env";
import { healthResponse, livenessResponse, readinessResponse } from "../../contract/health";
import type { Dependencies } from "../../dependencies";
import { appError, causes } from "../../errors";
import { withDeadline } from "../../lib/retry";
import { VERSION } from "../../lib/version";
import { describe, respond } from "../../middleware/describe";
import { StoreUnavailableError } from "../../ports/file-store";
import { checkStore } from "./store-check";

/** The endpoint is public and a check writes, so one result is reused for this long. */
const CACHED_MS = 5000;
/** How long to wait for a locked or unresponsive database: as long as a load balancer waits. */
const DEADLINE_MS = 3000;

export const healthRoutes = new Hono<AppEnv>()
  // Whether the database answers, and what runs.
  .get("/health", describe("Check the database and read the version", { 200: healthResponse }), async (c) => {
    await ping(c.var.deps.db);
    return respond(c, { status: "ok" as const, version: VERSION, ...c.var.deps.revision });
  })
  // Liveness of the process alone: an orchestrator restarts it if this does not answer.
  .get("/live", describe("Check whether the process is alive", { 200: livenessResponse }), (c) =>
    respond(c, { status: "live" as const }),
  )
  // Readiness: the server is not about to stop, and the database and the store answer and accept writes.
  .get("/ready", describe("Check whether the service is ready", { 200: readinessResponse }), async (c) => {
    try {
      await requireReady(c.var.deps);
    } catch (error) {
      c.var.deps.log.warn("not ready", { reason: causes(error).trim() });
      throw appError("unavailable", { retryAfterSeconds: 5 });
    }
    return respond(c, { status: "ready" as const });
  });

/**
 * Resolves if this server is not stopping, and the database and the store accept writes now, or did a few seconds ago.
 */
async function requireReady(deps: Dependencies): Promise<void> {
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
  await Promise.all([tryWriting(db), checkStore(files)]);
}
