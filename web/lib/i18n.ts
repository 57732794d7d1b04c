import type { InitOptions } from "i18next";
import { LANGUAGES } from "../../worker/contract/options";
import { PRODUCT_NAME } from "../../worker/contract/product";

/** The i18next options of the app and the sign-in page. */
export const I18N_OPTIONS = {
  supportedLngs: [...LANGUAGES],
  defaultNS: "common",
  interpolation: { escapeValue: false, defaultVariables: { product: PRODUCT_NAME } },
  react: { useSuspense: true },
} satisfies InitOptions;

export function setDocumentLanguage(language: string): void {
  document.documentElement.lang = language;
}
