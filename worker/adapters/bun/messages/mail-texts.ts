import type { Language } from "../../../contract/options";
import type { LoadErrorTexts, LoadMailTexts } from "../../../ports/mailer";

/** Paths that the bundler of the executable can read. */
const MAIL: Record<Language, () => Promise<{ default: object }>> = {
  en: () => import("../../../../locales/en/mail.json"),
  fr: () => import("../../../../locales/fr/mail.json"),
  es: () => import("../../../../locales/es/mail.json"),
  zh: () => import("../../../../locales/zh/mail.json"),
  de: () => import("../../../../locales/de/mail.json"),
  pt: () => import("../../../../locales/pt/mail.json"),
  ja: () => import("../../../../locales/ja/mail.json"),
};

const ERRORS: Record<Language, () => Promise<{ default: Record<string, unknown> }>> = {
  en: () => import("../../../../locales/en/errors.json"),
  fr: () => import("../../../../locales/fr/errors.json"),
  es: () => import("../../../../locales/es/errors.json"),
  zh: () => import("../../../../locales/zh/errors.json"),
  de: () => import("../../../../locales/de/errors.json"),
  pt: () => import("../../../../locales/pt/errors.json"),
  ja: () => import("../../../../locales/ja/errors.json"),
};

/** Reads the texts from disk, or from the executable. */
export const loadMailTexts: LoadMailTexts = async (language) => (await MAIL[language]()).default;

export const loadErrorTexts: LoadErrorTexts = async (language) => (await ERRORS[language]()).default;
