export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** One line of JSON for each event; never a token, a password, a cookie or a file's content. */
export interface Logger {
  info(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}
