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
