const tasks: (() => Promise<unknown>)[] = [];

/** Runs after all tests of this process. The runner fires no "exit" event. */
export function onCleanup(task: () => Promise<unknown>): void {
  tasks.push(task);
}

export async function runCleanup(): Promise<void> {
  for (const task of tasks.splice(0)) await task();
}
