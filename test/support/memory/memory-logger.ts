import type { LogFields, Logger } from "../../../worker/ports/logger";

export type LogEntry = { level: "info" | "warn" | "error"; event: string; fields: LogFields };

/** For tests: collects log entries in order. */
export function createMemoryLogger(): Logger & { entries: LogEntry[] } {
  const entries: LogEntry[] = [];
  return {
    entries,
    info: (event, fields = {}) => entries.push({ level: "info", event, fields }),
    warn: (event, fields = {}) => entries.push({ level: "warn", event, fields }),
    error: (event, fields = {}) => entries.push({ level: "error", event, fields }),
  };
}
