/** Work that goes on after the answer was sent. */
export interface BackgroundTasks {
  /** Starts the task; its failure is logged, never thrown. */
  run(name: string, task: () => Promise<unknown>): void;
}
