import { Hono } from "hono";
import { ping } from "../../../db/queries/health";
import type { AppEnv } from "../../app-env";
import { appError, causes } from "../../errors";
import { VERSION } from "../../lib/version";
import { describe } from "../../middleware/describe";
import { requireReady } from "./readiness";

/** Liveness of the process alone: an orchestrator restarts it if this does not answer. */
export const liveRoutes = new Hono<AppEnv>().get(
  "/",
  describe("Check whether the process is alive", { 200: "Liveness" }),
  (c) => c.json({ status: "live" as const }),
);

/** Whether the database answers, and the running version. */
export const healthRoutes = new Hono<AppEnv>().get(
  "/",
  describe("Check the database and read the version", { 200: "Health" }),
  async (c) => {
    await ping(c.var.deps.db);
    return c.json({ status: "ok" as const, version: VERSION });
  },
);

/** Readiness: the server is not about to stop, and the database and the store answer and accept writes. */
export const readyRoutes = new Hono<AppEnv>().get(
  "/",
  describe("Check whether the service is ready", { 200: "Readiness" }),
  async (c) => {
    try {
      await requireReady(c.var.deps);
    } catch (error) {
      c.var.deps.log.warn("not ready", { reason: causes(error).trim() });
      throw appError("unavailable", { retryAfterSeconds: 5 });
    }
    return c.json({ status: "ready" as const });
  },
);
