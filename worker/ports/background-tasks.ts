import type { Logger } from "./logger";

/** Work that continues after the response. */
export interface BackgroundTasks {
  /**
   * Starts the task; its failure is logged, to `log` where one is given, and never thrown. The signal is aborted once
   * the process is to end: a task that only waits then returns.
   */
  run(name: string, task: (stopping: AbortSignal) => Promise<unknown>, log?: Logger): void;
}
