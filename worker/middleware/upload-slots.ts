import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env";
import { appError } from "../errors";

const RETRY_SECONDS = 10;
const UPLOADING = new Set(["POST", "PATCH"]);

/** Limits the concurrent uploads of one client address to `limit`, so that it cannot take every slot. */
export function limitUploadsByAddress(limit: number) {
  const running = new Map<string, number>();
  return createMiddleware<AppEnv>(async (c, next) => {
    if (!UPLOADING.has(c.req.method) || !c.var.deps.config.limitsRates) return next();
    const address = c.env.clientAddress;
    const active = running.get(address) ?? 0;
    if (active >= limit) throw appError("rate_limited", { retryAfterSeconds: RETRY_SECONDS });
    running.set(address, active + 1);
    try {
      await next();
    } finally {
      const left = (running.get(address) ?? 1) - 1;
      if (left > 0) running.set(address, left);
      else running.delete(address);
    }
  });
}
