import { expect, test } from "bun:test";
import { createTextLogger } from "../../worker/adapters/shared/loggers";
import { withLevel } from "../../worker/ports/logger";
import { createMemoryClock } from "../support/memory/memory-clock";
import { createMemoryLogger } from "../support/memory/memory-logger";

const lines: string[] = [];
const log = createTextLogger(createMemoryClock("2026-03-14T09:26:53.589Z"), (line) => lines.push(line));

test("an event is one readable line: time, level, event and fields", () => {
  log.info("request", { method: "GET", route: "/api/user", status: 200, userId: undefined, client: null });
  log.error("job failed", { job: "outbox", error: "no route to host" });
  expect(lines.splice(0)).toEqual([
    "09:26:53 info  request method=GET route=/api/user status=200 client=null",
    '09:26:53 error job failed job=outbox error="no route to host"',
  ]);
});

test("no value can forge a line or send control codes to the terminal", () => {
  log.warn("upload", { name: "a.pdf\r\n09:26:53 info sign-in \u001b[2J\u009b2J\u202e\u2028" });
  const [line = "", ...others] = lines.splice(0);
  expect(others).toEqual([]);
  expect(line).toBe(
    String.raw`09:26:53 warn  upload name="a.pdf\r\n09:26:53 info sign-in \u001b[2J\u009b2J\u202e\u2028"`,
  );
});

test("a level drops the events below it", () => {
  const events = (level: "info" | "warn" | "error") => {
    const memory = createMemoryLogger();
    const levelled = withLevel(memory, level);
    levelled.info("a");
    levelled.warn("b");
    levelled.error("c");
    return memory.entries.map(({ event }) => event).join("");
  };
  expect([events("info"), events("warn"), events("error")]).toEqual(["abc", "bc", "c"]);
});
