import { StartError } from "../adapters/bun/start-error";
import { ConfigError } from "../config";

export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Why a command failed, in one line and without the rows that a failed statement carried. */
export function sentenceOf(error: unknown): string {
  if (error instanceof StartError || error instanceof ConfigError) return error.message;
  const reason = error instanceof Error ? (error.cause ?? error) : error;
  return `It failed, and nothing was kept of it: ${String(reason).split("\n", 1)[0]}`;
}
