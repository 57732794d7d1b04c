import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env";
import { appError } from "../errors";
import { bearerToken, SAFE_METHODS } from "./api-token";

/** Maximum length in the log: the sender controls this header. */
const ORIGIN_LENGTH = 200;

/**
 * Rejects changes that a browser reports as cross-site. The allowed origins are configured: the sender controls the
 * request's Host header.
 */
export const sameOrigin = createMiddleware<AppEnv>(async (c, next) => {
  // A program with a token sends no cookie that another site could abuse.
  if (!SAFE_METHODS.has(c.req.method) && bearerToken(c) === undefined) {
    const origin = c.req.header("origin");
    const { config, log } = c.var.deps;
    const site = c.req.header("sec-fetch-site")?.slice(0, 20);
    const foreign = origin !== undefined && !config.allowedOrigins.includes(origin);
    if (foreign || site === "cross-site") {
      const expected = config.allowedOrigins.join(" ");
      log.warn("cross-site request rejected", {
        ...{ origin: origin?.slice(0, ORIGIN_LENGTH), site, expected },
        // The browser says that the page is the server's own.
        ...(site === "same-origin" && { advice: "set PUBLIC_URL to the origin, or open the expected one" }),
      });
      throw appError("cross_site");
    }
  }
  await next();
});
