import { Hono } from "hono";
import type { AppEnv } from "../../app-env";
import { describe } from "../../middleware/describe";
import type { RegisteredHandler } from "./document";

/** The description of the whole API, made when somebody first asks for it. */
export function openApiRoutes(handlers: () => readonly RegisteredHandler[]) {
  let document: Promise<string> | undefined;
  const make = async (origin: string) => {
    const { openApiDocument } = await import("./document");
    return JSON.stringify(openApiDocument(handlers(), origin));
  };
  return new Hono<AppEnv>().get(
    "/openapi.json",
    describe("Read this description", { 200: "OpenApi" }),
    async (c) => {
      document ??= make(c.var.deps.config.publicUrl);
      return c.body(await document, 200, {
        "Content-Type": "application/json",
        "Cache-Control": "public, max-age=300",
      });
    },
  );
}
