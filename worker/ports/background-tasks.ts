import type { Logger } from "./logger";

/** Work that goes on after the answer was sent. */
export interface BackgroundTasks {
  /** Starts the task; its failure is logged, to `log` where one is given, and never thrown. */
  run(name: string, task: () => Promise<unknown>, log?: Logger): void;
}
