import type english from "../../../../locales/en/submit.json";
import { PRODUCT_NAME } from "../../../../worker/contract/product";

export type Texts = typeof english;
type Paths<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? Key : `${Key}.${Paths<Tree[Key]>}`;
}[keyof Tree & string];
export type TextKey = Paths<Texts>;
export type TextValues = Record<string, string | number>;

/**
 * The text at a dotted key, its `{{places}}` filled. Written as i18next reads it, but without i18next: that
 * alone weighs a fifth of what this page may.
 */
export function translate(texts: Texts, key: TextKey, values: TextValues = {}): string {
  const text = lookUp(texts, key) ?? key;
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
    String(name === "product" ? PRODUCT_NAME : (values[name] ?? "")),
  );
}

export function lookUp(texts: unknown, key: string): string | undefined {
  let found: unknown = texts;
  for (const part of key.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Record<string, unknown>)[part];
  }
  return typeof found === "string" ? found : undefined;
}
