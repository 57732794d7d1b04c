import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import auth from "../../../locales/en/auth.json";
import common from "../../../locales/en/common.json";
import errors from "../../../locales/en/errors.json";
import validation from "../../../locales/en/validation.json";
import { I18N_OPTIONS, markPage } from "../../lib/i18n";
import { hasKeptLanguage, noteDetectedLanguage, rememberLanguage } from "../../lib/language";
import type { Start } from "./bootstrap";

/** Speaks English at once: the page is drawn in it, so React must begin with it. */
export function speakEnglish(): void {
  void i18next.use(initReactI18next).init({
    ...I18N_OPTIONS,
    lng: "en",
    fallbackLng: "en",
    resources: { en: { auth, common, errors, validation } },
    initAsync: false,
  });
}

/** Goes on in the visitor's language once its texts are there; English stays where they could not be had. */
export async function speak({ language, texts }: Start): Promise<void> {
  const bundles = await texts;
  if (bundles) {
    for (const [namespace, bundle] of bundles) i18next.addResourceBundle(language, namespace, bundle);
    await i18next.changeLanguage(language);
    markPage(language);
    if (!hasKeptLanguage()) noteDetectedLanguage(language);
    rememberLanguage(language);
  }
  delete document.documentElement.dataset.texts;
}
