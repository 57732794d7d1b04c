import { waitUntil } from "cloudflare:workers";
import type { BackgroundTasks } from "../../ports/background-tasks";
import type { Logger } from "../../ports/logger";

/** Keeps a request's isolate alive until the tasks it started are done. */
export function createBackgroundTasks(log: Logger): BackgroundTasks {
  return {
    run(name, task) {
      const done = Promise.resolve()
        .then(task)
        .catch((error: unknown) => log.error("background task failed", { task: name, error: String(error) }));
      waitUntil(done);
    },
  };
}
