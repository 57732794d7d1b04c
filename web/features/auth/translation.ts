import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import auth from "../../../locales/en/auth.json";
import common from "../../../locales/en/common.json";
import errors from "../../../locales/en/errors.json";
import validation from "../../../locales/en/validation.json";
import type { Language } from "../../../worker/contract/options";
import { I18N_OPTIONS, setDocumentLanguage } from "../../lib/i18n";
import { hasStoredLanguage, storeDetectedLanguage, storeLanguage } from "../../lib/language";
import { showTexts } from "../../lib/page-bootstrap";
import { type Bootstrap, readTexts } from "./bootstrap";

/** Starts in English: the page is prerendered in it, so hydration must be too. */
export function initEnglish(): void {
  void i18next.use(initReactI18next).init({
    ...I18N_OPTIONS,
    lng: "en",
    fallbackLng: "en",
    resources: { en: { auth, common, errors, validation } },
    initAsync: false,
  });
}

/** Switches to the language that the visitor has chosen. Without its texts the page stays as it is. */
export async function chooseLanguage(language: Language): Promise<void> {
  const bundles = await readTexts(language);
  if (!bundles) return;
  await showLanguage(language, bundles);
  storeLanguage(language);
}

/** Switches to the visitor's language once its texts are loaded; without them the page stays in English. */
export async function applyLanguage({ language, texts }: Bootstrap): Promise<void> {
  const bundles = await texts;
  if (bundles) {
    await showLanguage(language, bundles);
    if (!hasStoredLanguage()) storeDetectedLanguage(language);
    storeLanguage(language);
  }
  showTexts();
}

async function showLanguage(
  language: Language,
  bundles: [namespace: string, texts: unknown][],
): Promise<void> {
  for (const [namespace, bundle] of bundles) i18next.addResourceBundle(language, namespace, bundle);
  await i18next.changeLanguage(language);
  setDocumentLanguage(language);
}
