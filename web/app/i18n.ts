import i18next, { type FlatNamespace } from "i18next";
import LanguageDetector from "i18next-browser-languagedetector";
import HttpBackend from "i18next-http-backend";
import { initReactI18next } from "react-i18next";
import { LANGUAGES } from "../../worker/contract/options";
import { PRODUCT_NAME } from "../../worker/contract/product";
import { fetchOrTakeEarly } from "../lib/early-reads";
import {
  baseOf,
  hasStoredLanguage,
  LANGUAGE_KEY,
  setDocumentLanguage,
  storeDetectedLanguage,
} from "../lib/language";

const isSupported = (code: string | undefined) =>
  LANGUAGES.some((language) => language === code?.split("-")[0]);

/** Detects the language and loads the texts that every page needs, and those of the first one. */
export async function startI18n(namespaces: readonly FlatNamespace[]): Promise<typeof i18next> {
  i18next.on("languageChanged", setDocumentLanguage);
  const detecting = !hasStoredLanguage();
  await i18next
    .use(HttpBackend)
    .use(LanguageDetector)
    .use(initReactI18next)
    .init({
      supportedLngs: [...LANGUAGES],
      defaultNS: "common",
      interpolation: { escapeValue: false, defaultVariables: { product: PRODUCT_NAME } },
      react: { useSuspense: true },
      nonExplicitSupportedLngs: true,
      load: "languageOnly",
      // Every language is complete, so English is loaded only for visitors whose language is not supported.
      fallbackLng: (code) => (isSupported(code) ? [] : ["en"]),
      ns: ["common", ...namespaces],
      backend: { loadPath: "/locales/{{lng}}/{{ns}}.json", alternateFetch: fetchOrTakeEarly },
      detection: {
        order: ["localStorage", "cookie", "navigator"],
        caches: ["localStorage", "cookie"],
        lookupLocalStorage: LANGUAGE_KEY,
        lookupCookie: LANGUAGE_KEY,
        cookieMinutes: 60 * 24 * 365,
        cookieOptions: { path: "/", sameSite: "lax" },
        convertDetectedLanguage: baseOf,
      },
    });
  if (detecting) storeDetectedLanguage(i18next.language);
  setDocumentLanguage(i18next.resolvedLanguage ?? i18next.language);
  return i18next;
}
