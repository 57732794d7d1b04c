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
