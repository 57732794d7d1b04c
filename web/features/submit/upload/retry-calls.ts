import { isReadable } from "../files/check-file";
import type { Answer } from "../request/submission-api";
import { deleteUpload } from "./tus-calls";
import { retryDelay, type UploadOutcome, uploadOutcome } from "./upload-outcome";

export type UploadFailure =
  | { kind: "unreadable" }
  | { kind: Exclude<UploadOutcome, "retry">; answer: Answer };

/** An upload that will not be retried. */
export class UploadError extends Error {
  constructor(readonly failure: UploadFailure) {
    super(failure.kind);
  }
}

type RetryOptions = { file: File; signal: AbortSignal; onWaiting: () => void };

/**
 * Calls until there is a result. `call` returns it, or a failed answer; it reports progress, after which the delays
 * begin again with the shortest. @throws UploadError
 */
export async function retryCalls<Result>(
  call: (progressed: () => void) => Promise<Result | Answer>,
  { file, signal, onWaiting }: RetryOptions,
): Promise<Result> {
  let attempt = 0;
  for (;;) {
    const result = await call(() => {
      attempt = 0;
    });
    signal.throwIfAborted();
    if (!isAnswer(result)) return result;
    const outcome = uploadOutcome(result);
    if (outcome !== "retry") throw new UploadError({ kind: outcome, answer: result });
    if (!(await isReadable(file))) throw new UploadError({ kind: "unreadable" });
    onWaiting();
    await waitForRetry(retryDelay(attempt, result), signal);
    attempt += 1;
  }
}

/** Deletes an upload on the server, until the server says that it is gone. @throws when aborted */
export async function removeUpload(token: string, id: string, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await deleteUpload(token, id);
    if (answer.status < 300 ? answer.status > 0 : uploadOutcome(answer) !== "retry") return;
    await waitForRetry(retryDelay(attempt, answer), signal);
  }
}

export const isAnswer = (value: unknown): value is Answer =>
  typeof value === "object" && value !== null && "retryAfter" in value;

/** Waits, but not past the moment the browser is online again. @throws when aborted */
export function waitForRetry(delay: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, delay);
    addEventListener("online", end);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
