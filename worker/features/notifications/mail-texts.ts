import { createInstance } from "i18next";
import de from "../../../locales/de/mail.json";
import en from "../../../locales/en/mail.json";
import es from "../../../locales/es/mail.json";
import fr from "../../../locales/fr/mail.json";
import ja from "../../../locales/ja/mail.json";
import pt from "../../../locales/pt/mail.json";
import zh from "../../../locales/zh/mail.json";
import type { Language } from "../../contract/options";
import { PRODUCT_NAME } from "../../contract/product";

/** Plural forms count as one text, chosen by `count`. */
type Stem<Key extends string> = Key extends `${infer Text}_${"one" | "other"}` ? Text : Key;
type Path<T> = { [K in keyof T & string]: T[K] extends string ? Stem<K> : `${K}.${Path<T[K]>}` }[keyof T &
  string];
export type MailKey = Path<typeof en>;
/** The text for the key, with placeholders filled. Values are not escaped: the HTML renderer does that. */
export type MailText = (key: MailKey, values?: Record<string, string | number>) => string;

const TEXTS: Record<Language, object> = { en, fr, es, zh, de, pt, ja };
let instance: ReturnType<typeof createTexts> | undefined;

/** The texts of messages in a language. They are bundled: a Worker cannot read files. */
export function mailTexts(language: Language): MailText {
  instance ??= createTexts();
  // i18next's global key type describes the browser's texts, not these.
  return instance.getFixedT(language) as unknown as MailText;
}

function createTexts() {
  const texts = createInstance();
  void texts.init({
    initAsync: false,
    resources: Object.fromEntries(Object.entries(TEXTS).map(([language, mail]) => [language, { mail }])),
    defaultNS: "mail",
    fallbackLng: "en",
    interpolation: { escapeValue: false, defaultVariables: { product: PRODUCT_NAME } },
  });
  return texts;
}
