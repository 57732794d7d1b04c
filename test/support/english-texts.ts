import i18next, { type Resource } from "i18next";
import { initReactI18next } from "react-i18next";
import common from "../../locales/en/common.json";
import envelopes from "../../locales/en/envelopes.json";

/** The texts for components that are rendered without a browser; `more` has further namespaces and languages. */
export async function initEnglishTexts({ en, ...more }: Resource = {}): Promise<void> {
  // Bun has no list of the visitor's languages.
  Object.defineProperty(navigator, "languages", { value: ["en-GB"], configurable: true });
  await i18next.use(initReactI18next).init({
    lng: "en",
    defaultNS: "common",
    resources: { en: { common, envelopes, ...en }, ...more },
    initAsync: false,
  });
}
