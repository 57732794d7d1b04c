import { resolve } from "node:path";
import { readEnvironment } from "../adapters/bun/environment";
import { createFilesPrivately } from "../adapters/bun/files/file-access";
import { openFileStore } from "../adapters/bun/resources";
import { readRevision } from "../adapters/bun/revision";
import { StartError } from "../adapters/bun/start-error";
import { ALERT_CAUSES } from "../contract/alerts";
import { beginAlert, endAlert } from "../features/administration/alerts.service";
import { nameVersion } from "../lib/version";
import { administer, isAdministrative } from "./administration";
import { FLAG, readArguments, requireWholeNumber } from "./administration/arguments";
import { asOperator } from "./administration/operator";
import { size } from "./administration/text";
import { alertAdministrators } from "./alert";
import { contentOf, type FileProblem, type Manifest, readManifest, rightsOf } from "./archive/archive-folder";
import type { Stores } from "./archive/import-archive";
import { exitCodeOf } from "./archive/stored-files";
import { backUp, recordBackup, reportBackup } from "./backup";
import { importInto, openBunStores } from "./bun-stores";
import { runDoctor } from "./doctor/doctor";
import { toText } from "./doctor/finding";
import { checkReadiness } from "./doctor/server";
import { exitWith, pluralize, print } from "./messages";
import { restore } from "./restore";
import { rotateSecretKey } from "./secret-keys";
import { adopt, orphans, reindex } from "./store-commands";
import { showProgress, verifyFiles } from "./verify";

async function printRead(manifest: Manifest, what: string, loss: string | null): Promise<void> {
  for (const line of [`${contentOf(manifest)} ${what}`, rightsOf(manifest), loss])
    if (line) await print(line);
}

type Command = (args: string[]) => Promise<FileProblem[] | undefined>;

const WITH_KEY = { "with-key": FLAG } as const;

const COMMANDS: Readonly<Record<string, Command>> = {
  async backup(args) {
    const options = { incremental: FLAG, unrecorded: FLAG, record: FLAG, ...WITH_KEY } as const;
    const usage =
      "backup [--incremental] [--with-key] [--unrecorded] <new folder> | backup --record <folder>";
    const { values, positionals } = readArguments(args, { usage, options, names: ["<new folder>"] });
    const folder = resolve(positionals[0] ?? "");
    const { incremental, unrecorded, record, "with-key": withKey } = values;
    if (record) {
      const recorded = await readManifest(folder);
      return asOperator(readEnvironment(process.env), async ({ db, variables }) => {
        await recordBackup(db, recorded);
        await reportBackup(db, variables, recorded.problems.length === 0);
        return recorded.problems;
      });
    }
    const { manifest, earlier } = await backUp(readEnvironment(process.env), folder, {
      ...{ incremental, unrecorded, withKey },
    });
    await print(
      `${contentOf(manifest)} written to ${folder}${earlier ? `, sharing files with ${earlier}` : ""}`,
    );
    return manifest.problems;
  },
  async restore(args) {
    const options = { replace: FLAG, adopt: FLAG, "hold-mail": FLAG } as const;
    const usage = "restore [--replace] [--adopt] [--hold-mail] <folder>";
    const { values, positionals } = readArguments(args, { usage, options, names: ["<folder>"] });
    const folder = resolve(positionals[0] ?? "");
    const choices = { ...values, holdMail: values["hold-mail"] };
    const { manifest, loss, path } = await restore(readEnvironment(process.env), folder, choices);
    await printRead(manifest, `read from ${folder} into ${path}`, loss);
    if (choices.holdMail) await print("The server will send no message; `doctor` says how to end that");
    return manifest.problems;
  },
  async export(args) {
    const usage = "export [--with-key] <new folder>";
    const { values, positionals } = readArguments(args, {
      usage,
      options: WITH_KEY,
      names: ["<new folder>"],
    });
    const folder = resolve(positionals[0] ?? "");
    const withKey = values["with-key"];
    const { manifest } = await backUp(readEnvironment(process.env), folder, { withKey });
    await print(`${contentOf(manifest)} written to ${folder}`);
    return manifest.problems;
  },
  async import(args) {
    const options = { replace: FLAG } as const;
    const usage = "import [--replace] <folder>";
    const { values, positionals } = readArguments(args, { usage, options, names: ["<folder>"] });
    const folder = resolve(positionals[0] ?? "");
    const variables = readEnvironment(process.env);
    const stores = await openBunStores(variables);
    const { manifest, loss } = await importInto(stores, folder, { ...values, variables });
    await printRead(manifest, `read from ${folder}`, loss);
    return manifest.problems;
  },
  async verify(args) {
    const options = { sample: { type: "string" } } as const;
    const usage = "verify [--sample <number>]";
    const { values } = readArguments(args, { usage, options, names: [] });
    const limits = { min: 1, max: 1_000_000 };
    const sample = values.sample && requireWholeNumber(values.sample, "--sample", limits);
    return asOperator(readEnvironment(process.env), async (operator) => {
      const { db, variables } = operator;
      const files = await openFileStore(variables, { readOnly: true });
      const found = await verifyFiles(
        { db, files },
        { sample: sample || undefined, onProgress: showProgress() },
      );
      const { total, bytes, problems } = found;
      const intact = found.files - problems.length;
      await print(
        `${intact} of ${pluralize(found.files, "file")} intact, ${size(bytes)} read; there are ${total} in all`,
      );
      if (problems.length > 0) await beginAlert(operator, "files_damaged");
      else if (!sample) await endAlert(operator, "files_damaged");
      return problems;
    });
  },
  async alert(args) {
    const usage = `alert ${ALERT_CAUSES.join(" | ")}`;
    const { positionals } = readArguments(args, { usage, options: {}, names: ["<cause>"] });
    const cause = ALERT_CAUSES.find((known) => known === positionals[0]);
    if (!cause) throw new StartError(`Usage: ${usage}`);
    await print(await alertAdministrators(readEnvironment(process.env), cause));
    return undefined;
  },
  adopt: onStores("adopt", [], adopt),
  orphans: onStores("orphans [--remove]", ["remove"], orphans),
  reindex: onStores("reindex", [], reindex),
  async "rotate-key"(args) {
    readArguments(args, { usage: "rotate-key", options: {}, names: [] });
    return asOperator(readEnvironment(process.env), async ({ db, variables }) => {
      await print(await rotateSecretKey(variables, db));
      return undefined;
    });
  },
  async doctor(args) {
    readArguments(args, { usage: "doctor", options: {}, names: [] });
    const findings = await runDoctor(process.env);
    for (const finding of findings) await print(toText(finding));
    const failures = findings.filter(({ level }) => level === "failure").length;
    if (failures > 0) throw new StartError(`${pluralize(failures, "failure")}: see the advice above`);
    return undefined;
  },
  async ready(args) {
    const options = { running: FLAG } as const;
    const { values } = readArguments(args, { usage: "ready [--running]", options, names: [] });
    const { url, state, status } = await checkReadiness(readEnvironment(process.env));
    if (state === "ready" || (values.running && state === "unready" && status !== undefined))
      return undefined;
    throw new StartError(`No server is ${values.running ? "running" : "ready"} at ${url}`);
  },
};

const OTHERS = ["users", "workspaces", "invite", "stats", "audit", "outbox", "quarantine", "--version"];
const USAGE = `Usage: ${[...Object.keys(COMMANDS), ...OTHERS].join(" | ")}`;

/** A command that works on the configured database and file store. */
function onStores<Flag extends string>(
  usage: string,
  flags: readonly Flag[],
  work: (stores: Stores, given: Record<Flag, boolean>) => Promise<string>,
): Command {
  return async (args) => {
    const options = Object.fromEntries(flags.map((flag) => [flag, FLAG]));
    const { values } = readArguments(args, { usage, options, names: [] });
    await asOperator(readEnvironment(process.env), async ({ db, variables }) =>
      print(await work({ db, files: await openFileStore(variables) }, values as Record<Flag, boolean>)),
    );
    return undefined;
  };
}

/** The commands for the operator of a Bun server; without a command, it starts the server. */
async function main([command, ...args]: string[]): Promise<void> {
  if (command === undefined) return (await import("../bun")).main();
  createFilesPrivately();
  try {
    process.exit(exitCodeOf(await run(command, args)));
  } catch (error) {
    await exitWith(error);
  }
}

async function run(command: string, args: string[]): Promise<FileProblem[] | undefined> {
  const known = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (known) return known(args);
  if (isAdministrative(command)) await print(await administer(command, args));
  else if (command === "--version") await print(nameVersion(readRevision()));
  else if (command === "--help") await print(USAGE);
  else throw new StartError(USAGE);
  return undefined;
}

await main(process.argv.slice(2));
