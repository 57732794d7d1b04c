import { type RetryPolicy, retryDelay } from "../../worker/contract/retry-policy";

/** For what a page cannot do without: its texts and scripts. */
export const LOADING_RETRIES: RetryPolicy = { delays: [1000, 2000, 4000, 8000, 15_000] };

type RetryOptions = {
  policy: RetryPolicy;
  /** Throws if the failure is final. Otherwise returns the server's Retry-After in seconds, if there is one. */
  onFailure?: (error: unknown) => number | null | undefined | Promise<number | null>;
  signal?: AbortSignal;
};

/**
 * Runs `work` until it succeeds or `onFailure` throws. When `work` calls `reset`, because it made progress, the delays
 * begin again with the shortest. @throws the signal's reason when aborted
 */
export async function retry<Result>(
  work: (reset: () => void) => Promise<Result>,
  { policy, onFailure, signal }: RetryOptions,
): Promise<Result> {
  signal?.throwIfAborted();
  let failures = 0;
  const reset = () => {
    failures = 0;
  };
  for (;;) {
    try {
      const result = await work(reset);
      signal?.throwIfAborted();
      return result;
    } catch (error) {
      signal?.throwIfAborted();
      const retryAfter = onFailure ? await onFailure(error) : null;
      failures += 1;
      const delay = retryDelay(policy, failures, retryAfter);
      if (delay === null) throw error;
      await waitForRetry(delay, signal);
    }
  }
}

/** Waits until the delay is over, or the browser is online again. @throws the signal's reason when aborted */
function waitForRetry(delay: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, delay);
    addEventListener("online", end);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}
