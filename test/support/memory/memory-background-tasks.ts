import type { BackgroundTasks } from "../../../worker/ports/background-tasks";

/** For tests: `drain` waits for all started tasks and throws the first failure. */
export function createMemoryBackgroundTasks(): BackgroundTasks & { drain(): Promise<void> } {
  let running: Promise<unknown>[] = [];
  return {
    run(_name, task) {
      const started = Promise.resolve().then(() => task(new AbortController().signal));
      started.catch(() => {});
      running.push(started);
    },
    async drain() {
      while (running.length > 0) {
        const batch = running;
        running = [];
        await Promise.all(batch);
      }
    },
  };
}
