import { Hono } from "hono";
import { ping } from "../../../db/queries/health";
import type { AppEnv } from "../../app-env";
import { appError, causes } from "../../errors";
import { describe } from "../../middleware/describe";
import { requireReady } from "./readiness";

/** Liveness. */
export const healthRoutes = new Hono<AppEnv>().get(
  "/",
  describe("Tell whether the service is alive", { 200: "Health" }),
  async (c) => {
    await ping(c.var.deps.db);
    return c.json({ status: "ok" as const });
  },
);

/** Readiness: the database and the store answer and accept writes. */
export const readyRoutes = new Hono<AppEnv>().get(
  "/",
  describe("Tell whether the service is ready", { 200: "Readiness" }),
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
