import { createContext, type ReactNode, use } from "react";
import { scaleBytes } from "../../../../worker/contract/files";
import { formatNumber, regionalLocale } from "../../../lib/format";
import type { TextValues } from "../../../lib/texts";
import { type FirstTexts, type TextKey, type Texts, translate } from "./translate";

type Translation = { language: string; texts: FirstTexts };
const TextsContext = createContext<{ language: string; texts: Texts } | null>(null);

export function TextsProvider({ language, texts, children }: Translation & { children: ReactNode }) {
  // What needs the other texts is rendered once they are loaded: see `load-later-steps.tsx`.
  return <TextsContext value={{ language, texts: texts as Texts }}>{children}</TextsContext>;
}

/** Texts, dates and sizes in the chosen language. */
export function useTexts() {
  const context = use(TextsContext);
  if (!context) throw new Error("TextsProvider is missing");
  const { language, texts } = context;
  const t = (key: TextKey, values?: TextValues) => translate(texts, key, values);
  const locale = () => regionalLocale(language);
  return {
    t,
    language,
    texts,
    number: (value: number) => formatNumber(value, locale()),
    size(bytes: number) {
      const { value, unit } = scaleBytes(bytes);
      return t(`size.${unit}`, { value: formatNumber(value, locale()) });
    },
    /** Both in the unit of the whole: "36" and "60 MB". */
    partOfSize(part: number, whole: number) {
      const { value, unit } = scaleBytes(whole);
      const uploaded = Math.floor((part / whole) * value * 10) / 10;
      return {
        uploaded: formatNumber(value >= 10 ? Math.floor(uploaded) : uploaded, locale()),
        size: t(`size.${unit}`, { value: formatNumber(value, locale()) }),
      };
    },
    /** A calendar day (`YYYY-MM-DD`), the same in every time zone. */
    day: (day: string) =>
      new Intl.DateTimeFormat(locale(), { dateStyle: "long", timeZone: "UTC" }).format(
        new Date(`${day.slice(0, 10)}T00:00:00Z`),
      ),
    dateTime: (date: Date) =>
      new Intl.DateTimeFormat(locale(), { dateStyle: "long", timeStyle: "short" }).format(date),
  };
}

/** A text of the first step. The head script translates it by its key before hydration. */
export function T({ k }: { k: TextKey }) {
  const { t } = useTexts();
  return <span data-t={k}>{t(k)}</span>;
}
