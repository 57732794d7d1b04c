import { describe, test } from "bun:test";
import { startEngine } from ".";
import type { Engine, EngineName } from "./tab";

type Run = (engine: Engine) => Promise<void>;
type EngineTest = (title: string, run: Run, timeoutMs: number) => void;

/** What Chromium does is tested in `test/e2e`. */
const OTHERS = ["firefox", "webkit"] as const;

/** Describes the same tests for Firefox and WebKit. Each attempt at a test has its own browser, because one may hang. */
export function inOtherEngines(define: (test: EngineTest, name: EngineName) => void): void {
  for (const name of OTHERS) inEngine(name, (test) => define(test, name));
}

export function inEngine(name: EngineName, define: (test: EngineTest) => void): void {
  describe(name, () => {
    define((title, run, timeoutMs) => test(title, () => attempt(name, run, timeoutMs), timeoutMs));
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
