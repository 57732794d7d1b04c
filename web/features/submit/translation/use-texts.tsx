import { createContext, type ReactNode, use } from "react";
import type first from "../../../../locales/en/submit.json";
import type steps from "../../../../locales/en/submit-steps.json";
import { scaleBytes } from "../../../../worker/contract/files";
import { formatNumber, regionalLocale } from "../../../lib/format";
import { fillText, lookUp, type TextValues } from "../../../lib/texts";

/** The texts of the first step and of the pages without a wizard, and those that are loaded with the later steps. */
export type FirstTexts = typeof first;
export type StepTexts = typeof steps;
export type Texts = FirstTexts & StepTexts;
type DottedPath<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? Key : `${Key}.${DottedPath<Tree[Key]>}`;
}[keyof Tree & string];
export type TextKey = DottedPath<Texts>;

/** The text at a dotted key, with its placeholders filled. */
export const translate = (texts: FirstTexts, key: TextKey, values?: TextValues): string =>
  fillText(lookUp(texts, key) ?? key, values);

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
