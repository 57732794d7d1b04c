import { afterAll, beforeAll, describe } from "bun:test";
import { startEngine } from ".";
import { ENGINES, type Engine, type EngineName } from "./tab";

/** Describes the same tests for each browser engine. `engine` returns the running one, within a test. */
export function inEachEngine(define: (engine: () => Engine, name: EngineName) => void): void {
  for (const name of ENGINES) {
    describe(name, () => {
      let engine: Engine;
      beforeAll(async () => {
        engine = await startEngine(name);
      }, 60_000);
      afterAll(() => engine.close(), 30_000);
      define(() => engine, name);
    });
  }
}
