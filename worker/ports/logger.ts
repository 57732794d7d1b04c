export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** From the most verbose to the least. */
export const LOG_LEVELS = ["info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * One line per event; never a token, password, cookie or file content. `warn` is for temporary problems and for those
 * that the operator must fix, `error` for unexpected failures.
 */
export interface Logger {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** A logger that drops events below the level. */
export function withLevel(log: Logger, level: LogLevel): Logger {
  const least = LOG_LEVELS.indexOf(level);
  const orNothing = (name: LogLevel) => (LOG_LEVELS.indexOf(name) < least ? () => {} : log[name]);
  return { info: orNothing("info"), warn: orNothing("warn"), error: orNothing("error") };
}

/** A logger that passes every event to the function. */
export function loggerOf(log: (level: LogLevel, event: string, fields?: LogFields) => void): Logger {
  return {
    info: (event, fields) => log("info", event, fields),
    warn: (event, fields) => log("warn", event, fields),
    error: (event, fields) => log("error", event, fields),
  };
}

/** A logger that adds the fields to every event. */
export const withFields = (log: Logger, added: LogFields): Logger =>
  loggerOf((level, event, fields) => log[level](event, { ...added, ...fields }));
