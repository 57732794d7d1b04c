import type { Clock } from "../../ports/clock";
import type { LogFields, Logger, LogLevel } from "../../ports/logger";

/** Logs each event as one line of JSON. JSON escapes line breaks, so no value can forge a line. */
export function createJsonLogger(clock: Clock, write: (line: string) => void): Logger {
  const log = (level: LogLevel, event: string, fields: LogFields = {}) => {
    const head = { time: clock.now().toISOString(), level, event };
    write(JSON.stringify({ ...head, ...fields, ...head }));
  };
  return {
    info: (event, fields) => log("info", event, fields),
    warn: (event, fields) => log("warn", event, fields),
    error: (event, fields) => log("error", event, fields),
  };
}
