import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { isDatabaseFull, isDatabaseUnavailable } from "../../db/errors";
import { isOwnerChanged } from "../../db/queries/account-guards";
import { isTimelineFull } from "../../db/queries/envelope-events";
import { isKeyLost } from "../../db/queries/idempotency-keys";
import { isQuotaExceeded } from "../../db/queries/quotas";
import { findReplacedLink } from "../../db/queries/replaced-links";
import { findLinkLanguage } from "../../db/queries/submissions";
import type { AppEnv } from "../app-env";
import type { ErrorBody } from "../contract/error-body";
import { CODES, ERRORS } from "../contract/errors";
import { AppError, appError, causes, fillParams } from "../errors";
import { hashToken } from "../lib/tokens";
import { SecretKeyMissingError } from "../ports/crypto";
import { StorageFullError, StoreUnavailableError } from "../ports/file-store";

/** Converts errors to responses. Nothing else does. */
export function errorResponse(error: unknown, c: Context): Response {
  const { code, message, details } = toAppError(error);
  const {
    retryAfterSeconds,
    status = ERRORS[code].status,
    disconnected: _,
    message: _given,
    ...more
  } = details;
  if (retryAfterSeconds !== undefined) c.header("Retry-After", String(retryAfterSeconds));
  const body: ErrorBody = { message, code: CODES[code] ?? code, ...more };
  return c.json(body, status as ContentfulStatusCode);
}

/** Converts anything thrown to an AppError; `internal` for unknown errors. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (
    error instanceof StorageFullError ||
    [isDatabaseFull, isQuotaExceeded, isTimelineFull].some((is) => is(error))
  )
    return appError("storage_full");
  if (error instanceof StoreUnavailableError || isDatabaseUnavailable(error))
    return appError("unavailable", { retryAfterSeconds: 5 });
  if (isOwnerChanged(error)) return appError("account_changed");
  if (isKeyLost(error)) return appError("idempotency_running", { retryAfterSeconds: 1 });
  if (error instanceof SecretKeyMissingError) return appError("secret_key_missing");
  if (error instanceof HTTPException) {
    if (error.status === 413) return appError("body_too_large");
    if (error.status < 500) return appError("malformed_json");
  }
  return appError("internal");
}

const OF_LINK = /^\/api\/submissions\/([^/]+)/;

/** The response to an error. Messages of a link's errors are in the language of its envelope. Their codes stay. */
export async function errorInLinkLanguage(error: unknown, c: Context<AppEnv>): Promise<Response> {
  const response = errorResponse(error, c);
  const token = OF_LINK.exec(c.req.path)?.[1];
  const known = toAppError(error);
  if (token === undefined) return response;
  const { db, loadErrorTexts, log } = c.var.deps;
  try {
    const language =
      known.code === "link_replaced"
        ? (await findReplacedLink(db, await hashToken(token)))?.language
        : await findLinkLanguage(db, token);
    // The messages of `issues` stay English: the page does not send such input.
    const text = language && language !== "en" && (await loadErrorTexts(language))[known.code];
    if (typeof text !== "string") return response;
    const message = fillParams(text, known.details.params ?? {});
    return new Response(JSON.stringify({ ...(await response.json()), message }), response);
  } catch (failure) {
    // The response has its English message.
    log.warn("error not translated", { error: causes(failure) });
    return response;
  }
}
