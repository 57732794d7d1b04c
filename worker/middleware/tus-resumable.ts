import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env";
import { TUS_VERSION } from "../lib/tus";

/** Names the version of the upload protocol on every answer of its calls, failures included. */
export const tusResumable = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  c.res.headers.set("Tus-Resumable", TUS_VERSION);
});
