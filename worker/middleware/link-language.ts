import { createMiddleware } from "hono/factory";
import { findLinkLanguage } from "../../db/queries/submissions";
import type { AppEnv } from "../app-env";
import { AppError, causes, fillParams } from "../errors";

/** Translates the messages of a link's errors into the language of its envelope. Their codes stay. */
export const errorsInLinkLanguage = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { error } = c;
  // Nobody has translated what is wrong with a field: the page does not send such input.
  if (!(error instanceof AppError) || error.code === "validation") return;
  const { db, loadErrorTexts, log } = c.var.deps;
  try {
    const language = await findLinkLanguage(db, c.req.param("token") ?? "");
    const text = language && (await loadErrorTexts(language))[error.code];
    if (typeof text !== "string") return;
    const message = fillParams(text, error.details.params ?? {});
    c.res = new Response(JSON.stringify({ ...(await c.res.json()), message }), c.res);
  } catch (failure) {
    // The response has its English message.
    log.warn("error not translated", { error: causes(failure) });
  }
});
