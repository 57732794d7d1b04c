import type { Context } from "hono";
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

/** Adds a `Link` header with the next page of a list, if there is one; relative, so that it works with any host. */
export function linkNextPage(c: Context, next: number | null): void {
  if (next === null) return;
  const { pathname, searchParams } = new URL(c.req.url);
  searchParams.set("cursor", String(next));
  c.header("Link", `<${pathname}?${searchParams}>; rel="next"`);
}
