import { sleep } from "bun";
import { causes } from "../../errors";
import type { BackgroundTasks } from "../../ports/background-tasks";
import type { Logger } from "../../ports/logger";

export type DrainableTasks = BackgroundTasks & {
  /** Aborts waiting tasks, and resolves when no task is running, including tasks started meanwhile. */
  drain(): Promise<void>;
  /** The number of unfinished tasks. */
  count(): number;
};

/** Lets the response to the request that started a task go out first; sending its mail would otherwise delay it. */
const AFTER_RESPONSE_MS = 10;

/** Runs tasks in this process and tracks the unfinished ones, so that shutdown can wait for them. */
export function createBackgroundTasks(ownLog: Logger): DrainableTasks {
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  return {
    run(name, task, log = ownLog) {
      const done = sleep(AFTER_RESPONSE_MS)
        .then(() => task(stopping.signal))
        .then(
          () => {},
          (error: unknown) =>
            log.error("background task failed", { task: name, error: causes(error).trim() }),
        )
        .finally(() => running.delete(done));
      running.add(done);
    },
    count: () => running.size,
    async drain() {
      stopping.abort();
      while (running.size > 0) await Promise.all(running);
    },
  };
}
