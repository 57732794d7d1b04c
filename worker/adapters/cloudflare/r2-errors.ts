import { StoreUnavailableError } from "../../ports/file-store";

/** The port's error for what R2 threw. */
export function storeError(error: unknown): StoreUnavailableError {
  return new StoreUnavailableError("R2 answered with a failure", { cause: error });
}

/** Whether R2 refused a range because nothing of the object lies in it. */
export function isOutOfRange(error: unknown): boolean {
  return error instanceof Error && error.message.includes("(10039)");
}
