import { resolve } from "node:path";
import { readEnvironment } from "../adapters/bun/environment";
import type { Variables } from "../config";
import { readArguments } from "./administration/arguments";
import type { FileProblem } from "./archive/archive-folder";
import { exitCodeOf } from "./archive/stored-files";
import { exitWith, print } from "./messages";
import type { InstanceKind } from "./stores";

export type Command = {
  usage: string;
  /** Runs the command. @returns its message, and the files that are not as their rows say */
  run(
    instance: { kind: InstanceKind; variables: Variables },
    folder: string,
    options: { replace: boolean; withKey: boolean },
  ): Promise<{ text: string; problems: FileProblem[] }>;
};

const OPTIONS = {
  worker: { type: "boolean", default: false },
  remote: { type: "boolean", default: false },
  replace: { type: "boolean", default: false },
  "with-key": { type: "boolean", default: false },
} as const;

/** Runs `export` or `import` and ends the process with a one-line result, and the files that have a problem. */
export async function runCommand({ usage, run }: Command): Promise<void> {
  try {
    const args = process.argv.slice(2);
    const { values, positionals } = readArguments(args, { usage, options: OPTIONS, names: ["<folder>"] });
    const kind = values.remote ? "remote" : values.worker ? "worker" : "bun";
    const variables = readEnvironment(process.env);
    const { text, problems } = await run({ kind, variables }, resolve(positionals[0] ?? ""), {
      replace: values.replace,
      withKey: values["with-key"],
    });
    await print(text);
    process.exit(exitCodeOf(problems));
  } catch (error) {
    await exitWith(error);
  }
}
