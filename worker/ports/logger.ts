export type LogFields = Record<string, string | number | boolean | null | undefined>;

/**
 * One line of JSON for each event; never a token, a password, a cookie or a file's content. `warn` is for what
 * passes by itself or is the operator's to mend, `error` for what nobody expected.
 */
export interface Logger {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** A logger that adds the fields to every event. */
export function withFields(log: Logger, added: LogFields): Logger {
  return {
    info: (event, fields) => log.info(event, { ...added, ...fields }),
    warn: (event, fields) => log.warn(event, { ...added, ...fields }),
    error: (event, fields) => log.error(event, { ...added, ...fields }),
  };
}
