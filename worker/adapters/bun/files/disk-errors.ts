import { StorageFullError, StoreUnavailableError, UploadLostError } from "../../../ports/file-store";

/** Disk full, quota exceeded, or maximum file size exceeded. */
const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Converts a file system error to the port's error; one of the port stays as it is. */
export function storeError(error: unknown): Error {
  for (const PortError of [StorageFullError, StoreUnavailableError, UploadLostError])
    if (error instanceof PortError) return error;
  const options = { cause: error };
  return FULL.has(errorCode(error))
    ? new StorageFullError("The disk is full", options)
    : new StoreUnavailableError("The disk failed", options);
}

/** The result of the work. @throws StorageFullError, StoreUnavailableError */
export async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeError(error);
  }
}

/** The error code, such as `ENOENT`; "" if there is none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
