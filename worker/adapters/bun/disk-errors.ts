import { StorageFullError, StoreUnavailableError } from "../../ports/file-store";

/** No space, no quota, or past the size a file may have here. */
const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** The port's error for what the file system threw. */
export function storeError(error: unknown): Error {
  const options = { cause: error };
  return FULL.has(errorCode(error))
    ? new StorageFullError("The disk is full", options)
    : new StoreUnavailableError("The disk answered with a failure", options);
}

/** The system's name of a failure, such as `ENOENT`; "" where it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
