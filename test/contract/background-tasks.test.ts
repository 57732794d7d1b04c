import { describe, expect, test } from "bun:test";
import { createBackgroundTasks } from "../../worker/adapters/bun/background-tasks";
import { createMemoryBackgroundTasks } from "../support/memory/memory-background-tasks";
import { createMemoryLogger } from "../support/memory/memory-logger";

const log = createMemoryLogger();

for (const [name, create] of [
  ["Bun", () => createBackgroundTasks(log)],
  ["memory", createMemoryBackgroundTasks],
] as const) {
  describe(`background tasks: ${name}`, () => {
    test("a task starts after the caller continues, and drain waits for its end", async () => {
      const tasks = create();
      const steps: string[] = [];
      tasks.run("first", async () => {
        steps.push("begun");
        await Promise.resolve();
        steps.push("done");
      });
      steps.push("caller went on");
      await tasks.drain();
      expect(steps).toEqual(["caller went on", "begun", "done"]);
    });

    test("drain waits for tasks that other tasks start", async () => {
      const tasks = create();
      const done: string[] = [];
      tasks.run("outer", async () => {
        tasks.run("inner", async () => done.push("inner"));
        done.push("outer");
      });
      await tasks.drain();
      expect(done.sort()).toEqual(["inner", "outer"]);
    });

    test("drain returns immediately if nothing runs", async () => {
      await create().drain();
    });
  });
}

test("under Bun a failure is logged, and other tasks continue", async () => {
  const tasks = createBackgroundTasks(log);
  let other = false;
  tasks.run("failing", () => {
    throw new Error("no");
  });
  tasks.run("other", async () => {
    other = true;
  });
  await tasks.drain();
  expect(other).toBe(true);
  expect(log.entries).toEqual([
    { level: "error", event: "background task failed", fields: { task: "failing", error: "no" } },
  ]);
});

test("in tests a failure is thrown by drain", async () => {
  const tasks = createMemoryBackgroundTasks();
  tasks.run("failing", async () => {
    throw new Error("no");
  });
  await expect(tasks.drain()).rejects.toThrow("no");
});
