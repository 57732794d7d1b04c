import { Hono } from "hono";
import { ping } from "../../../db/queries/health";
import type { AppEnv } from "../../app-env";

export const healthRoutes = new Hono<AppEnv>().get("/", async (c) => {
  await ping(c.var.deps.db);
  return c.json({ status: "ok" as const });
});
