import { parseArgs } from "node:util";
import { readEnvironment } from "../adapters/bun/environment";
import { StartError } from "../adapters/bun/start-error";
import { errorMessage } from "./messages";
import { adopt, orphans } from "./store-commands";
import { openStores } from "./stores";

const USAGE = "Usage: bun run adopt | orphans [--remove] [--worker | --remote]";
const OPTIONS = {
  worker: { type: "boolean", default: false },
  remote: { type: "boolean", default: false },
  remove: { type: "boolean", default: false },
} as const;

/** Runs `adopt` or `orphans` on an instance of either runtime. */
async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  const kind = values.remote ? "remote" : values.worker ? "worker" : "bun";
  const stores = await openStores(kind, readEnvironment(process.env));
  try {
    const text = await (positionals[0] === "adopt" ? adopt(stores) : orphans(stores, values));
    process.stdout.write(`${text}\n`);
  } finally {
    await stores.close();
  }
}

function readArguments() {
  try {
    const parsed = parseArgs({ options: OPTIONS, allowPositionals: true });
    if (/^(?:adopt|orphans)$/.test(parsed.positionals.join(" "))) return parsed;
  } catch {
    // Reported below.
  }
  throw new StartError(USAGE);
}

try {
  await main();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exit(1);
}
