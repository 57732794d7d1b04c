import { Hono } from "hono";
import type { AppEnv } from "../../app-env";
import { openApiResponse } from "../../contract/health";
import type { Dependencies } from "../../dependencies";
import { describe } from "../../middleware/describe";
import type { ApiDescription, RegisteredHandler } from "../../ports/api-description";

const CACHED = { "Cache-Control": "public, max-age=300" };
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The description of the whole API, for programs and for readers. Loaded by the first request. */
export function openApiRoutes(handlers: () => readonly RegisteredHandler[]) {
  let loaded: ApiDescription | undefined;
  const load = async ({ loadApiDescription }: Dependencies) => {
    loaded ??= await loadApiDescription(handlers());
    return loaded;
  };
  return new Hono<AppEnv>()
    .get("/openapi.json", describe("Read this description", { 200: openApiResponse }), async (c) => {
      const { document } = await load(c.var.deps);
      const servers = [{ url: c.var.deps.config.publicUrl }];
      return c.body(JSON.stringify({ ...document, servers }), 200, {
        ...CACHED,
        "Content-Type": "application/json",
      });
    })
    .get("/docs", describe("Read this description as a page", { 200: "text/html" }), async (c) => {
      const { page } = await load(c.var.deps);
      return c.html(page, 200, { ...CACHED, "Content-Security-Policy": PAGE_POLICY });
    })
    .get("/docs/style.css", describe("Read the style of the page", { 200: "text/css" }), async (c) => {
      const { style } = await load(c.var.deps);
      return c.body(style, 200, { ...CACHED, "Content-Type": "text/css; charset=utf-8" });
    });
}
