import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readEnvironment } from "../adapters/bun/environment";
import { StartError } from "../adapters/bun/start-error";
import type { Variables } from "../config";
import { requireOwnStore } from "../features/files/store-owner";
import { FLAG, readArguments } from "./administration/arguments";
import { contentOf, type FileProblem, type Manifest, rightsOf } from "./archive/archive-folder";
import { exportArchive } from "./archive/export-archive";
import type { Stores } from "./archive/import-archive";
import { exitCodeOf } from "./archive/stored-files";
import { backUp, recordBackup } from "./backup";
import { importInto } from "./bun-stores";
import { exitWith, Help, print } from "./messages";
import { requireSecretKeys, rotateSecretKey } from "./secret-keys";
import { adopt, orphans, reindex } from "./store-commands";
import { type InstanceKind, openStores } from "./stores";

/** The commands for an instance of either runtime. */

const INSTANCE_OPTIONS = { worker: FLAG, remote: FLAG };

const kindOf = ({ worker, remote }: { worker: boolean; remote: boolean }): InstanceKind =>
  remote ? "remote" : worker ? "worker" : "bun";

const ARCHIVE_OPTIONS = { ...INSTANCE_OPTIONS, replace: FLAG, "with-key": FLAG };

type ArchiveCommand = {
  usage: string;
  /** Runs the command. @returns its message, and the files that are not as their rows say */
  run(
    instance: { kind: InstanceKind; variables: Variables },
    folder: string,
    options: { replace: boolean; withKey: boolean },
  ): Promise<{ text: string; problems: FileProblem[] }>;
};

const ARCHIVE_COMMANDS: Readonly<Record<string, ArchiveCommand>> = {
  export: {
    usage: "bun run export [--worker | --remote] [--with-key] <new folder>",
    async run({ kind, variables }, folder, { withKey }) {
      const manifest =
        kind === "bun"
          ? (await backUp(variables, folder, { withKey })).manifest
          : await exportWorker(kind, variables, folder, withKey);
      return { text: `${contentOf(manifest)} written to ${folder}`, problems: manifest.problems };
    },
  },
  import: {
    usage: "bun run import [--worker | --remote] [--replace] <folder>",
    async run({ kind, variables }, folder, options) {
      const stores = await openStores(kind, variables, { create: true });
      const { manifest, loss } = await importInto(stores, folder, { ...options, variables });
      const lines = [`${contentOf(manifest)} read from ${folder}`, rightsOf(manifest), loss];
      return { text: lines.filter(Boolean).join("\n"), problems: manifest.problems };
    },
  },
};

async function exportWorker(
  kind: "worker" | "remote",
  variables: Variables,
  folder: string,
  withKey: boolean,
): Promise<Manifest> {
  const keys = withKey && { secretKeys: await requireSecretKeys(variables) };
  const { close, db, files } = await openStores(kind, variables);
  try {
    await requireOwnStore({ db, files });
    const manifest = await exportArchive({ files, rows: async () => db, ...keys }, folder);
    await recordBackup(db, manifest);
    return manifest;
  } finally {
    await close();
  }
}

/** Prints the result of the command, and the files that have a problem. @returns the exit code */
async function runArchiveCommand({ usage, run }: ArchiveCommand, args: string[]): Promise<number> {
  const given = { usage, options: ARCHIVE_OPTIONS, names: ["<folder>"] };
  const { values, positionals } = readArguments(args, given);
  const instance = { kind: kindOf(values), variables: readEnvironment(process.env) };
  const options = { replace: values.replace, withKey: values["with-key"] };
  const { text, problems } = await run(instance, resolve(positionals[0] ?? ""), options);
  await print(text);
  return exitCodeOf(problems);
}

const STORE_USAGE = "Usage: bun run adopt | orphans [--remove] | reindex | rotate-key [--worker | --remote]";
const STORE_OPTIONS = { ...INSTANCE_OPTIONS, remove: FLAG };

const STORE_COMMANDS = {
  adopt,
  orphans,
  reindex,
  "rotate-key": ({ db }: Stores, _: object, variables: Variables) => rotateSecretKey(variables, db),
};

async function runStoreCommand(args: string[]): Promise<void> {
  const { values, command } = readStoreArguments(args);
  const kind = kindOf(values);
  const variables = readEnvironment(process.env);
  if (kind === "remote" && command === "rotate-key" && !variables.SECRET_KEY)
    throw new StartError("SECRET_KEY is not set: Cloudflare does not show the Worker's");
  const stores = await openStores(kind, variables);
  try {
    await print(await STORE_COMMANDS[command](stores, values, variables));
  } finally {
    await stores.close();
  }
}

function readStoreArguments(args: string[]) {
  if (args.includes("--help")) throw new Help(STORE_USAGE);
  try {
    const { values, positionals } = parseArgs({ args, options: STORE_OPTIONS, allowPositionals: true });
    const command = positionals.join(" ");
    if (Object.hasOwn(STORE_COMMANDS, command))
      return { values, command: command as keyof typeof STORE_COMMANDS };
  } catch {
    // Reported below.
  }
  throw new StartError(STORE_USAGE);
}

try {
  const [name = "", ...args] = process.argv.slice(2);
  const command = ARCHIVE_COMMANDS[name];
  if (command) process.exit(await runArchiveCommand(command, args));
  await runStoreCommand([name, ...args]);
  process.exit(0);
} catch (error) {
  await exitWith(error);
}
