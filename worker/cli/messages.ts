import { StartError } from "../adapters/bun/start-error";
import { ConfigError } from "../config";
import { withoutCredentials } from "../lib/log-text";

export const pluralize = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Why a command failed, in one line and without the rows that a failed statement carried. */
export function errorMessage(error: unknown): string {
  if (error instanceof StartError || error instanceof ConfigError) return error.message;
  const reason = error instanceof Error ? (error.cause ?? error) : error;
  const [line = ""] = String(reason).split("\n", 1);
  return `It failed, and nothing was kept of it: ${withoutCredentials(line)}`;
}
