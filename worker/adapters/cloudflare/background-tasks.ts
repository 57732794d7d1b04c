import { waitUntil } from "cloudflare:workers";
import { causes } from "../../errors";
import type { BackgroundTasks } from "../../ports/background-tasks";
import type { Logger } from "../../ports/logger";

/** An isolate gets no notice before it ends. */
const never = new AbortController().signal;

/** Keeps the isolate alive until the request's tasks are done. */
export function createBackgroundTasks(ownLog: Logger): BackgroundTasks {
  return {
    run(name, task, log = ownLog) {
      const done = Promise.resolve()
        .then(() => task(never))
        .catch((error: unknown) =>
          log.error("background task failed", { task: name, error: causes(error).trim() }),
        );
      waitUntil(done);
    },
  };
}
