import i18next, { type BackendModule, type FlatNamespace, type FormatterModule } from "i18next";
import { initReactI18next } from "react-i18next";
import { PRODUCT_NAME } from "../../worker/contract/product";
import { fetchOrTakeEarly } from "../lib/early-reads";
import { formatNumber, regionalLocale } from "../lib/format";
import { detectLanguage, keepDetectedLanguage, setDocumentLanguage, storeLanguage } from "../lib/language";
import { readJson } from "../lib/read-texts";

const served: BackendModule = {
  type: "backend",
  init: () => {},
  read: async (language, namespace, done) => {
    const texts = await readJson<object>(`/locales/${language}/${namespace}.json`, fetchOrTakeEarly);
    // True for another try.
    done(texts ? null : "The texts could not be loaded", texts ?? true);
  },
};

/** Writes each number in a text as "3,011". What is no amount, such as an id, is passed as a string. */
const numbers: FormatterModule = {
  type: "formatter",
  init: () => {},
  add: () => {},
  addCached: () => {},
  format: (value, _format, language = "en") =>
    typeof value === "number" ? formatNumber(value, regionalLocale(language)) : value,
};

/** Detects the language and loads the texts that every page needs, and those of the first one. */
export async function startI18n(namespaces: readonly FlatNamespace[]): Promise<typeof i18next> {
  const language = detectLanguage();
  await i18next
    .use(served)
    .use(initReactI18next)
    .use(numbers)
    .init({
      lng: language,
      // Every language is complete.
      fallbackLng: false,
      defaultNS: "common",
      interpolation: {
        escapeValue: false,
        alwaysFormat: true,
        defaultVariables: { product: PRODUCT_NAME },
      },
      react: { useSuspense: true },
      ns: ["common", ...namespaces],
    });
  setDocumentLanguage(language);
  keepDetectedLanguage(language);
  i18next.on("languageChanged", (chosen) => {
    setDocumentLanguage(chosen);
    storeLanguage(chosen);
  });
  return i18next;
}
