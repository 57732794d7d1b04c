import { describe, test } from "bun:test";
import { startEngine } from ".";
import { ENGINES, type Engine, type EngineName } from "./tab";

type Run = (engine: Engine) => Promise<void>;
type EngineTest = (title: string, run: Run, timeoutMs: number) => void;

/** Describes the same tests for each browser engine. Each attempt at a test has its own, because one may hang. */
export function inEachEngine(define: (test: EngineTest, name: EngineName) => void): void {
  describe.each([...ENGINES])("%s", (name) => {
    define((title, run, timeoutMs) => test(title, () => attempt(name, run, timeoutMs), timeoutMs), name);
  });
}

async function attempt(name: EngineName, run: Run, timeoutMs: number): Promise<void> {
  const timeoutAt = performance.now() + timeoutMs;
  try {
    await runWith(await startEngine(name), run);
  } catch (error) {
    // At the timeout Bun ends the attempt with its browser. What then fails would count as a failure of the next attempt.
    if (performance.now() > timeoutAt - 100) await new Promise(() => {});
    throw error;
  }
}

async function runWith(engine: Engine, run: Run): Promise<void> {
  try {
    await run(engine);
  } finally {
    await engine.close();
  }
}
