import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env";
import { TUS_VERSION } from "../lib/tus";

/** Adds the version of the upload protocol to every response of its routes, errors included. */
export const tusResumable = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  c.res.headers.set("Tus-Resumable", TUS_VERSION);
});
