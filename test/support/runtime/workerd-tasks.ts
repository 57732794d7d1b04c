import { createBackgroundTasks } from "../../../worker/adapters/cloudflare/background-tasks";
import type { BackgroundTasks } from "../../../worker/ports/background-tasks";
import type { Logger } from "../../../worker/ports/logger";

/**
 * The real tasks, counted: a request cannot await a task of another one, but can poll whether it is done. `drain`
 * throws the first failure since the last call.
 */
export function createCountedTasks(log: Logger): BackgroundTasks & { drain(): Promise<void> } {
  const inner = createBackgroundTasks(log);
  let running = 0;
  let failure: unknown;
  return {
    run(name, task, ownLog) {
      running += 1;
      const countedTask = async (stopping: AbortSignal) => {
        try {
          return await task(stopping);
        } catch (error) {
          failure ??= error;
          throw error;
        } finally {
          running -= 1;
        }
      };
      inner.run(name, countedTask, ownLog);
    },
    async drain() {
      while (running > 0) await new Promise((resolve) => setTimeout(resolve, 1));
      const first = failure;
      failure = undefined;
      if (first) throw first;
    },
  };
}
