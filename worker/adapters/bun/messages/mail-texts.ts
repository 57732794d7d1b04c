import type { Language } from "../../../contract/options";
import type { LoadMailTexts } from "../../../ports/mail-texts";

/** Paths that the bundler of the executable can read. */
const FILES: Record<Language, () => Promise<{ default: object }>> = {
  en: () => import("../../../../locales/en/mail.json"),
  fr: () => import("../../../../locales/fr/mail.json"),
  es: () => import("../../../../locales/es/mail.json"),
  zh: () => import("../../../../locales/zh/mail.json"),
  de: () => import("../../../../locales/de/mail.json"),
  pt: () => import("../../../../locales/pt/mail.json"),
  ja: () => import("../../../../locales/ja/mail.json"),
};

/** Reads the texts from disk, or from the executable. */
export const loadMailTexts: LoadMailTexts = async (language) => (await FILES[language]()).default;
