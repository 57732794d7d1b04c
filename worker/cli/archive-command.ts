import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readEnvironment } from "../adapters/bun/environment";
import { StartError } from "../adapters/bun/start-error";
import type { Stores } from "./archive/import-archive";
import { errorMessage } from "./messages";
import { type InstanceKind, openStores } from "./stores";

export type Command = {
  usage: string;
  /** Runs the command and returns its success message. */
  run(stores: Stores, folder: string, options: { replace: boolean }): Promise<string>;
};

const OPTIONS = {
  worker: { type: "boolean", default: false },
  remote: { type: "boolean", default: false },
  replace: { type: "boolean", default: false },
} as const;

/** Runs `export` or `import` and ends the process with a one-line result. */
export async function runCommand({ usage, run }: Command): Promise<void> {
  try {
    const { values, folder } = readArguments(usage);
    const kind: InstanceKind = values.remote ? "remote" : values.worker ? "worker" : "bun";
    const stores = await openStores(kind, readEnvironment(process.env));
    try {
      process.stdout.write(`${await run(stores, resolve(folder), values)}\n`);
    } finally {
      await stores.close();
    }
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${errorMessage(error)}\n`);
    process.exit(1);
  }
}

function readArguments(usage: string) {
  try {
    const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
    const [folder, ...more] = positionals;
    if (folder && more.length === 0) return { values, folder };
  } catch {
    // Reported below.
  }
  throw new StartError(`Usage: ${usage}`);
}
