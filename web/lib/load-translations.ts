import i18next, { type FlatNamespace } from "i18next";

/** Fetches a page's texts together with its code and data, so that nothing blinks while they come. */
export async function loadTranslations(...namespaces: FlatNamespace[]): Promise<void> {
  await i18next.loadNamespaces(namespaces);
}
