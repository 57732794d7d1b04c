import type { Context } from "hono";
import { findLinkLanguage } from "../../db/queries/submissions";
import type { AppEnv } from "../app-env";
import { AppError, causes, fillParams } from "../errors";
import { errorResponse } from "./error-response";

const OF_LINK = /^\/api\/submissions\/([^/]+)/;

/** The response to an error. Messages of a link's errors are in the language of its envelope. Their codes stay. */
export async function errorInLinkLanguage(error: unknown, c: Context<AppEnv>): Promise<Response> {
  const response = errorResponse(error, c);
  const token = OF_LINK.exec(c.req.path)?.[1];
  // Nobody has translated what is wrong with a field: the page does not send such input.
  if (token === undefined || !(error instanceof AppError) || error.code === "validation") return response;
  const { db, loadErrorTexts, log } = c.var.deps;
  try {
    const language = await findLinkLanguage(db, token);
    const text = language && (await loadErrorTexts(language))[error.code];
    if (typeof text !== "string") return response;
    const message = fillParams(text, error.details.params ?? {});
    return new Response(JSON.stringify({ ...(await response.json()), message }), response);
  } catch (failure) {
    // The response has its English message.
    log.warn("error not translated", { error: causes(failure) });
    return response;
  }
}
