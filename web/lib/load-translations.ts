import i18next, { type FlatNamespace } from "i18next";

/** Loads a page's texts in its route's loader, so that the page does not flicker. */
export async function loadTranslations(...namespaces: FlatNamespace[]): Promise<void> {
  await i18next.loadNamespaces(namespaces);
}
