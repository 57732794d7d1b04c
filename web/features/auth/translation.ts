import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import auth from "../../../locales/en/auth.json";
import common from "../../../locales/en/common.json";
import errors from "../../../locales/en/errors.json";
import validation from "../../../locales/en/validation.json";
import { I18N_OPTIONS, setDocumentLanguage } from "../../lib/i18n";
import { hasStoredLanguage, storeDetectedLanguage, storeLanguage } from "../../lib/language";
import { showTexts } from "../../lib/page-bootstrap";
import type { Bootstrap } from "./bootstrap";

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

/** Switches to the visitor's language once its texts are loaded; without them the page stays in English. */
export async function applyLanguage({ language, texts }: Bootstrap): Promise<void> {
  const bundles = await texts;
  if (bundles) {
    for (const [namespace, bundle] of bundles) i18next.addResourceBundle(language, namespace, bundle);
    await i18next.changeLanguage(language);
    setDocumentLanguage(language);
    if (!hasStoredLanguage()) storeDetectedLanguage(language);
    storeLanguage(language);
  }
  showTexts();
}
