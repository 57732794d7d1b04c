import { expect, test } from "bun:test";
import { createJsonLogger } from "../../worker/adapters/shared/loggers";
import { createMemoryClock } from "../support/memory/memory-clock";

const lines: string[] = [];
const log = createJsonLogger(createMemoryClock("2026-03-14T09:26:53.589Z"), (line) => lines.push(line));

test("an event is one line of JSON with time, level and fields", () => {
  log.info("request", { method: "GET", status: 200, userId: undefined });
  log.error("job failed", { job: "outbox" });
  expect(lines.splice(0)).toEqual([
    '{"time":"2026-03-14T09:26:53.589Z","level":"info","event":"request","method":"GET","status":200}',
    '{"time":"2026-03-14T09:26:53.589Z","level":"error","event":"job failed","job":"outbox"}',
  ]);
});

test("no value can forge a line or another event", () => {
  log.info("upload", {
    name: 'a.pdf\r\n{"level":"info","event":"sign-in"}\u2028\u0000',
    event: "sign-in",
    time: "yesterday",
  });
  const [line = "", ...others] = lines.splice(0);
  expect(others).toEqual([]);
  expect(line).not.toMatch(/[\r\n\0]/);
  expect(JSON.parse(line)).toMatchObject({ event: "upload", time: "2026-03-14T09:26:53.589Z" });
});
