import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env";
import { apiHeaders } from "../lib/security-headers";
import { TUS_VERSION } from "../lib/tus";

/** Adds the version of the upload protocol to every response of its routes, errors included. */
export const tusResumable = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  c.res.headers.set("Tus-Resumable", TUS_VERSION);
});

/** Adds the security headers to every response that does not set its own. */
export function securityHeaders(): MiddlewareHandler<AppEnv> {
  let entries: [string, string][] | undefined;
  return async (c, next) => {
    await next();
    entries ??= Object.entries(apiHeaders(c.get("deps").config.transport));
    const { headers } = c.res;
    for (const [name, value] of entries) if (!headers.has(name)) headers.set(name, value);
  };
}
