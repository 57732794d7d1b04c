import { dayFormat, longDay, messageLocale } from "./days";
import { LIMITS } from "./limits";
import type { Language } from "./options";
import { splitName } from "./patterns";

/** The placeholders that every envelope has. */
export const PLACEHOLDERS = [
  "firstName",
  "lastName",
  "name",
  "company",
  "dueDate",
  "month",
  "year",
  "lastYear",
  "lastMonth",
  "quarter",
  "lastQuarter",
] as const;

/** The name of a placeholder. */
const NAME = "[^{}\\r\\n]{1,100}";
const WHOLE_NAME = new RegExp(`^${NAME}$`);

/** Whether a placeholder may have this name. */
export const isPlaceholderName = (text: string): boolean => WHOLE_NAME.test(text);

/** `{{`, which is a brace, or a name in braces. */
const TOKEN = new RegExp(`\\{\\{|\\{(${NAME})\\}`, "g");

/** A character is at most two units of a string's length. */
const UNITS_PER_CHARACTER = 2;

/** Whether a text has more than `max` characters. */
export const isLongerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > max * UNITS_PER_CHARACTER || [...text].length > max);

/** What placeholders stand for, by name. One whose value is blank has none; one that is not in it is unknown. */
export type PlaceholderValues = Pick<ReadonlyMap<string, string>, "get">;

export type Filled = {
  /** Placeholders that are unknown or have no value stay as typed. */
  text: string;
  /** The names of those without a value, each once. */
  missing: string[];
};

/**
 * Replaces the placeholders of a text by their values, which are not searched for placeholders. What becomes longer than
 * `max` characters ends soon behind them: a short text can stand for megabytes.
 */
export function fillPlaceholders(text: string, values: PlaceholderValues, max: number = LIMITS.text): Filled {
  const missing = new Set<string>();
  let filled = "";
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [typed, name] = match;
    const value = name === undefined ? "{" : values.get(name);
    if (value?.trim()) {
      filled += text.slice(end, match.index) + value;
      end = match.index + typed.length;
      if (filled.length > max * UNITS_PER_CHARACTER) return { text: filled, missing: [] };
    } else if (name !== undefined && value !== undefined) missing.add(name);
  }
  return { text: filled + text.slice(end), missing: [...missing] };
}

/**
 * Replaces the placeholders of a list's columns, in a text whose others are replaced when it is sent. The values mean
 * themselves then, too.
 */
export const fillColumns = (text: string, column: (name: string) => string | undefined): string =>
  text.replaceAll(TOKEN, (typed, name?: string) => {
    const isColumn = name !== undefined && !PLACEHOLDERS.some((own) => own === name);
    const value = isColumn ? column(name) : undefined;
    return value?.trim() ? value.replaceAll("{", "{{") : typed;
  });

export type PlaceholderSource = {
  recipientName: string | null;
  contact: { firstName: string; lastName: string | null; company: string | null } | null | undefined;
  /** `YYYY-MM-DD` */
  dueDate: string | null;
  /** The day of sending in the requestor's time zone, `YYYY-MM-DD`. */
  day: string;
  language: Language;
  /**
   * The value of a list's column for the recipient: blank if only others have one, undefined if the list has no such column.
   * Of a column named like a placeholder, the value is ignored.
   */
  column?: ((name: string) => string | undefined) | undefined;
};

/** What the placeholders of an envelope stand for. */
export function placeholderValues(source: PlaceholderSource): PlaceholderValues {
  const { contact, dueDate, day, language, column } = source;
  const name = source.recipientName?.trim() ?? "";
  const { firstName, lastName } = contact ?? splitName(name);
  const year = Number(day.slice(0, 4));
  const month = dayFormat(messageLocale(language), "month");
  const values: Record<(typeof PLACEHOLDERS)[number], string> = {
    firstName,
    lastName: lastName ?? "",
    name,
    company: contact?.company ?? "",
    dueDate: dueDate ? longDay(dueDate, language) : "",
    month: month.format(new Date(`${day}T00:00:00Z`)),
    year: String(year),
    lastYear: String(year - 1),
    lastMonth: dayFormat(messageLocale(language), "monthOfYear").format(monthsAgo(day, 1)),
    quarter: quarterOf(new Date(`${day}T00:00:00Z`), language),
    lastQuarter: quarterOf(monthsAgo(day, 3), language),
  };
  const own = new Map<string, string>(Object.entries(values));
  return { get: (name) => own.get(name) ?? column?.(name) };
}

/** The first day of a month so many months before. */
const monthsAgo = (day: string, count: number): Date =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 - count, 1));

/** How a quarter is called, which `Intl` does not know. */
const QUARTERS: Record<Language, (quarter: number, year: number) => string> = {
  en: (quarter, year) => `Q${quarter} ${year}`,
  de: (quarter, year) => `Q${quarter} ${year}`,
  fr: (quarter, year) => `T${quarter} ${year}`,
  es: (quarter, year) => `T${quarter} ${year}`,
  pt: (quarter, year) => `${quarter}.º trimestre de ${year}`,
  zh: (quarter, year) => `${year}年第${quarter}季度`,
  ja: (quarter, year) => `${year}年第${quarter}四半期`,
};

const quarterOf = (day: Date, language: Language): string =>
  QUARTERS[language](Math.floor(day.getUTCMonth() / 3) + 1, day.getUTCFullYear());

/** The texts of an envelope that may contain placeholders. */
export type PlaceholderTexts<Document extends { description: string | null }> = {
  subject: string | null;
  message: string | null;
  documents: Document[];
};

/** The names of the texts' placeholders that are unknown, each once. */
export function unknownPlaceholders(
  { subject, message, documents }: PlaceholderTexts<{ description: string | null }>,
  values: PlaceholderValues,
): string[] {
  const texts = [subject, message, ...documents.map(({ description }) => description)];
  const names = texts.flatMap((text) => [...(text ?? "").matchAll(TOKEN)].flatMap(([, name]) => name ?? []));
  return [...new Set(names)].filter((name) => values.get(name) === undefined);
}

/** A field with placeholders that have no value; `path` is dotted, as that of an issue. */
export type MissingPlaceholders = { path: string; names: string[] };

/**
 * The texts with their placeholders replaced. Those for which `isFilled` returns true are already.
 * @returns also which fields have placeholders without a value
 */
export function fillTexts<Texts extends PlaceholderTexts<{ description: string | null }>>(
  texts: Texts,
  values: PlaceholderValues,
  isFilled: (field: "subject" | "message" | number, text: string) => boolean = () => false,
): { texts: Texts; missing: MissingPlaceholders[] } {
  const missing: MissingPlaceholders[] = [];
  const fill = (field: "subject" | "message" | number, text: string | null, max?: number) => {
    if (!text?.includes("{") || isFilled(field, text)) return text;
    const path = typeof field === "number" ? `documents.${field}.description` : field;
    const filled = fillPlaceholders(text, values, max);
    if (filled.missing.length > 0) missing.push({ path, names: filled.missing });
    return filled.text;
  };
  const filled = {
    ...texts,
    subject: fill("subject", texts.subject, LIMITS.subject),
    message: fill("message", texts.message),
    documents: texts.documents.map((document, index) => ({
      ...document,
      description: fill(index, document.description),
    })),
  };
  return { texts: filled, missing };
}

/** Names as they are typed: "{company}, {dueDate}". */
export const typedPlaceholders = (names: readonly string[]): string =>
  [...new Set(names)].map((name) => `{${name}}`).join(", ");
