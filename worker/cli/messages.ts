import { SchemaError } from "../../db/version";
import { StartError } from "../adapters/bun/start-error";
import { ConfigError } from "../config";
import { AppError } from "../errors";
import { withoutCredentials } from "../lib/log-text";

export const pluralize = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Why a command failed, in one line and without the values of a failed statement. */
export function errorMessage(error: unknown): string {
  if ([StartError, ConfigError, SchemaError, AppError].some((known) => error instanceof known))
    return (error as Error).message;
  const reason = error instanceof Error ? (error.cause ?? error) : error;
  const [line = ""] = String(reason).split("\n", 1);
  return `Failed, nothing was changed: ${withoutCredentials(line)}`;
}
