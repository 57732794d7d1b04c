import type { FlatNamespace } from "i18next";
import { useMemo } from "react";
import type { Language } from "../../worker/contract/options";
import { setDocumentLanguage } from "./language";
import { readTexts, type TextsByNamespace } from "./read-texts";
import { createStore } from "./store";
import { fillText, lookUp, type TextValues } from "./texts";
import type * as app from "./translation";

/* What `#translation` means on the sign-in pages: what they use of i18next, in a tenth of its size. */

type Shown = { language: Language; texts: TextsByNamespace };

/** What the page is prerendered in, so that it hydrates in the same words. */
const english: Record<string, unknown> = {};
const shown = createStore<Shown>({ language: "en", texts: english });
/** The namespaces that the page has needed so far, for the next language. */
const needed = new Set<FlatNamespace>();

export function startInEnglish(texts: Partial<Record<FlatNamespace, unknown>>): void {
  Object.assign(english, texts);
  for (const name of Object.keys(texts) as FlatNamespace[]) needed.add(name);
}

/** Switches to a language, once its texts are loaded. Without them the page stays as it is. @returns whether it did */
export async function showLanguage(
  language: Language,
  reading: Promise<TextsByNamespace | null> = readTexts(language, [...needed]),
): Promise<boolean> {
  const first = await reading;
  const others = [...needed].filter((name) => first && !Object.hasOwn(first, name));
  const more = await readTexts(language, others);
  if (!first || !more) return false;
  shown.set({ language, texts: { ...first, ...more } });
  setDocumentLanguage(language);
  return true;
}

/** Loads texts that the page did not need so far. @returns whether they are there */
export async function loadTexts(namespaces: readonly FlatNamespace[]): Promise<boolean> {
  for (const name of namespaces) needed.add(name);
  const { language, texts } = shown.get();
  const missing = namespaces.filter((name) => !Object.hasOwn(texts, name));
  if (missing.length === 0) return true;
  const read = await readTexts(language, missing);
  // Another language brings them itself.
  if (read && shown.get().language === language)
    shown.set({ language, texts: { ...shown.get().texts, ...read } });
  return read !== null;
}

function find({ texts }: Shown, namespace: string, key: string): string | undefined {
  const colon = key.indexOf(":");
  if (colon >= 0) return lookUp(texts[key.slice(0, colon)], key.slice(colon + 1));
  return lookUp(texts[namespace], key);
}

type Options = { defaultValue?: string; skipInterpolation?: boolean } & Readonly<Record<string, unknown>>;

const translator =
  (from: () => Shown, namespace = "common") =>
  (key: string, { defaultValue = key, skipInterpolation = false, ...values }: Options = {}): string => {
    const text = find(from(), namespace, key) ?? defaultValue;
    return skipInterpolation ? text : fillText(text, values as TextValues);
  };

const light = {
  get language() {
    return shown.get().language;
  },
  t: translator(shown.get),
  exists: (key: string, { ns = "common" }: { ns?: string } = {}) => find(shown.get(), ns, key) !== undefined,
  loadNamespaces: async (namespaces: FlatNamespace[]) => void (await loadTexts(namespaces)),
};

export const i18n = light as unknown as typeof app.i18n;

function useLight(namespaces: string | readonly string[] = []) {
  const now = shown.use();
  const [namespace] = [namespaces].flat();
  return useMemo(() => ({ t: translator(() => now, namespace), i18n }), [now, namespace]);
}

/** The keys of the first namespace need no prefix. */
export const useTranslation = useLight as unknown as typeof app.useTranslation;
