import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import type { AppEnv } from "../app-env";
import { causes } from "../errors";
import { toAppError } from "./error-response";

/** One line for each request: the route's pattern rather than the path, which may hold a token. */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const { log } = c.var.deps;
  const started = performance.now();
  const requestId = crypto.randomUUID();
  c.set("requestId", requestId);
  await next();
  c.header("X-Request-Id", requestId);
  const user = (c.var as { user?: { id: number } }).user;
  log.info("request", {
    requestId,
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    ms: Math.round(performance.now() - started),
    userId: user?.id,
  });
  if (c.error && toAppError(c.error).code === "internal")
    log.error("request failed", { requestId, error: causes(c.error), stack: c.error.stack });
});
