import type first from "../../../../locales/en/submit.json";
import type steps from "../../../../locales/en/submit-steps.json";
import { PRODUCT_NAME } from "../../../../worker/contract/product";

/** The texts of the first step and of the pages without a wizard, and those that are loaded with the later steps. */
export type FirstTexts = typeof first;
export type StepTexts = typeof steps;
export type Texts = FirstTexts & StepTexts;
type DottedPath<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? Key : `${Key}.${DottedPath<Tree[Key]>}`;
}[keyof Tree & string];
export type TextKey = DottedPath<Texts>;
export type TextValues = Record<string, string | number>;

/**
 * The text at a dotted key, with its `{{placeholders}}` filled. It reads i18next's format without i18next, which
 * would take a fifth of this page's budget.
 */
export function translate(texts: FirstTexts, key: TextKey, values: TextValues = {}): string {
  const text = lookUp(texts, key) ?? key;
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
    String(name === "product" ? PRODUCT_NAME : (values[name] ?? "")),
  );
}

export function lookUp(texts: unknown, key: string): string | undefined {
  let value: unknown = texts;
  for (const part of key.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return typeof value === "string" ? value : undefined;
}
