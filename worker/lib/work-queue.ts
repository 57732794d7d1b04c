import { appError } from "../errors";

export interface WorkQueue {
  /** Runs the work when its turn comes. @throws AppError `unavailable` if the queue is full */
  run<T>(work: () => Promise<T>): Promise<T>;
}

type QueueLimits = {
  /** Maximum number running concurrently. */
  running: number;
  /** Maximum number waiting. */
  waiting: number;
  /** The Retry-After of work that is rejected because the queue is full. */
  retryAfterSeconds: number;
};

/** A queue without limits. */
export const NO_QUEUE: WorkQueue = { run: (work) => work() };

/** Runs work in order, a limited number at a time. */
export function createWorkQueue({ running: most, waiting, retryAfterSeconds }: QueueLimits): WorkQueue {
  const line: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running < most) running += 1;
      else if (line.length >= waiting) throw appError("unavailable", { retryAfterSeconds });
      // Finished work starts the next in the queue, so the order is preserved.
      else await new Promise<void>((resolve) => line.push(resolve));
      try {
        return await work();
      } finally {
        const next = line.shift();
        // As a separate task: a database file answers synchronously, so a queue of rejected attempts would block the
        // event loop.
        if (next) setTimeout(next);
        else running -= 1;
      }
    },
  };
}
