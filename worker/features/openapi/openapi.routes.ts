import { Hono } from "hono";
import type { AppEnv } from "../../app-env";
import { describe } from "../../middleware/describe";
import type { RegisteredHandler } from "./document";
import type { ShownDocument } from "./shown-document";

const CACHED = { "Cache-Control": "public, max-age=300" };
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The description of the whole API, for programs and for readers. Created by the first request. */
export function openApiRoutes(handlers: () => readonly RegisteredHandler[]) {
  let document: Promise<string> | undefined;
  const documentOf = (origin: string) => {
    document ??= import("./document").then(({ openApiDocument }) =>
      JSON.stringify(openApiDocument(handlers(), origin)),
    );
    return document;
  };
  return new Hono<AppEnv>()
    .get("/openapi.json", describe("Read this description", { 200: "OpenApi" }), async (c) =>
      c.body(await documentOf(c.var.deps.config.publicUrl), 200, {
        ...CACHED,
        "Content-Type": "application/json",
      }),
    )
    .get("/docs", describe("Read this description as a page", { 200: "text/html" }), async (c) => {
      const { docsPage } = await import("./docs-page");
      const shown: ShownDocument = JSON.parse(await documentOf(c.var.deps.config.publicUrl));
      return c.html(docsPage(shown), 200, { ...CACHED, "Content-Security-Policy": PAGE_POLICY });
    })
    .get("/docs/style.css", describe("Read the style of the page", { 200: "text/css" }), async (c) => {
      const { DOCS_STYLE } = await import("./docs-style");
      return c.body(DOCS_STYLE, 200, { ...CACHED, "Content-Type": "text/css; charset=utf-8" });
    });
}
