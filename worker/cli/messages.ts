import { stdout, write } from "bun";
import { SchemaError } from "../../db/version";
import { errorCode } from "../adapters/bun/files/disk-errors";
import { StartError } from "../adapters/bun/start-error";
import { ConfigError } from "../config";
import { AppError } from "../errors";
import { withoutCredentials } from "../lib/log-text";
import { ForeignStoreError } from "../ports/file-store";

export const pluralize = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

/**
 * Writes a line to the standard output, and resolves once it is written: `process.exit` discards what is still buffered.
 * @throws StartError unless the reader just wants no more
 */
export async function print(line: string): Promise<void> {
  await write(stdout, `${line}\n`).catch((error: unknown) => {
    if (errorCode(error) !== "EPIPE")
      throw new StartError(`The command is done, but its output cannot be written (${errorCode(error)})`);
  });
}

/** Tells the operator what a failed command leaves behind, beside its own error. */
export const sayLeft = (path: string) => (error: unknown) =>
  void process.stderr.write(`${path} was not removed: ${failureReason(error)}\n`);

/** What --help asked for. */
export class Help extends StartError {}

/** Ends the process with the reason why a command failed, or with its usage if that was asked for. */
export async function exitWith(error: unknown): Promise<never> {
  if (error instanceof Help) {
    await print(error.message);
    process.exit(0);
  }
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exit(1);
}

/** Why a command failed, in one line and without the values of a failed statement. */
export function errorMessage(error: unknown): string {
  return isExpected(error) ? failureReason(error) : `Failed: ${failureReason(error)}`;
}

const isExpected = (error: unknown) =>
  [StartError, ConfigError, SchemaError, ForeignStoreError, AppError].some((known) => error instanceof known);

/** The sentence of an expected failure, or the first line of an unexpected one. */
export function failureReason(error: unknown): string {
  if (error instanceof AppError && error.details.workspaces) {
    const names = error.details.workspaces.map(({ id, name }) => `${name} (${id})`).join(", ");
    return `Nothing was changed: without this account, nobody who can sign in would own ${names}. Ask its owner to make somebody else an owner, or to remove the other members, first`;
  }
  if (isExpected(error)) return (error as Error).message;
  const reason = error instanceof Error ? (error.cause ?? error) : error;
  const [line = ""] = String(reason).split("\n", 1);
  return withoutCredentials(line);
}
