import { StorageFullError, StoreUnavailableError } from "../../../ports/file-store";

/** Disk full, quota exceeded, or maximum file size exceeded. */
const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Converts a file system error to the port's error. */
export function storeError(error: unknown): Error {
  const options = { cause: error };
  return FULL.has(errorCode(error))
    ? new StorageFullError("The disk is full", options)
    : new StoreUnavailableError("The disk failed", options);
}

/** The error code, such as `ENOENT`; "" if there is none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
