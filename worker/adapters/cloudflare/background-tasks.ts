import { waitUntil } from "cloudflare:workers";
import { causes } from "../../errors";
import type { BackgroundTasks } from "../../ports/background-tasks";
import type { Logger } from "../../ports/logger";

/** Keeps a request's isolate alive until the tasks it started are done. */
export function createBackgroundTasks(ownLog: Logger): BackgroundTasks {
  return {
    run(name, task, log = ownLog) {
      const done = Promise.resolve()
        .then(task)
        .catch((error: unknown) =>
          log.error("background task failed", { task: name, error: causes(error).trim() }),
        );
      waitUntil(done);
    },
  };
}
