import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ERRORS, type ErrorBody } from "../contract/errors";
import { AppError, appError, causes } from "../errors";
import { StorageFullError, StoreUnavailableError } from "../ports/file-store";

/** The one place that turns what was thrown into an answer. */
export function errorResponse(error: unknown, c: Context): Response {
  const known = toAppError(error);
  const { status } = ERRORS[known.code];
  const { issues, params, retryAfterSeconds } = known.details;
  const body: ErrorBody = {
    message: known.message,
    code: known.code,
    ...(issues && { issues }),
    ...(params && { params }),
  };
  if (retryAfterSeconds !== undefined) c.header("Retry-After", String(retryAfterSeconds));
  return c.json(body, status as ContentfulStatusCode);
}

/** What was thrown as the app's own error; `internal` where nothing is known of it. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const text = causes(error);
  if (error instanceof StorageFullError || DATABASE_FULL.test(text)) return appError("storage_full");
  const away = DATABASE_UNAVAILABLE.test(text) || SERVER_AWAY.test(text);
  if (away || error instanceof StoreUnavailableError)
    return appError("unavailable", { retryAfterSeconds: 5 });
  // What a row points to was there when it was looked up, and is gone by the time of the write.
  if (/FOREIGN KEY constraint failed/i.test(text)) return appError("envelope_changed");
  if (error instanceof HTTPException) {
    if (error.status === 413) return appError("body_too_large");
    if (error.status < 500) return appError("malformed_json");
  }
  return appError("internal");
}

/** Of libSQL where the disk has no room, and of D1 at its largest size. */
const DATABASE_FULL = /SQLITE_FULL|database or disk is full|maximum DB size/i;

/** Of libSQL while another process writes, the disk fails or is read-only, and of D1 while it is overloaded, moved or restarted. */
const DATABASE_UNAVAILABLE =
  /SQLITE_(?:BUSY|IOERR|CANTOPEN|READONLY)|database is locked|D1 DB is overloaded|D1 DB reset|Network connection lost|transient issue on remote|object to be reset|limit and was reset/i;

/** Of a libSQL server that cannot be reached, goes away or does not answer in time. */
const SERVER_AWAY =
  /SERVER_ERROR: |HRANA_(?:WEBSOCKET|CLOSED)_ERROR|E(?:CONNREFUSED|CONNRESET|NOTFOUND|PIPE|TIMEDOUT|AI_AGAIN)\b|socket connection was closed|operation timed out/i;
