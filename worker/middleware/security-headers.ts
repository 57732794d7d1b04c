import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env";
import { apiHeaders } from "../lib/security-headers";

/** Adds the security headers to every response that does not set its own. */
export const securityHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { transport } = c.var.deps.config;
  for (const [name, value] of Object.entries(apiHeaders(transport))) {
    if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  }
});
