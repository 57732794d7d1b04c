import type { FlatNamespace } from "i18next";
import type { Language } from "../../worker/contract/options";

export type TextsByNamespace = Readonly<Record<string, unknown>>;

/** The texts of a language by namespace; null if one of them cannot be loaded. */
export async function readTexts(
  language: Language,
  namespaces: readonly FlatNamespace[],
): Promise<TextsByNamespace | null> {
  const texts = await Promise.all(
    namespaces.map((name) => readJson<unknown>(`/locales/${language}/${name}.json`)),
  );
  return texts.every(Boolean) ? Object.fromEntries(namespaces.map((name, at) => [name, texts[at]])) : null;
}

/** Null if the request fails, or gets the page of a portal. */
export async function readJson<Body>(
  url: string,
  read: (url: string) => Promise<Response> = fetch,
): Promise<Body | null> {
  const response = await read(url).catch(() => null);
  return response?.ok ? response.json().catch(() => null) : null;
}
