/** What page and server both decide about questions: without a library, because the recipient's page loads it. */

import { isDay } from "./days";
import { documentKey } from "./document-names";
import type { MessageKey } from "./messages";
import { isEmailAddress, isFilled, isStorable } from "./patterns";

/** What an entry asks for: a file, or the answer to a question. */
export const KINDS = ["file", "text", "longText", "number", "date", "choice", "choices", "yesNo"] as const;
export type Kind = (typeof KINDS)[number];
type QuestionKind = Exclude<Kind, "file">;
export const QUESTION_KINDS = KINDS.filter((kind): kind is QuestionKind => kind !== "file");

export const ANSWER_FORMATS = ["email", "iban"] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

/** The day of answering, instead of a fixed one. */
export const TODAY = "today";
export const YES_NO = ["yes", "no"] as const;

/** In UTF-16 units. */
export const MAX_ANSWER = { text: 500, longText: 10_000 } as const;
const WHOLE_DIGITS = 15;
export const MAX_DECIMALS = 6;

/** Shows an entry only while one of `is` is chosen in the earlier entry of this name. */
export type Condition = { name: string; is: string[] };

/** What an entry has beside the fields of a requested file. */
export type QuestionFields = {
  kind: Kind;
  options: string[];
  min: string | null;
  max: string | null;
  decimals: number;
  format: AnswerFormat | null;
  confidential: boolean;
  showIf: Condition | null;
};

/** The kinds to which a field belongs; in an entry of another kind it has its default. */
export const KINDS_WITH = {
  options: ["choice", "choices"],
  min: ["number", "date"],
  max: ["number", "date"],
  decimals: ["number"],
  format: ["text"],
  confidential: ["text", "longText", "number", "date"],
  allowedFileTypes: ["file"],
  attachments: ["file"],
  multiple: ["file"],
  asksValidUntil: ["file"],
  renewDays: ["file"],
} satisfies Record<string, readonly Kind[]>;

/** Whether an entry has the field. */
export const hasField = (kind: Kind, field: keyof typeof KINDS_WITH): boolean =>
  (KINDS_WITH[field] as readonly Kind[]).includes(kind);

/** What conditions can name of an entry: nothing, unless it is a question with choices. */
export function choicesOf({ kind, options }: Pick<QuestionFields, "kind" | "options">): readonly string[] {
  if (kind === "yesNo") return YES_NO;
  return hasField(kind, "options") ? options : [];
}

/** An answer as it is stored: text, or the options that are chosen. */
export type Answer = string | string[];

/** A zero belongs to one part only: otherwise thousands of them could be divided in as many ways. */
const DECIMAL = /^(-?)0*(0|[1-9]\d*)(?:\.(\d+))?$/;
/** Of a bound: a decimal number, not necessarily canonical. */
const BOUND_PATTERN = /^-?\d{1,15}(\.\d{1,6})?$/;

/** Whether a text is a bound of the kind, which must be one that has them. */
export const isBound = (kind: Kind, text: string): boolean => IS_BOUND[kind as keyof typeof IS_BOUND](text);

const IS_BOUND = {
  number: (text) => BOUND_PATTERN.test(text),
  date: (text) => text === TODAY || isDay(text),
} satisfies Record<(typeof KINDS_WITH.min)[number], (text: string) => boolean>;

/** A number without leading zeros or a minus before zero; trailing zeros stay. Null if the text is none. */
function canonicalDecimal(text: string): string | null {
  const [, sign, whole = "", decimals] = DECIMAL.exec(text) ?? [];
  if (sign === undefined || whole.length > WHOLE_DIGITS) return null;
  const digits = decimals === undefined ? whole : `${whole}.${decimals}`;
  return /[1-9]/.test(digits) ? sign + digits : digits;
}

/** Compares decimal numbers of any length: negative, zero or positive. */
function compareDecimals(one: string, other: string): number {
  const scaled = (text: string) => {
    const [whole = "", decimals = ""] = text.split(".");
    return BigInt(whole + decimals.padEnd(MAX_DECIMALS, "0"));
  };
  const difference = scaled(one) - scaled(other);
  return difference < 0n ? -1 : Number(difference > 0n);
}

type Bounds = Pick<QuestionFields, "kind" | "min" | "max">;

/** Compares two values of a kind with bounds. `today` is a day. */
function compare(kind: Kind, one: string, other: string, today: string): number {
  if (kind === "number") return compareDecimals(one, other);
  const day = (text: string) => (text === TODAY ? today : text);
  return day(one) < day(other) ? -1 : Number(day(one) > day(other));
}

/** Whether no answer can be within the bounds. Without `today`, bounds that depend on it do not count. */
function areBoundsCrossed({ kind, min, max }: Bounds, today?: string): boolean {
  if (min === null || max === null || !hasField(kind, "min")) return false;
  if (today === undefined && min !== max && [min, max].includes(TODAY)) return false;
  return compare(kind, min, max, today ?? "") > 0;
}

type Entry = QuestionFields & { name: string };
export type QuestionProblem = { index: number; field: "options" | "min" | "showIf"; problem: MessageKey };

/** What is wrong with valid entries beside each other. Without `today`, bounds that depend on it do not count. */
export function questionProblems(entries: readonly Entry[], today?: string): QuestionProblem[] {
  const choices = new Map<string, readonly string[]>();
  return entries.flatMap((entry, index) => {
    const { kind, options, showIf, name } = entry;
    const problems: QuestionProblem[] = [];
    const distinct = new Set(options.map((option) => option.toLowerCase()));
    if (hasField(kind, "options") && (distinct.size < 2 || distinct.size < options.length))
      problems.push({ index, field: "options", problem: "questionOptions" });
    if (areBoundsCrossed(entry, today)) problems.push({ index, field: "min", problem: "boundsCrossed" });
    const named = showIf && choices.get(documentKey(showIf.name));
    if (showIf && (showIf.is.length === 0 || !showIf.is.every((option) => named?.includes(option))))
      problems.push({ index, field: "showIf", problem: "conditionInvalid" });
    choices.set(documentKey(name), choicesOf(entry));
    return problems;
  });
}

/** What can be wrong with an answer. The recipient's page has a text for each. */
export type AnswerProblem = Extract<
  MessageKey,
  | ("invalidAnswer" | "answerTooLong" | "answerOneLine" | "answerTooSmall" | "answerTooLarge")
  | ("invalidNumber" | "tooManyDecimals" | "invalidDate" | "optionNotOffered")
  | ("invalidEmailAddress" | "invalidIban")
>;

type ReadAnswer = { answer: Answer | null } | { problem: AnswerProblem };

/**
 * Reads an answer as it was typed or sent.
 * @param today the day of answering at the requestor's, which bounds may name
 * @returns the answer in its stored form, null for an empty one, or what is wrong with it
 */
export function readAnswer(question: QuestionFields, value: unknown, today: string): ReadAnswer {
  const { kind } = question;
  if (value === null) return { answer: null };
  if (kind === "choices") return readChoices(question, value);
  const typed = kind === "number" && typeof value === "number" ? String(value) : value;
  if (typeof typed !== "string" || !isStorable(typed)) return { problem: "invalidAnswer" };
  // A longer text is no answer of any kind, and trimming megabytes is slow.
  if (typed.length > 4 * MAX_ANSWER.longText) return { problem: "answerTooLong" };
  const text = typed.trim().replaceAll("\r\n", "\n");
  return isFilled(text) ? READERS[kind](question, text, today) : { answer: null };
}

const READERS: Record<
  Exclude<Kind, "choices">,
  (question: QuestionFields, text: string, today: string) => ReadAnswer
> = {
  text({ format }, text) {
    if (/[\n\r\u2028\u2029]/.test(text)) return { problem: "answerOneLine" };
    if (text.length > MAX_ANSWER.text) return { problem: "answerTooLong" };
    if (format === "email" && !isEmailAddress(text)) return { problem: "invalidEmailAddress" };
    if (format !== "iban") return { answer: text };
    const iban = text.replaceAll(/\s/g, "").toUpperCase();
    return isIban(iban) ? { answer: iban } : { problem: "invalidIban" };
  },
  longText: (_, text) =>
    text.length > MAX_ANSWER.longText ? { problem: "answerTooLong" } : { answer: text },
  number(question, text, today) {
    const number = canonicalDecimal(text);
    if (number === null) return { problem: "invalidNumber" };
    if ((number.split(".")[1]?.length ?? 0) > question.decimals) return { problem: "tooManyDecimals" };
    return withinBounds(question, number, today);
  },
  date: (question, text, today) =>
    isDay(text) ? withinBounds(question, text, today) : { problem: "invalidDate" },
  choice: (question, text) =>
    choicesOf(question).includes(text) ? { answer: text } : { problem: "optionNotOffered" },
  yesNo: (question, text) => READERS.choice(question, text, ""),
  /** The day until which it is valid. */
  file: (question, text, today) => READERS.date(question, text, today),
};

function withinBounds({ kind, min, max }: QuestionFields, answer: string, today: string): ReadAnswer {
  if (min !== null && compare(kind, answer, min, today) < 0) return { problem: "answerTooSmall" };
  if (max !== null && compare(kind, answer, max, today) > 0) return { problem: "answerTooLarge" };
  return { answer };
}

function readChoices(question: QuestionFields, value: unknown): ReadAnswer {
  if (!Array.isArray(value) || value.length > question.options.length) return { problem: "invalidAnswer" };
  const chosen = new Set<unknown>(
    value.map((option) => (typeof option === "string" ? option.trim() : option)),
  );
  if (chosen.size < value.length) return { problem: "invalidAnswer" };
  const answer = question.options.filter((option) => chosen.has(option));
  if (answer.length < chosen.size) return { problem: "optionNotOffered" };
  return { answer: answer.length > 0 ? answer : null };
}

/** Whether an IBAN, in capitals and without spaces, has the right check digits. */
function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text)) return false;
  const digits = (text.slice(4) + text.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return BigInt(digits) % 97n === 1n;
}
