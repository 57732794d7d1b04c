import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env";
import { apiHeaders, type Transport } from "../lib/security-headers";
import { TUS_VERSION } from "../lib/tus";

/** Adds the version of the upload protocol to every response of its routes, errors included. */
export const tusResumable = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  c.res.headers.set("Tus-Resumable", TUS_VERSION);
});

/** The same for every response. */
const entriesOf = new WeakMap<Transport, [string, string][]>();

/** Adds the security headers to every response that does not set its own. */
export const securityHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { transport } = c.get("deps").config;
  const entries = entriesOf.get(transport) ?? Object.entries(apiHeaders(transport));
  entriesOf.set(transport, entries);
  const { headers } = c.res;
  for (const [name, value] of entries) if (!headers.has(name)) headers.set(name, value);
});
