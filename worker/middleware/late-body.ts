import type { Context } from "hono";
import type { AppEnv } from "../app-env";
import type { AppContext } from "./api-token";

/** When a body has taken so long, who sends it is checked again. */
const LATE_MS = 1000;

/**
 * Checks who calls, now and, if the body arrives late, once more when it is there: meanwhile the session or the API token
 * may have ended, and nothing else bounds how slowly a body is sent.
 */
export async function checkCaller(c: AppContext, check: () => Promise<void>): Promise<void> {
  const { clock } = c.var.deps;
  const before = c.var.checkAgain;
  const checkedAt = clock.now().getTime();
  await check();
  (c as Context<AppEnv>).set("checkAgain", async () => {
    await before?.();
    if (clock.now().getTime() - checkedAt >= LATE_MS) await check();
  });
}

/** The body of a request with files, which may arrive slowly. */
export function uploadOf(c: AppContext) {
  c.env.allowSlowBody?.();
  return {
    body: c.req.raw.body,
    contentType: c.req.header("content-type"),
    checkAgain: c.var.checkAgain,
  };
}
