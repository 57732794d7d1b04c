import { join } from "node:path";
import type { Language } from "../../../worker/contract/options";

/** Finds the interface's texts by their keys (`envelopes:wizard.next`), so that one tour serves every language. */
export type Word = (key: string) => RegExp;

/** The pattern that a whole text has to match, whatever fills its placeholders. */
export function wordsOf(language: Language): Word {
  const folder = join(import.meta.dir, "../../../locales", language);
  return (key) => {
    const [namespace, path = ""] = key.split(":");
    let value: unknown = require(join(folder, `${namespace}.json`));
    for (const name of path.split(".")) value = (value as Record<string, unknown>)[name];
    if (typeof value !== "string") throw new Error(`There is no text ${key} in ${language}`);
    const parts = value.split(/\{\{\w+\}\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*")}$`);
  };
}
