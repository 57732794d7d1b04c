import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readEnvironment } from "../adapters/bun/environment";
import { createFilesPrivately } from "../adapters/bun/files/private-files";
import { StartError } from "../adapters/bun/start-error";
import { VERSION } from "../lib/version";
import { administer, isAdministrative } from "./administration";
import { backUp } from "./backup";
import { runDoctor } from "./doctor/doctor";
import { toText } from "./doctor/finding";
import { errorMessage, pluralize } from "./messages";
import { checkReadiness } from "./ready";
import { restore } from "./restore";

const USAGE =
  "Usage: backup [--incremental] <new folder> | restore [--replace] <folder> | doctor | ready | users | invite | stats | audit | --version";

/** The commands for the operator of a Bun server; without a command, it starts the server. */
async function main([command, ...rest]: string[]): Promise<void> {
  if (command === undefined) return (await import("../bun")).main();
  createFilesPrivately();
  try {
    await run(command, rest);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${errorMessage(error)}\n`);
    process.exit(1);
  }
}

async function run(command: string, rest: string[]): Promise<void> {
  if (command === "backup") {
    const { folder, incremental } = readArguments(rest, "incremental");
    const { manifest, earlier } = await backUp(readEnvironment(process.env), folder, { incremental });
    const { rows, files } = manifest;
    const shared = earlier ? `, sharing files with ${earlier}` : "";
    print(
      `${pluralize(rows.users ?? 0, "account")} with ${pluralize(files, "file")} written to ${folder}${shared}`,
    );
  } else if (command === "restore") {
    const { folder, replace } = readArguments(rest, "replace");
    const { rows, files } = await restore(readEnvironment(process.env), folder, { replace });
    print(`${pluralize(rows.users ?? 0, "account")} with ${pluralize(files, "file")} read from ${folder}`);
  } else if (command === "doctor") await examine();
  else if (isAdministrative(command)) print(await administer(command, rest));
  else if (command === "--version") print(VERSION);
  else if (command === "ready") {
    const { url, state } = await checkReadiness(readEnvironment(process.env));
    if (state !== "ready") throw new StartError(`No server is ready at ${url}`);
  } else throw new StartError(USAGE);
}

async function examine(): Promise<void> {
  const findings = await runDoctor(process.env);
  for (const finding of findings) print(toText(finding));
  const failures = findings.filter(({ level }) => level === "failure").length;
  if (failures > 0) throw new StartError(`${pluralize(failures, "failure")}: see the advice above`);
}

/** A folder, and the command's single option. */
function readArguments<Option extends "replace" | "incremental">(
  args: string[],
  option: Option,
): { folder: string } & Record<Option, boolean> {
  try {
    const options = { [option]: { type: "boolean", default: false } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [folder, ...more] = positionals;
    if (folder && more.length === 0)
      return { folder: resolve(folder), ...(values as Record<Option, boolean>) };
  } catch {
    // Reported below.
  }
  throw new StartError(USAGE);
}

const print = (line: string) => process.stdout.write(`${line}\n`);

await main(process.argv.slice(2));
