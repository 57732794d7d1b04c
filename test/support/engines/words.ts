import { join } from "node:path";
import type { Language } from "../../../worker/contract/options";

/**
 * Finds the interface's texts by their keys (`envelopes:wizard.next`), so that the same test runs in every language.
 */
export type Word = (key: string) => RegExp;

/** A pattern that matches the whole text, with any values for its placeholders. */
export function wordsOf(language: Language): Word {
  const folder = join(import.meta.dir, "../../../locales", language);
  return (key) => {
    const [namespace, path = ""] = key.split(":");
    let value: unknown = require(join(folder, `${namespace}.json`));
    for (const name of path.split(".")) {
      const texts = value as Record<string, unknown>;
      // Chinese and Japanese have no singular.
      value = texts[name] ?? texts[name.replace(/_one$/, "_other")];
    }
    if (typeof value !== "string") throw new Error(`There is no text ${key} in ${language}`);
    // The page's text is compared with plain spaces.
    const parts = value
      .split(/\{\{\w+\}\}/)
      .map((part) => part.replace(/\s/g, " ").replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*")}$`);
  };
}
