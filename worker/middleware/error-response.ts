import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { isDatabaseFull, isDatabaseUnavailable } from "../../db/errors";
import { isKeyLost } from "../../db/queries/idempotency-keys";
import { CODES, ERRORS, type ErrorBody } from "../contract/errors";
import { AppError, appError } from "../errors";
import { StorageFullError, StoreUnavailableError } from "../ports/file-store";
import { SecretKeyMissingError } from "../ports/secret-box";

/** Converts errors to responses. Nothing else does. */
export function errorResponse(error: unknown, c: Context): Response {
  const known = toAppError(error);
  const {
    issues,
    params,
    submitted,
    link,
    workspaces,
    challenge,
    methods,
    changed,
    retryAfterSeconds,
    status = ERRORS[known.code].status,
  } = known.details;
  const body: ErrorBody = {
    message: known.message,
    code: CODES[known.code] ?? known.code,
    ...(issues && { issues }),
    ...(params && { params }),
    ...(workspaces && { workspaces }),
    ...(challenge && { challenge }),
    ...(methods && { methods }),
    ...submitted,
    ...link,
    ...changed,
  };
  if (retryAfterSeconds !== undefined) c.header("Retry-After", String(retryAfterSeconds));
  return c.json(body, status as ContentfulStatusCode);
}

/** Converts anything thrown to an AppError; `internal` for unknown errors. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof StorageFullError || isDatabaseFull(error)) return appError("storage_full");
  if (error instanceof StoreUnavailableError || isDatabaseUnavailable(error))
    return appError("unavailable", { retryAfterSeconds: 5 });
  if (isKeyLost(error)) return appError("idempotency_running", { retryAfterSeconds: 1 });
  if (error instanceof SecretKeyMissingError) return appError("secret_key_missing");
  if (error instanceof HTTPException) {
    if (error.status === 413) return appError("body_too_large");
    if (error.status < 500) return appError("malformed_json");
  }
  return appError("internal");
}
