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
