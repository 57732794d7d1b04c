import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ConfigError, readVariables } from "../../../../config";
import { StartError } from "../../../bun/start-error";
import { type House, openStores, type Stores } from "./stores";

export type Command = {
  usage: string;
  /** Does the work and gives the sentence that tells of it. */
  run(stores: Stores, folder: string, options: { replace: boolean }): Promise<string>;
};

const OPTIONS = {
  worker: { type: "boolean", default: false },
  remote: { type: "boolean", default: false },
  replace: { type: "boolean", default: false },
} as const;

/** Runs one of the two halves of a move, and ends the process with one line on how it went. */
export async function runCommand({ usage, run }: Command): Promise<void> {
  try {
    const { values, folder } = readArguments(usage);
    const house: House = values.remote ? "remote" : values.worker ? "worker" : "bun";
    const stores = await openStores(house, readVariables(process.env));
    try {
      process.stdout.write(`${await run(stores, resolve(folder), values)}\n`);
    } finally {
      await stores.close();
    }
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exit(1);
  }
}

/** One line, without the rows that a failed statement carried. */
function sentenceOf(error: unknown): string {
  if (error instanceof StartError || error instanceof ConfigError) return error.message;
  const reason = error instanceof Error ? (error.cause ?? error) : error;
  return `It failed, and nothing was kept of it: ${String(reason).split("\n", 1)[0]}`;
}

function readArguments(usage: string) {
  try {
    const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
    const [folder, ...more] = positionals;
    if (folder && more.length === 0) return { values, folder };
  } catch {
    // Said below.
  }
  throw new StartError(`Usage: ${usage}`);
}

export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
