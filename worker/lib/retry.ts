/**
 * Runs the work until it succeeds. After each failure, `pauseAfter` returns the milliseconds to wait, or null to
 * rethrow that failure; it counts failures from 1.
 */
export async function retry<T>(
  work: () => Promise<T>,
  pauseAfter: (error: unknown, failures: number) => number | null,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      const pause = pauseAfter(error, failures);
      if (pause === null) throw error;
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/**
 * The result of the work, if it finishes in time. Late work is not cancelled, and its failure is ignored.
 * @throws what `lateError` returns
 */
export async function withDeadline<T>(
  work: Promise<T>,
  milliseconds: number,
  lateError: () => Error,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(lateError()), Math.max(0, milliseconds));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}

/** Resolves after this many milliseconds of elapsed time, whatever the clock does, or once the signal is aborted. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
  });
}
