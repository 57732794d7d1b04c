import { StoreUnavailableError } from "../../ports/file-store";

/** The port's error for what R2 threw. */
export function storeError(error: unknown): StoreUnavailableError {
  return new StoreUnavailableError("R2 answered with a failure", { cause: error });
}
