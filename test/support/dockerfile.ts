import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PATH = fileURLToPath(new URL("../../Dockerfile", import.meta.url));

export type Instruction = { name: string; value: string };
/** The instructions from one FROM to the next. */
export type Stage = { base: string; instructions: Instruction[] };

/** The stages of the repository's Dockerfile, in order. */
export function readStages(): Stage[] {
  const stages: Stage[] = [];
  for (const line of readFileSync(PATH, "utf8").split("\n")) {
    const [, name, value = ""] = /^([A-Z]+)\s+(.+)$/.exec(line) ?? [];
    if (!name) continue;
    if (name === "FROM") stages.push({ base: value.split(" ", 1)[0] ?? "", instructions: [] });
    else stages.at(-1)?.instructions.push({ name, value });
  }
  return stages;
}
