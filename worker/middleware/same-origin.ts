import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env";
import { appError } from "../errors";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses changes that a browser says come from another site. The allowed origins are configured: the
 * request's own Host header is the sender's to choose.
 */
export const sameOrigin = createMiddleware<AppEnv>(async (c, next) => {
  if (!SAFE_METHODS.has(c.req.method)) {
    const origin = c.req.header("origin");
    const foreign = origin !== undefined && !c.var.deps.config.allowedOrigins.includes(origin);
    if (foreign || c.req.header("sec-fetch-site") === "cross-site") throw appError("cross_site");
  }
  await next();
});
