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

type Path<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${Path<T[K]>}` }[keyof T & string];
export type MailKey = Path<typeof en>;
/** The sentence of the key, with its places filled as they are: whoever makes HTML of it escapes it. */
export type MailText = (key: MailKey, values?: Record<string, string>) => string;

const TEXTS: Record<Language, typeof en> = { en, fr, es, zh, de, pt, ja };
let instance: ReturnType<typeof createTexts> | undefined;

/** The texts of messages in a language. They are part of the bundle: a Worker reads no files. */
export function mailTexts(language: Language): MailText {
  instance ??= createTexts();
  // The key type that i18next is told of is the browser's, which has no part in these texts.
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
