import type { Variables } from "../../config";
import type { Clock } from "../../ports/clock";
import { type Logger, withLevel } from "../../ports/logger";
import { createJsonLogger } from "../shared/json-logger";
import { createTextLogger } from "../shared/text-logger";

/** The log on standard output in the configured format: by default text in a terminal, and JSON otherwise. */
export function openLog({ LOG_FORMAT, LOG_LEVEL }: Variables, clock: Clock): Logger {
  const format = LOG_FORMAT ?? (process.stdout.isTTY ? "text" : "json");
  const createLogger = format === "text" ? createTextLogger : createJsonLogger;
  const log = createLogger(clock, (line) => process.stdout.write(`${line}\n`));
  return withLevel(log, LOG_LEVEL);
}
