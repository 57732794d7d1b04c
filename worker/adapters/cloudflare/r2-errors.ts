import { StoreUnavailableError } from "../../ports/file-store";

/** Converts an R2 error to the port's error. */
export function storeError(error: unknown): StoreUnavailableError {
  return new StoreUnavailableError("R2 failed", { cause: error });
}
