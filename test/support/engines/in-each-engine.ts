import { describe, test } from "bun:test";
import { startEngine } from ".";
import { ENGINES, type Engine, type EngineName } from "./tab";

type EngineTest = (title: string, run: (engine: Engine) => Promise<void>, timeoutMs: number) => void;

/**
 * Describes the same tests for each browser engine. Each attempt at a test starts its own, because one that hangs is
 * ended with the attempt.
 */
export function inEachEngine(define: (test: EngineTest, name: EngineName) => void): void {
  describe.each([...ENGINES])("%s", (name) => {
    const engineTest: EngineTest = (title, run, timeoutMs) =>
      test(
        title,
        async () => {
          const engine = await startEngine(name);
          try {
            await run(engine);
          } finally {
            await engine.close();
          }
        },
        timeoutMs,
      );
    define(engineTest, name);
  });
}
