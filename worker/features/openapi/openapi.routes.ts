import { type Context, Hono } from "hono";
import type { AppEnv } from "../../app-env";
import { openApiResponse } from "../../contract/health";
import { matchesEtag } from "../../lib/etag";
import { hashToken } from "../../lib/tokens";
import { describe } from "../../middleware/describe";
import type { RegisteredHandler } from "../../ports/api-description";

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The description of the whole API, for programs and for readers. Loaded and written out by the first request. */
export function openApiRoutes(handlers: () => readonly RegisteredHandler[]) {
  let loaded: Awaited<ReturnType<typeof load>> | undefined;
  const load = async ({ config, loadApiDescription }: AppEnv["Variables"]["deps"]) => {
    const { document, page, style } = await loadApiDescription(handlers());
    const json = JSON.stringify({ ...document, servers: [{ url: config.publicUrl }] });
    const tagged = async (body: string) => ({ body, etag: `"${await hashToken(body)}"` });
    return { json: await tagged(json), page: await tagged(page), style: await tagged(style) };
  };
  const send = async (c: Context<AppEnv>, what: "json" | "page" | "style", more: Record<string, string>) => {
    loaded ??= await load(c.var.deps);
    const { body, etag } = loaded[what];
    // Weak, as it is the same for each encoding.
    const headers = { ...more, "Cache-Control": "public, max-age=300", ETag: `W/${etag}` };
    return matchesEtag(c.req.header("if-none-match"), etag)
      ? c.body(null, 304, headers)
      : c.body(body, 200, headers);
  };
  return new Hono<AppEnv>()
    .get("/openapi.json", describe("Read this description", { 200: openApiResponse, 304: null }), (c) =>
      send(c, "json", { "Content-Type": "application/json" }),
    )
    .get("/docs", describe("Read this description as a page", { 200: "text/html", 304: null }), (c) =>
      send(c, "page", { "Content-Type": "text/html; charset=UTF-8", "Content-Security-Policy": PAGE_POLICY }),
    )
    .get("/docs/style.css", describe("Read the style of the page", { 200: "text/css", 304: null }), (c) =>
      send(c, "style", { "Content-Type": "text/css; charset=utf-8" }),
    );
}
