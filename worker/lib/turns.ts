/** Runs work one at a time, in the order in which it came. `isFree` says that none runs or waits. */
export function createTurns() {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const done = () => {
    waiting -= 1;
  };
  return {
    isFree: () => waiting === 0,
    take<T>(work: () => Promise<T>): Promise<T> {
      waiting += 1;
      const result = last.then(work);
      last = result.then(done, done);
      return result;
    },
  };
}

/**
 * Lets one caller go on for each turn of the event loop. Others are served in between: each chunk of an upload takes a
 * millisecond, and those of twenty uploads arrive in the same turn.
 */
export function createLoopTurns(): () => Promise<void> {
  const turns = createTurns();
  return () => turns.take(() => new Promise((resolve) => setImmediate(resolve)));
}

/**
 * For long computations: waits for another turn of the event loop if this many milliseconds have passed since the last one,
 * so that others are served in between.
 */
export function letOthersRunEvery(
  milliseconds: number,
  takeTurn = () => new Promise<void>((resolve) => setTimeout(resolve)),
): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < milliseconds) return;
    await takeTurn();
    since = performance.now();
  };
}
