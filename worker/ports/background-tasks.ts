import type { Logger } from "./logger";

/** Work that continues after the response. */
export interface BackgroundTasks {
  /**
   * Starts the task; its failure is logged, to `log` if given, and never thrown. The signal is aborted once the process
   * is about to end: a task that only waits must then return.
   */
  run(name: string, task: (stopping: AbortSignal) => Promise<unknown>, log?: Logger): void;
}
