import type { InitOptions } from "i18next";
import { LANGUAGES } from "../../worker/contract/options";
import { PRODUCT_NAME } from "../../worker/contract/product";

/** What holds wherever i18next speaks. */
export const I18N_OPTIONS = {
  supportedLngs: [...LANGUAGES],
  defaultNS: "common",
  interpolation: { escapeValue: false, defaultVariables: { product: PRODUCT_NAME } },
  react: { useSuspense: true },
} satisfies InitOptions;

export function setDocumentLanguage(language: string): void {
  document.documentElement.lang = language;
}
