import { parseArgs } from "node:util";
import { readEnvironment } from "../adapters/bun/environment";
import { StartError } from "../adapters/bun/start-error";
import type { Variables } from "../config";
import type { Stores } from "./archive/import-archive";
import { exitWith, Help, print } from "./messages";
import { rotateSecretKey } from "./secret-keys";
import { adopt, orphans, reindex } from "./store-commands";
import { openStores } from "./stores";

const USAGE = "Usage: bun run adopt | orphans [--remove] | reindex | rotate-key [--worker | --remote]";
const OPTIONS = {
  worker: { type: "boolean", default: false },
  remote: { type: "boolean", default: false },
  remove: { type: "boolean", default: false },
} as const;

const COMMANDS = {
  adopt,
  orphans,
  reindex,
  "rotate-key": ({ db }: Stores, _: object, variables: Variables) => rotateSecretKey(variables, db),
};

/** Runs `adopt`, `orphans`, `reindex` or `rotate-key` on an instance of either runtime. */
async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  const kind = values.remote ? "remote" : values.worker ? "worker" : "bun";
  const variables = readEnvironment(process.env);
  if (kind === "remote" && positionals[0] === "rotate-key" && !variables.SECRET_KEY)
    throw new StartError("SECRET_KEY is not set: Cloudflare does not show the Worker's");
  const stores = await openStores(kind, variables);
  try {
    const text = await COMMANDS[positionals[0] as keyof typeof COMMANDS](stores, values, variables);
    await print(text);
  } finally {
    await stores.close();
  }
}

function readArguments() {
  if (process.argv.includes("--help")) throw new Help(USAGE);
  try {
    const parsed = parseArgs({ options: OPTIONS, allowPositionals: true });
    if (/^(?:adopt|orphans|reindex|rotate-key)$/.test(parsed.positionals.join(" "))) return parsed;
  } catch {
    // Reported below.
  }
  throw new StartError(USAGE);
}

try {
  await main();
  process.exit(0);
} catch (error) {
  await exitWith(error);
}
