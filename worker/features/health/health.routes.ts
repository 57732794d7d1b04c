import { Hono } from "hono";
import { ping } from "../../../db/queries/operation";
import type { AppEnv } from "../../app-env";
import { healthResponse, livenessResponse, readinessResponse } from "../../contract/health";
import { appError, causes } from "../../errors";
import { VERSION } from "../../lib/version";
import { describe, respond } from "../../middleware/describe";
import { requireReady } from "./health.service";

/** Liveness of the process alone: an orchestrator restarts it if this does not answer. */
export const liveRoutes = new Hono<AppEnv>().get(
  "/",
  describe("Check whether the process is alive", { 200: livenessResponse }),
  (c) => respond(c, { status: "live" as const }),
);

/** Whether the database answers, and the running version. */
export const healthRoutes = new Hono<AppEnv>().get(
  "/",
  describe("Check the database and read the version", { 200: healthResponse }),
  async (c) => {
    await ping(c.var.deps.db);
    return respond(c, { status: "ok" as const, version: VERSION });
  },
);

/** Readiness: the server is not about to stop, and the database and the store answer and accept writes. */
export const readyRoutes = new Hono<AppEnv>().get(
  "/",
  describe("Check whether the service is ready", { 200: readinessResponse }),
  async (c) => {
    try {
      await requireReady(c.var.deps);
    } catch (error) {
      c.var.deps.log.warn("not ready", { reason: causes(error).trim() });
      throw appError("unavailable", { retryAfterSeconds: 5 });
    }
    return respond(c, { status: "ready" as const });
  },
);
