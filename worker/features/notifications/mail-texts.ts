import type en from "../../../locales/en/mail.json";
import { messageLocale } from "../../contract/days";
import type { Language } from "../../contract/options";
import { PRODUCT_NAME } from "../../contract/product";

/** Plural forms count as one text, chosen by `count`. */
type Stem<Key extends string> = Key extends `${infer Text}_${"one" | "other"}` ? Text : Key;
type Path<T> = { [K in keyof T & string]: T[K] extends string ? Stem<K> : `${K}.${Path<T[K]>}` }[keyof T &
  string];
export type MailKey = Path<typeof en>;
/** The text for the key, with placeholders filled. Values are not escaped: the HTML renderer does that. */
export type MailText = (key: MailKey, values?: Record<string, string | number>) => string;

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/** Finds and fills a language's texts. i18next would be a tenth of the Worker's script, for placeholders and plurals. */
export function mailTextOf(texts: object, language: Language, product: string = PRODUCT_NAME): MailText {
  const plurals = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(messageLocale(language), { maximumFractionDigits: 2 });
  const textOf = (path: string) =>
    path.split(".").reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], texts);
  return (key, values = {}) => {
    const { count } = values;
    const plural = typeof count === "number" ? textOf(`${key}_${plurals.select(count)}`) : undefined;
    const filled: Record<string, string | number> = { product, ...values };
    return String(plural ?? textOf(key)).replace(PLACEHOLDER, (_, name: string) => {
      const value = filled[name] ?? "";
      return typeof value === "number" ? numbers.format(value) : value;
    });
  };
}
