import { PRODUCT_NAME } from "../../worker/contract/product";

export type TextValues = Readonly<Record<string, string | number>>;

/**
 * The text at a dotted key. With `fillText` it reads i18next's format, but for plurals, without i18next, which would take
 * a fifth of the budget of a page for visitors.
 */
export function lookUp(texts: unknown, key: string): string | undefined {
  let value: unknown = texts;
  for (const part of key.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return typeof value === "string" ? value : undefined;
}

/** The text with its `{{placeholders}}` filled. */
export function fillText(text: string, values: TextValues = {}): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
    String(name === "product" ? PRODUCT_NAME : (values[name] ?? "")),
  );
}
