import { appError } from "../errors";

export interface WorkQueue {
  /** Does the work when its turn comes. @throws AppError `unavailable` where too much waits already */
  run<T>(work: () => Promise<T>): Promise<T>;
}

type QueueLimits = {
  /** At the same time. */
  running: number;
  /** In line behind them. */
  waiting: number;
  /** What is told to those for whom there is no place. */
  retryAfterSeconds: number;
};

/** A queue that makes nobody wait. */
export const NO_QUEUE: WorkQueue = { run: (work) => work() };

/** Runs work in the order it comes, a few at a time. */
export function createWorkQueue({ running: most, waiting, retryAfterSeconds }: QueueLimits): WorkQueue {
  const line: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running < most) running += 1;
      else if (line.length >= waiting) throw appError("unavailable", { retryAfterSeconds });
      // Work that ends hands its turn to the next in line, so that none overtakes.
      else await new Promise<void>((resolve) => line.push(resolve));
      try {
        return await work();
      } finally {
        const next = line.shift();
        // As a task of its own: a database file answers at once, so that a line of rejected attempts would leave the
        // event loop no time for other requests.
        if (next) setTimeout(next);
        else running -= 1;
      }
    },
  };
}
